//! What is being done while a scene is built, for those who wait for it.

use std::fmt;
use std::sync::Arc;

type Listener = dyn Fn(&str) + Send + Sync;

/// Is told of each step that may take a while, before it begins.
#[derive(Clone, Default)]
pub(crate) struct Steps(Option<Arc<Listener>>);

impl Steps {
    pub(crate) fn told_to(listener: impl Fn(&str) + Send + Sync + 'static) -> Self {
        Self(Some(Arc::new(listener)))
    }

    pub(crate) fn begin(&self, step: fmt::Arguments<'_>) {
        if let Some(listener) = &self.0 {
            listener(&step.to_string());
        }
    }
}
