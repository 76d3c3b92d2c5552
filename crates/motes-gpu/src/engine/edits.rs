//! Edits on the device: a small upload, a table of where particles are, and one kernel that carries them out.
//!
//! Adding and removing particles goes the way of births and deaths: see `population.rs`.

use std::sync::Arc;

use bytemuck::{Pod, Zeroable};
use motes_core::ParticleId;
use motes_core::engine::edit::{Change, Edit};
use motes_core::engine::timings::Stage;
use motes_core::glam::Vec3;
use motes_core::particles::NewParticle;

use super::State;
use super::arrays::{Arrays, KINDS};
use super::body_edits::BodyEdits;
use crate::buffers::{Buffer, Uniforms};
use crate::device::Gpu;
use crate::error::GpuError;
use crate::kernel::Kernel;
use crate::kernels;

/// `EditParams` in `lib/edit.wgsl`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct EditParams {
    pub(crate) rows: u32,
    pub(crate) stride: u32,
}

/// One edit: `EditRow` in `lib/edit.wgsl`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct EditRow {
    pub(crate) value: [f32; 3],
    pub(crate) amount: f32,
    pub(crate) index: u32,
    pub(crate) what: u32,
    pub(crate) word: u32,
    pub(crate) mobility: f32,
}

/// Values of `EditRow::what`. Removals and optional properties go other ways.
pub(crate) const SET_POSITION: u32 = 0;
pub(crate) const SET_VELOCITY: u32 = 1;
pub(crate) const SET_INVERSE_MASS: u32 = 2;
pub(crate) const SET_PHASE: u32 = 3;
pub(crate) const SET_MATERIAL: u32 = 4;
pub(crate) const PUSH: u32 = 5;
pub(crate) const PULL: u32 = 6;
const NOTHING: u32 = u32::MAX;

impl EditRow {
    fn new(index: u32, change: &Change) -> Self {
        let row = |what: u32, value: Vec3| Self {
            value: value.to_array(),
            index,
            what,
            ..Self::default()
        };
        let word = |what: u32, word: u32| Self {
            word,
            ..row(what, Vec3::ZERO)
        };
        match *change {
            Change::Position(position) => row(SET_POSITION, position),
            Change::Velocity(velocity) => row(SET_VELOCITY, velocity),
            Change::InverseMass(amount) => Self {
                amount,
                ..row(SET_INVERSE_MASS, Vec3::ZERO)
            },
            Change::Phase(phase) => word(SET_PHASE, phase.0),
            Change::Material(material) => word(SET_MATERIAL, material.0),
            Change::Push(impulse) => row(PUSH, impulse),
            Change::Pull(pull) => Self {
                amount: pull.seconds * pull.stiffness,
                word: (pull.seconds * pull.resistance()).to_bits(),
                mobility: pull.mobility,
                ..row(PULL, pull.target)
            },
            _ => row(NOTHING, Vec3::ZERO),
        }
    }
}

const WORKGROUP: u32 = 128;

/// Particles that may be added in a frame without the host's taking the place of all the device's: new ones may need much
/// more room for contacts, which is then found out before the frame.
fn few(bound: usize) -> usize {
    (bound / 8).max(4096)
}

/// Edits that wait for the next frame, and where particles are.
pub(super) struct DeviceEdits {
    gpu: Gpu,
    kernels: Option<EditKernels>,
    params: Uniforms<EditParams>,
    rows: Buffer<EditRow>,
    /// Slots by index of the id, as of when they were needed last.
    slots: Buffer<u32>,
    waiting: Vec<EditRow>,
    /// While these wait, no others do: they are carried out in order.
    pub(super) bodies: BodyEdits,
}

struct EditKernels {
    locate: Kernel,
    edit: Kernel,
}

impl DeviceEdits {
    pub(super) fn new(gpu: &Gpu) -> Result<Self, GpuError> {
        Ok(Self {
            kernels: None,
            params: Uniforms::new(gpu, "edit params", 1)?,
            rows: Buffer::new(gpu, "edits", 64)?,
            slots: Buffer::new(gpu, "slots of particles", 1)?,
            waiting: Vec::new(),
            bodies: BodyEdits::new(gpu)?,
            gpu: gpu.clone(),
        })
    }

    /// Memory on the device, bytes.
    pub(super) fn bytes(&self) -> u64 {
        self.rows.bytes() + self.slots.bytes() + self.bodies.bytes()
    }

