//! What the kernels know of each sub-step and of the triggers at the end of the frame.

use bytemuck::{Pod, Zeroable};
use motes_core::Settings;
use motes_core::engine::Frame;

use super::pool::Layout;
use crate::buffers::{Buffer, Uniforms};
use crate::device::Gpu;
use crate::error::GpuError;

/// What the kernels know of a sub-step, as `lib/collider_params.wgsl` explains.
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub struct ColliderParams {
    pub(crate) count: u32,
    pub(crate) records: u32,
    pub(crate) colliders: u32,
    pub(crate) surfaces: u32,
    pub(crate) materials: u32,
    pub(crate) origins: u32,
    pub(crate) places: u32,
    pub(crate) capacity: u32,
    pub(crate) counters: u32,
    pub(crate) substep: u32,
    pub(crate) is_last: u32,
    pub(crate) radius: f32,
    pub(crate) grip: f32,
    pub(crate) h: f32,
    pub(crate) radii: u32,
    pub(crate) groups: u32,
}

/// A slot for every sub-step, and one for the triggers.
#[derive(Debug)]
pub(super) struct Params {
    gpu: Gpu,
    uniforms: Uniforms<ColliderParams>,
    values: Vec<ColliderParams>,
}

impl Params {
    pub(super) fn new(gpu: &Gpu) -> Result<Self, GpuError> {
        Ok(Self {
            gpu: gpu.clone(),
            uniforms: Uniforms::new(gpu, "collider params", 1)?,
            values: Vec::new(),
        })
    }

    /// Sub-steps of the frame, which is also the slot of the triggers.
    pub(super) fn substeps(&self) -> usize {
        self.values.len().saturating_sub(1)
    }

    /// Slots that can be bound.
    pub(super) fn slots(&self) -> usize {
        self.uniforms.slots()
    }

    pub(super) fn binding(&self, slot: usize) -> wgpu::BindingResource<'_> {
        self.uniforms.binding(slot)
    }

    /// Fills the slots; `capacity` is the room for contacts and for overlaps. Says whether the memory was replaced.
    pub(super) fn fill(
        &mut self,
        frame: &Frame,
        substeps: u32,
        layout: &Layout,
        capacity: [usize; 2],
    ) -> Result<bool, GpuError> {
        let h = frame.dt / substeps as f32;
        let count = self.values.first().map_or(0, |value| value.count);
        self.values.clear();
        self.values.extend((0..=substeps).map(|substep| {
            let at_end = substep == substeps;
            ColliderParams {
                count,
                records: layout.records(substep),
                colliders: if at_end { layout.triggers } else { layout.solids },
                surfaces: layout.surfaces,
                materials: frame.materials.as_slice().len() as u32,
                origins: layout.origins,
                places: frame.colliders.len() as u32,
                capacity: capacity[usize::from(at_end)] as u32,
                counters: 2 * substep,
                substep,
                is_last: u32::from(substep + 1 == substeps),
                radius: frame.settings.particle_radius,
                grip: match &frame.sizes {
                    None => Settings::grip(1.0, frame.settings.particle_radius, h),
                    Some(_) => Settings::grip(1.0, 1.0, h),
                },
                h,
                radii: layout.radii,
                groups: layout.groups,
            }
        }));
        let grows = self.uniforms.slots() < self.values.len();
        if grows {
            self.uniforms = Uniforms::new(&self.gpu, "collider params", self.values.len())?;
        }
        for (slot, value) in self.values.iter().enumerate() {
            self.uniforms.write(slot, value);
        }
        Ok(grows)
    }

    /// Changes the number of particles.
    pub(super) fn set_count(&mut self, slot: usize, count: u32) {
        self.change(slot, |value| value.count = count);
    }

    /// Changes the room for overlaps.
    pub(super) fn set_overlap_capacity(&mut self, capacity: usize) {
        self.change(self.substeps(), |value| value.capacity = capacity as u32);
    }

    /// Has the number of particles taken from the start of `count` when `encoder` gets there.
    pub(super) fn take_count(&self, encoder: &mut wgpu::CommandEncoder, count: &Buffer<u32>) {
        let offset = std::mem::offset_of!(ColliderParams, count);
        for slot in 0..self.uniforms.slots() {
            self.uniforms.copy_words(encoder, (count, 0..1), slot, offset);
        }
    }

    /// Has the number of particles taken from the host again.
    pub(super) fn forget_count(&mut self) {
        self.uniforms.forget();
        for value in &mut self.values {
            value.count = 0;
        }
    }

    fn change(&mut self, slot: usize, change: impl FnOnce(&mut ColliderParams)) {
        let Some(value) = self.values.get_mut(slot) else { return };
        let before = *value;
        change(value);
        if *value != before {
            self.uniforms.write(slot, value);
        }
    }
}
