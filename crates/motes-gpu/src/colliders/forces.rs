//! What colliders receive from particles, summed up over a frame in a fixed order.

use bytemuck::{Pod, Zeroable};

use super::bindings::Bindings;
use crate::buffers::Buffer;
use crate::device::Gpu;
use crate::error::GpuError;
use crate::kernel::Kernel;
use crate::kernels;

/// Particles of a block, which is a workgroup of those who sum up.
pub(crate) const BLOCK: u32 = 256;

/// Sums over the contacts of one collider.
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub struct ForceSum {
    /// Impulse over the frame, N·s.
    pub impulse: [f32; 3],
    /// Contacts that pushed or pulled in the last sub-step.
    pub contacts: u32,
    /// Angular impulse over the frame about the collider's origin at its end, N·m·s.
    pub angular_impulse: [f32; 3],
    pub(crate) unused: u32,
}

/// The sums and the kernels that make them.
#[derive(Debug)]
pub(super) struct Forces {
    gpu: Gpu,
    sum: Kernel,
    total: Kernel,
    block_sums: Buffer<ForceSum>,
    totals: Buffer<ForceSum>,
    places: u32,
    bindings: Bindings,
    total_bindings: Bindings,
}

/// What the sums are made from: the sub-step's parameters, ranges, contacts and the pool.
pub(super) struct Sources<'a> {
    pub(super) params: wgpu::BindingResource<'a>,
    pub(super) ranges: &'a wgpu::Buffer,
    pub(super) contacts: &'a wgpu::Buffer,
    pub(super) pool: &'a wgpu::Buffer,
}

impl Forces {
    pub(super) fn new(gpu: &Gpu) -> Result<Self, GpuError> {
        let constants = [("WORKGROUP", BLOCK)];
        Ok(Self {
            gpu: gpu.clone(),
            sum: Kernel::begin(gpu, &kernels::SUM_FORCES, &constants),
            total: Kernel::begin(gpu, &kernels::SUM_FORCES_TOTAL, &constants),
            block_sums: Buffer::new(gpu, "collider block sums", 1)?,
            totals: Buffer::new(gpu, "collider sums", 1)?,
            places: 0,
            bindings: Bindings::default(),
            total_bindings: Bindings::default(),
        })
    }

    /// Waits until its kernels are compiled.
    pub(super) fn wait(&self) -> Result<(), GpuError> {
        self.sum.check()?;
        self.total.check()
    }

    pub(super) fn totals(&self) -> &Buffer<ForceSum> {
        &self.totals
    }

    pub(super) fn block_sums(&self) -> &Buffer<ForceSum> {
        &self.block_sums
    }

    pub(super) fn bytes(&self) -> u64 {
        self.block_sums.bytes() + self.totals.bytes()
    }

    /// Makes room for sums of `colliders`; says whether the totals were replaced.
    pub(super) fn begin_frame(&mut self, particles: usize, colliders: usize) -> Result<bool, GpuError> {
        let blocks = particles.div_ceil(BLOCK as usize);
        self.places = colliders as u32;
        let mut replaced = self.block_sums.ensure_exactly(blocks * colliders)?;
        replaced |= self.totals.ensure(colliders)?;
        if replaced {
            self.forget();
        }
        Ok(replaced)
    }

    /// Forgets what was bound, because parameters were replaced.
    pub(super) fn forget(&mut self) {
        self.bindings.clear();
        self.total_bindings.clear();
    }

    /// Adds up what the contacts of a sub-step did, block by block.
    pub(super) fn sum(&mut self, pass: &mut wgpu::ComputePass<'_>, slot: usize, count: u32, sources: Sources<'_>) {
        if self.places == 0 {
            return;
        }
        let Sources {
            params,
            ranges,
            contacts,
            pool,
        } = sources;
        let bindings = self.bindings.get(slot, [ranges, contacts, pool], || {
            let resources = [
                params,
                ranges.as_entire_binding(),
                contacts.as_entire_binding(),
                pool.as_entire_binding(),
                self.block_sums.binding(),
            ];
            self.sum.bind(&self.gpu, &resources)
        });
        self.sum.launch(pass, bindings, count);
    }

    /// Completes the sums of the frame.
    pub(super) fn total(&mut self, pass: &mut wgpu::ComputePass<'_>, slot: usize, params: wgpu::BindingResource<'_>) {
        let bindings = self.total_bindings.get(slot, [], || {
            let resources = [params, self.block_sums.binding(), self.totals.binding()];
            self.total.bind(&self.gpu, &resources)
        });
        self.total.launch_groups(pass, bindings, self.places);
    }
}