    /// Whether no edit of a particle waits.
    pub(super) fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }

    fn kernels(&mut self) -> Result<&EditKernels, GpuError> {
        if self.kernels.is_none() {
            let kernel = |source| Kernel::new(&self.gpu, source, &[("WORKGROUP", WORKGROUP)]);
            self.kernels = Some(EditKernels {
                locate: kernel(&kernels::LOCATE_PARTICLES)?,
                edit: kernel(&kernels::EDIT_PARTICLES)?,
            });
        }
        self.kernels.as_ref().ok_or(GpuError::NotYet)
    }

    /// Lists where particles are at this point, with `indices` indices of ids in use.
    pub(super) fn locate(
        &mut self,
        pass: &mut wgpu::ComputePass<'_>,
        arrays: &Arrays,
        bound: usize,
        indices: usize,
    ) -> Result<&Buffer<u32>, GpuError> {
        self.slots.ensure(indices)?;
        let gpu = self.gpu.clone();
        let slots = self.slots.clone();
        let locate = &self.kernels()?.locate;
        let kinds = arrays.kinds.part(KINDS);
        let bindings = locate.bind(&gpu, &[arrays.census.binding(), kinds.binding(), slots.binding()]);
        locate.launch(pass, &bindings, bound as u32);
        Ok(&self.slots)
    }

    /// Records the edits that wait, given the members of bodies.
    pub(super) fn record(
        &mut self,
        pass: &mut wgpu::ComputePass<'_>,
        (arrays, members): (&Arrays, &Buffer<[u32; 4]>),
        bound: usize,
        indices: usize,
    ) -> Result<(), GpuError> {
        if !self.bodies.is_empty() {
            let slots = self.locate(pass, arrays, bound, indices)?.clone();
            self.bodies.record(pass, arrays, &slots, members)?;
        }
        if self.waiting.is_empty() {
            return Ok(());
        }
        let mut rows = std::mem::take(&mut self.waiting);
        // Those of a particle side by side, and in their order.
        rows.sort_by_key(|row| row.index);
        self.rows.ensure(rows.len())?;
        self.rows.write(0, &rows);
        self.params.write(
            0,
            &EditParams {
                rows: rows.len() as u32,
                stride: arrays.vectors.stride() as u32,
            },
        );
        self.locate(pass, arrays, bound, indices)?;
        let gpu = self.gpu.clone();
        let (params, buffer, slots) = (self.params.clone(), self.rows.clone(), self.slots.clone());
        let edit = &self.kernels()?.edit;
        let bindings = edit.bind(
            &gpu,
            &[
                params.binding(0),
                buffer.binding(),
                arrays.census.binding(),
                slots.binding(),
                arrays.vectors.binding(),
                arrays.kinds.binding(),
            ],
        );
        edit.launch(pass, &bindings, rows.len() as u32);
        rows.clear();
        self.waiting = rows;
        Ok(())
    }
}

impl State {
    pub(super) fn add(&mut self, new: &[NewParticle]) -> Vec<ParticleId> {
        if !self.stale_device && self.is_crowded_by(new.len()) {
            self.return_to_host();
        }
        let host = Arc::make_mut(&mut self.host);
        let ids: Vec<ParticleId> = new.iter().map(|&new| host.add(new)).collect();
        if !self.stale_device {
            for id in &ids {
                self.reuse(id.index);
            }
            self.crowd.expect(new.len());
        }
        ids
    }

    /// Whether so many more that wait to be born are too many.
    pub(super) fn is_crowded_by(&self, new: usize) -> bool {
        self.crowd.waiting() + new > few(self.crowd.bound())
    }

    /// Takes note that an index has been given to a new particle.
    pub(super) fn reuse(&mut self, index: u32) {
        self.shapes.reuse(index);
        self.rows.list.reuse(index);
        self.bends.list.reuse(index);
        self.faces.list.reuse(index);
        self.creatures_on_device.reuse(index);
    }

