//! Kernels that are compiled when they are first needed, and kept.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use crate::device::Gpu;
use crate::error::GpuError;
use crate::kernel::{Kernel, Source, Variant};

/// The kernels of an engine, each compiled once for every set of constants that somebody asked for.
pub(crate) struct Compiled {
    gpu: Gpu,
    variant: Variant,
    kernels: Mutex<HashMap<Key, Kernel>>,
}

/// Name of a kernel, whether it uses subgroups, and the constants that it knows.
type Key = (&'static str, bool, Vec<(&'static str, u32)>);

impl Compiled {
    pub(crate) fn new(gpu: &Gpu, variant: Variant) -> Self {
        Self {
            gpu: gpu.clone(),
            variant,
            kernels: Mutex::default(),
        }
    }

    /// With subgroups or without.
    pub(crate) fn variant(&self) -> Variant {
        self.variant
    }

    /// A kernel with these constants, of which it takes those that it knows.
    pub(crate) fn get(&self, source: &Source, constants: &[(&'static str, u32)]) -> Result<Kernel, GpuError> {
        let knows = |name: &str| name == "WORKGROUP" || source.constants.iter().any(|(known, _)| *known == name);
        let known: Vec<_> = constants.iter().copied().filter(|(name, _)| knows(name)).collect();
        let key = (source.name, source.uses_subgroups(), known);
        let mut kernels = self.kernels.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(kernel) = kernels.get(&key) {
            return Ok(kernel.clone());
        }
        let kernel = Kernel::new(&self.gpu, source, &key.2)?;
        kernels.insert(key, kernel.clone());
        Ok(kernel)
    }
}
