//! Colliders on the device: contacts of particles with them, what they receive, and who is inside triggers.
//!
//! The shapes, the swept query and its constants are those of `motes_core::colliders`; the kernels say the same in WGSL.

mod pool;
mod shapes;

use std::collections::HashMap;

use bytemuck::{Pod, Zeroable};
use motes_core::engine::Frame;
use motes_core::glam::Vec4;

use crate::buffers::{Buffer, Uniforms};
use crate::device::Gpu;
use crate::error::GpuError;
use crate::kernel::Kernel;
use crate::kernels;
use pool::Pool;

/// What the kernels know of a sub-step.
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
    pub(crate) radius: f32,
    pub(crate) grip: f32,
    pub(crate) h: f32,
}

/// A plane that one particle has to stay above, and what that took. Lengths in metres.
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub struct ColliderContact {
    /// Surface point at the end of the sub-step.
    pub point: [f32; 3],
    /// Distance that adhesion can close in the sub-step.
    pub pull: f32,
    /// Unit normal on the particle's side.
    pub normal: [f32; 3],
    /// Correction along the normal.
    pub normal_sum: f32,
    /// Displacement of the surface during the sub-step.
    pub travel: [f32; 3],
    /// Place of the collider among the frame's colliders.
    pub collider: u32,
    /// Correction across the normal.
    pub friction_sum: [f32; 3],
    /// Inverse mass of the particle, 1/kg.
    pub inverse_mass: f32,
    /// Static and kinetic friction, restitution and adhesion of the two materials.
    pub coefficients: [f32; 4],
}

/// The particles that are to collide.
#[derive(Clone, Copy, Debug)]
pub struct ParticleBuffers<'a> {
    /// How many.
    pub count: u32,
    /// Positions at the start of the sub-step, and inverse masses.
    pub positions: &'a Buffer<Vec4>,
    /// Predicted positions.
    pub predicted: &'a Buffer<Vec4>,
    /// Phase and material of each, and two words of the engine's own.
    pub kinds: &'a Buffer<[u32; 4]>,
}

/// The colliders of a world on the device.
#[derive(Debug)]
pub struct Colliders {
    gpu: Gpu,
    finders: HashMap<u32, Kernel>,
    pool: Pool,
    params: Uniforms<ColliderParams>,
    /// Of each sub-step, and of the triggers at the end.
    values: Vec<ColliderParams>,
    contacts: Buffer<ColliderContact>,
    ranges: Buffer<[u32; 2]>,
    /// For each sub-step, contacts and contacts that found no room; then the same of overlaps.
    counters: Buffer<u32>,
    find: Bindings,
}

impl Colliders {
    /// No colliders.
    pub fn new(gpu: &Gpu) -> Result<Self, GpuError> {
        Ok(Self {
            finders: HashMap::new(),
            pool: Pool::new(gpu)?,
            params: Uniforms::new(gpu, "collider params", 1)?,
            values: Vec::new(),
            contacts: Buffer::new(gpu, "collider contacts", 1)?,
            ranges: Buffer::new(gpu, "collider contact ranges", 1)?,
            counters: Buffer::new(gpu, "collider counters", 2)?,
            find: Bindings::default(),
            gpu: gpu.clone(),
        })
    }

    /// Takes over the colliders of a frame; says whether buffers were replaced, so that they must be bound again.
    ///
    /// There is room for one contact per particle, and for as many as [`Self::reserve`] was told.
    pub fn begin_frame(&mut self, frame: &Frame, substeps: u32, particles: usize) -> Result<bool, GpuError> {
        let slots = substeps as usize + 1;
        let mut replaced = self.pool.fill(frame, substeps)?;
        replaced |= self.contacts.ensure(particles)?;
        replaced |= self.ranges.ensure(particles)?;
        replaced |= self.counters.ensure(2 * slots)?;
        if self.params.slots() < slots {
            self.params = Uniforms::new(&self.gpu, "collider params", slots)?;
            replaced = true;
        }
        if replaced {
            self.find.clear();
        }
        self.counters.write(0, &vec![0; 2 * slots]);
        self.set_params(frame, substeps);
        self.compile()?;
        Ok(replaced)
    }

    /// Makes room for contacts before the next frame; says whether buffers were replaced.
    pub fn reserve(&mut self, contacts: usize) -> Result<bool, GpuError> {
        let replaced = self.contacts.ensure(contacts)?;
        if replaced {
            self.find.clear();
        }
        Ok(replaced)
    }

