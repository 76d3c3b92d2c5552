//! Kernels that are compiled when they are first needed, side by side, and kept.

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

/// Name of a kernel, the shared files before it, and the constants that it knows.
type Key = (&'static str, &'static [&'static str], Vec<(&'static str, u32)>);

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

    /// A kernel with these constants, of which it takes those that it knows; it may still be compiled.
    pub(crate) fn get(&self, source: &Source, constants: &[(&'static str, u32)]) -> Kernel {
        let knows = |name: &str| name == "WORKGROUP" || source.constants.iter().any(|(known, _)| *known == name);
        let known: Vec<_> = constants.iter().copied().filter(|(name, _)| knows(name)).collect();
        let key = (source.name, source.libs, known);
        let mut kernels = self.kernels.lock().unwrap_or_else(PoisonError::into_inner);
        let begin = |key: &Key| Kernel::begin(&self.gpu, source, &key.2);
        kernels.entry(key).or_insert_with_key(begin).clone()
    }

    /// Waits until all kernels are compiled; the error of one that cannot be.
    pub(crate) fn wait(&self) -> Result<(), GpuError> {
        let kernels = self.kernels.lock().unwrap_or_else(PoisonError::into_inner);
        kernels.values().try_for_each(Kernel::check)
    }
}
