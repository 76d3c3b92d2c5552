//! A kernel with its buffers and its size, to be launched again and again.

use crate::device::Gpu;
use crate::kernel::Kernel;

/// A launch that is ready to be recorded. Valid as long as none of its buffers is replaced.
#[derive(Clone, Debug)]
pub struct Launch {
    kernel: Kernel,
    bindings: wgpu::BindGroup,
    groups: u32,
}

impl Launch {
    /// Binds `resources` to a kernel, for launches of `groups` workgroups.
    pub fn new(gpu: &Gpu, kernel: &Kernel, resources: &[wgpu::BindingResource<'_>], groups: usize) -> Self {
        Self {
            bindings: kernel.bind(gpu, resources),
            kernel: kernel.clone(),
            groups: groups as u32,
        }
    }

    /// Records the launch.
    pub fn encode(&self, pass: &mut wgpu::ComputePass<'_>) {
        self.kernel.launch_groups(pass, &self.bindings, self.groups);
    }
}
