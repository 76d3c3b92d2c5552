//! A kernel with its buffers and its size, to be launched again and again.

use std::num::NonZeroU64;
use std::sync::OnceLock;

use crate::device::Gpu;
use crate::kernel::Kernel;

/// A launch that is ready to be recorded. Valid as long as none of its buffers is replaced.
#[derive(Clone, Debug)]
pub struct Launch {
    gpu: Gpu,
    kernel: Kernel,
    /// What is bound when the launch is first recorded: the kernel may not be compiled until then.
    buffers: Vec<Part>,
    bindings: OnceLock<wgpu::BindGroup>,
    groups: u32,
}

/// A buffer, where the part of it begins that is bound, and how long that is.
type Part = (wgpu::Buffer, u64, Option<NonZeroU64>);

impl Launch {
    /// Binds `resources` to a kernel, for launches of `groups` workgroups.
    pub fn new(gpu: &Gpu, kernel: &Kernel, resources: &[wgpu::BindingResource<'_>], groups: usize) -> Self {
        let parts: Option<Vec<Part>> = resources.iter().map(part_of).collect();
        let bindings = match &parts {
            Some(_) => OnceLock::new(),
            None => kernel.bind(gpu, resources).into(),
        };
        Self {
            gpu: gpu.clone(),
            kernel: kernel.clone(),
            buffers: parts.unwrap_or_default(),
            bindings,
            groups: groups as u32,
        }
    }

    /// Records the launch.
    pub fn encode(&self, pass: &mut wgpu::ComputePass<'_>) {
        self.kernel.launch_groups(pass, self.bindings(), self.groups);
    }

    /// Records a launch of no more threads than it takes for so many: of kernels whose threads go on to what is left.
    pub(crate) fn encode_for(&self, threads: usize, pass: &mut wgpu::ComputePass<'_>) {
        let groups = threads.div_ceil(self.kernel.workgroup() as usize).max(1) as u32;
        self.kernel
            .launch_groups(pass, self.bindings(), self.groups.min(groups));
    }

    fn bindings(&self) -> &wgpu::BindGroup {
        self.bindings.get_or_init(|| {
            let bound = self.buffers.iter().map(|&(ref buffer, offset, size)| {
                wgpu::BindingResource::Buffer(wgpu::BufferBinding { buffer, offset, size })
            });
            self.kernel.bind(&self.gpu, &bound.collect::<Vec<_>>())
        })
    }
}

/// None of what is no buffer.
fn part_of(resource: &wgpu::BindingResource<'_>) -> Option<Part> {
    match resource {
        wgpu::BindingResource::Buffer(part) => Some((part.buffer.clone(), part.offset, part.size)),
        _ => None,
    }
}