    /// Finds the contacts of a sub-step.
    pub fn find(&mut self, pass: &mut wgpu::ComputePass<'_>, substep: u32, particles: &ParticleBuffers<'_>) {
        let slot = substep as usize;
        self.set_count(slot, particles.count);
        let Some(kernel) = self.finders.get(&self.pool.solid_kinds()) else {
            return;
        };
        let ParticleBuffers {
            positions,
            predicted,
            kinds,
            ..
        } = particles;
        let given = [positions.raw(), predicted.raw(), kinds.raw()];
        let bindings = self.find.get(slot, given, || {
            let resources = [
                self.params.binding(slot),
                positions.binding(),
                predicted.binding(),
                kinds.binding(),
                self.pool.words().binding(),
                self.contacts.binding(),
                self.ranges.binding(),
                self.counters.binding(),
            ];
            kernel.bind(&self.gpu, &resources)
        });
        kernel.launch(pass, bindings, particles.count);
    }

    /// The contacts of the sub-step whose contacts were found last, in runs.
    pub fn contacts(&self) -> &Buffer<ColliderContact> {
        &self.contacts
    }

    /// Start and length of each particle's run of contacts.
    pub fn ranges(&self) -> &Buffer<[u32; 2]> {
        &self.ranges
    }

    /// For each sub-step of the frame, room that contacts took and contacts that found none.
    pub fn counters(&self) -> &Buffer<u32> {
        &self.counters
    }

    /// Records, shapes and coefficients.
    pub fn pool(&self) -> &Buffer<u32> {
        self.pool.words()
    }

    /// The [`ColliderParams`] of a sub-step.
    pub fn params(&self, substep: u32) -> wgpu::BindingResource<'_> {
        self.params.binding(substep as usize)
    }

    fn set_params(&mut self, frame: &Frame, substeps: u32) {
        let h = frame.dt / substeps as f32;
        let layout = self.pool.layout();
        let shared = ColliderParams {
            surfaces: layout.surfaces,
            materials: frame.materials.as_slice().len() as u32,
            origins: layout.origins,
            places: frame.colliders.len() as u32,
            radius: frame.settings.particle_radius,
            grip: frame.settings.grip(1.0, h),
            h,
            ..ColliderParams::default()
        };
        self.values.clear();
        self.values.extend((0..substeps).map(|substep| ColliderParams {
            records: layout.records(substep),
            colliders: layout.solids,
            capacity: self.contacts.capacity() as u32,
            counters: 2 * substep,
            substep,
            ..shared
        }));
        for (slot, value) in self.values.iter().enumerate() {
            self.params.write(slot, value);
        }
    }

    fn set_count(&mut self, slot: usize, count: u32) {
        if self.values[slot].count != count {
            self.values[slot].count = count;
            self.params.write(slot, &self.values[slot]);
        }
    }

    /// Compiles the kernels for the kinds of shapes there are; drivers do well when they need not think of the others.
    fn compile(&mut self) -> Result<(), GpuError> {
        let kinds = self.pool.solid_kinds();
        if !self.finders.contains_key(&kinds) {
            let kernel = Kernel::new(&self.gpu, &kernels::FIND_CONTACTS, &[("SHAPES", kinds)])?;
            self.finders.insert(kinds, kernel);
        }
        Ok(())
    }
}

/// Bind groups by slot, kept for as long as they are for the same buffers.
#[derive(Debug, Default)]
struct Bindings {
    slots: Vec<Option<(Vec<wgpu::Buffer>, wgpu::BindGroup)>>,
}

impl Bindings {
    fn clear(&mut self) {
        self.slots.clear();
    }

    fn get<const N: usize>(
        &mut self,
        slot: usize,
        buffers: [&wgpu::Buffer; N],
        bind: impl FnOnce() -> wgpu::BindGroup,
    ) -> &wgpu::BindGroup {
        if self.slots.len() <= slot {
            self.slots.resize_with(slot + 1, || None);
        }
        let entry = &mut self.slots[slot];
        if entry.as_ref().is_some_and(|(bound, _)| !bound.iter().eq(buffers)) {
            *entry = None;
        }
        &entry
            .get_or_insert_with(|| (buffers.map(wgpu::Buffer::clone).to_vec(), bind()))
            .1
    }
}