    pub(super) fn edit(&mut self, edits: &[Edit]) -> Result<usize, ParticleId> {
        if let Some(gone) = self.host.missing(edits) {
            return Err(gone);
        }
        for edit in edits {
            if let &Edit::Stiffness { place, whole, clusters } = edit {
                self.set_stiffness(place, whole, clusters);
            }
        }
        self.settle_splits(edits);
        let removes = |edit: &Edit| matches!(edit, Edit::Particle(_, Change::Remove) | Edit::Group(_, Change::Remove));
        self.may_have_died |= edits.iter().any(removes);
        let found = if self.stale_device {
            self.edit_on_host(edits)
        } else {
            self.edit_on_device(edits)
        };
        // At once, or rows would rest longer than on the CPU, and other handles be given out.
        self.bury_rows();
        Ok(found)
    }

    fn edit_on_device(&mut self, edits: &[Edit]) -> usize {
        let mut found = 0;
        for edit in edits {
            match edit {
                Edit::Particle(id, change) => found += self.edit_particle(*id, change),
                Edit::Group(group, change) => {
                    let members: Vec<ParticleId> = self.host.of_group(*group).collect();
                    found += members
                        .into_iter()
                        .map(|id| self.edit_particle(id, change))
                        .sum::<usize>();
                }
                Edit::Body { place, change } => found += self.edit_body(*place, change),
                Edit::Stiffness { .. } => {}
            }
        }
        found
    }

    /// Says how many particles it found.
    pub(super) fn edit_particle(&mut self, id: ParticleId, change: &Change) -> usize {
        let host = Arc::make_mut(&mut self.host);
        let Some(slot) = host.slot(id) else {
            return 0;
        };
        let waits = slot >= host.len() - self.crowd.waiting();
        if matches!(change, Change::Remove) {
            host.bury([id.index], 0);
            self.crowd.remove(id.index, waits);
            if waits {
                host.sweep();
            }
            return 1;
        }
        // What the device does not change the host knows for certain.
        let optional = change.optional_property();
        let lasting = optional.is_some() || matches!(change, Change::Phase(_) | Change::Material(_));
        if waits || lasting || !self.stale_host {
            host.change(slot, change);
        }
        if waits {
            return 1;
        }
        if let Some(name) = optional {
            // The host knows the value, which goes to the device as it is in the end.
            self.crowd.optional_mut().edit(name, id.index);
        } else {
            if !self.edits.bodies.is_empty() {
                let flushed = self.flush_edits();
                self.note(flushed);
            }
            self.edits.waiting.push(EditRow::new(id.index, change));
        }
        1
    }

    fn set_stiffness(&mut self, place: usize, whole: f32, clusters: f32) {
        let body = &mut Arc::make_mut(&mut self.bodies).list[place];
        body.set_stiffness(whole, clusters);
        if !self.stale_bodies {
            self.shapes.write_stiffness(place, body);
        }
    }

    /// Brings everything back, to be written to the device as a whole before the next frame.
    pub(super) fn return_to_host(&mut self) {
        self.download();
        self.download_bodies();
        Arc::make_mut(&mut self.host).sweep();
        self.edits.waiting.clear();
        self.edits.bodies.clear();
        self.splits.clear();
        self.crowd.give_up();
        self.stale_device = true;
    }

    /// Records the edits that wait as part of the frame being recorded.
    pub(super) fn record_edits(&mut self) -> Result<(), GpuError> {
        if self.edits.is_empty() && self.edits.bodies.is_empty() {
            return Ok(());
        }
        let bound = self.crowd.bound().min(self.room);
        let pass = self.recorder.stage(Stage::Population.name());
        let buffers = (&self.arrays, &self.shapes.members);
        self.edits.record(pass, buffers, bound, self.host.index_count())
    }

    /// Has the device carry out the edits that wait, because somebody wants to see what comes of them.
    pub(super) fn flush_edits(&mut self) -> Result<(), GpuError> {
        let edited = self.crowd.optional().is_edited();
        if self.edits.is_empty() && self.edits.bodies.is_empty() && !edited {
            return Ok(());
        }
        let mut encoder = self.gpu.device().create_command_encoder(&Default::default());
        if edited && self.crowd.prepare_optional(&self.host, 0, &mut encoder)? {
            self.stages = None;
        }
        let mut pass = encoder.begin_compute_pass(&Default::default());
        let (bound, indices) = (self.crowd.bound(), self.host.index_count());
        let buffers = (&self.arrays, &self.shapes.members);
        self.edits.record(&mut pass, buffers, bound, indices)?;
        self.crowd.optional_mut().record(&mut pass);
        drop(pass);
        self.gpu.queue().submit([encoder.finish()]);
        Ok(())
    }
}
