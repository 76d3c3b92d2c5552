//! Which engine to run on.

use motes_core::{CpuEngine, Engine};

use crate::args::{EngineChoice, EngineOptions};

impl EngineOptions {
    /// A new engine of the chosen kind.
    pub(crate) fn create(&self) -> Box<dyn Engine> {
        match (self.engine, self.threads) {
            (EngineChoice::Auto | EngineChoice::Cpu, Some(threads)) => {
                Box::new(CpuEngine::with_threads(usize::from(threads)))
            }
            (EngineChoice::Auto | EngineChoice::Cpu, None) => Box::new(CpuEngine::new()),
        }
    }
}
