//! Edits of whole bodies on the device: a row for each, the indices of its members, and one kernel that moves them.

use std::sync::Arc;

use bytemuck::{Pod, Zeroable};
use motes_core::engine::edit::{BodyChange, Edit};
use motes_core::glam::{Quat, Vec3};
use motes_core::{Bodies, Particles};

use super::State;
use super::arrays::Arrays;
use super::edits::EditParams;
use crate::buffers::{Buffer, Uniforms};
use crate::device::Gpu;
use crate::error::GpuError;
use crate::kernel::Kernel;
use crate::kernels;

/// One edit: `BodyRow` in `edit_bodies.wgsl`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct BodyRow {
    pub(crate) value: [f32; 3],
    pub(crate) what: u32,
    pub(crate) other: [f32; 3],
    pub(crate) member: u32,
    pub(crate) rotation: [f32; 4],
    pub(crate) count: u32,
    pub(crate) first: u32,
    pub(crate) members: u32,
    pub(crate) unused: u32,
}

/// Values of `BodyRow::what`; any other sets velocities.
pub(crate) const KICK_BODY: u32 = 0;
pub(crate) const PLACE_BODY: u32 = 1;
pub(crate) const PIN_BODY: u32 = 2;
pub(crate) const RELEASE_BODY: u32 = 3;
const SET_BODY_VELOCITY: u32 = 4;

impl BodyRow {
    fn new(bodies: &Bodies, place: usize, change: &BodyChange) -> Self {
        let body = &bodies.list[place];
        let (what, value, other, rotation) = match *change {
            BodyChange::Kick { impulse, point } => (KICK_BODY, impulse, point, Quat::IDENTITY),
            BodyChange::Velocity {
                velocity,
                angular_velocity,
            } => (SET_BODY_VELOCITY, velocity, angular_velocity, Quat::IDENTITY),
            BodyChange::Pose(pose) => (PLACE_BODY, pose.position, body.origin, pose.rotation),
            BodyChange::Kinematic(Some(_)) => (PIN_BODY, Vec3::ZERO, Vec3::ZERO, Quat::IDENTITY),
            BodyChange::Kinematic(None) => (RELEASE_BODY, Vec3::ZERO, Vec3::ZERO, Quat::IDENTITY),
        };
        Self {
            value: value.to_array(),
            what,
            other: other.to_array(),
            member: body.first,
            rotation: rotation.to_array(),
            count: body.count,
            members: bodies.rest.len() as u32,
            ..Self::default()
        }
    }
}

const WORKGROUP: u32 = 128;

/// Edits of bodies that wait for the next frame.
pub(super) struct BodyEdits {
    gpu: Gpu,
    kernel: Option<Kernel>,
    params: Uniforms<EditParams>,
    rows: Buffer<BodyRow>,
    indices: Buffer<u32>,
    waiting: Vec<BodyRow>,
    /// Of the members of bodies with rows, the indices of their ids.
    waiting_indices: Vec<u32>,
}

impl BodyEdits {
    pub(super) fn new(gpu: &Gpu) -> Result<Self, GpuError> {
        Ok(Self {
            kernel: None,
            params: Uniforms::new(gpu, "body edit params", 1)?,
            rows: Buffer::new(gpu, "edits of bodies", 1)?,
            indices: Buffer::new(gpu, "members of edited bodies", 1)?,
            waiting: Vec::new(),
            waiting_indices: Vec::new(),
            gpu: gpu.clone(),
        })
    }

    pub(super) fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }

    pub(super) fn clear(&mut self) {
        self.waiting.clear();
        self.waiting_indices.clear();
    }

    /// Memory on the device, bytes.
    pub(super) fn bytes(&self) -> u64 {
        self.rows.bytes() + self.indices.bytes()
    }

    fn push(&mut self, bodies: &Bodies, place: usize, change: &BodyChange) {
        let row = BodyRow::new(bodies, place, change);
        let listed = self.waiting.iter().find(|other| other.member == row.member);
        let first = listed.map_or(self.waiting_indices.len() as u32, |other| other.first);
        if listed.is_none() {
            let ids = &bodies.particles[bodies.list[place].members()];
            self.waiting_indices.extend(ids.iter().map(|id| id.index));
        }
        self.waiting.push(BodyRow { first, ..row });
    }

    /// Records the edits that wait, given the slots of particles by index of the id.
    pub(super) fn record(
        &mut self,
        pass: &mut wgpu::ComputePass<'_>,
        arrays: &Arrays,
        slots: &Buffer<u32>,
        members: &Buffer<[u32; 4]>,
    ) -> Result<(), GpuError> {
        // Those of a body side by side, and in their order.
        self.waiting.sort_by_key(|row| row.member);
        self.rows.ensure(self.waiting.len())?;
        self.rows.write(0, &self.waiting);
        self.indices.ensure(self.waiting_indices.len())?;
        self.indices.write(0, &self.waiting_indices);
        let params = EditParams {
            rows: self.waiting.len() as u32,
            stride: arrays.vectors.stride() as u32,
        };
        self.params.write(0, &params);
        let kernel = match &self.kernel {
            Some(kernel) => kernel,
            None => {
                let made = Kernel::new(&self.gpu, &kernels::EDIT_BODIES, &[("WORKGROUP", WORKGROUP)])?;
                self.kernel.insert(made)
            }
        };
        let resources = [
            self.params.binding(0),
            self.rows.binding(),
            self.indices.binding(),
            arrays.census.binding(),
            slots.binding(),
            arrays.vectors.binding(),
            arrays.kinds.binding(),
            members.binding(),
        ];
        kernel.launch_groups(pass, &kernel.bind(&self.gpu, &resources), params.rows);
        self.clear();
        Ok(())
    }
}

/// Carries out an edit of a body where the host knows all; returns what its particles get.
fn change_on_host(bodies: &mut Bodies, particles: &Particles, place: usize, change: &BodyChange) -> Vec<Edit> {
    bodies.note(place, change);
    bodies.edits_of_members(place, change, particles)
}

impl State {
    /// Edits of anything while the host's particles wait to be written as a whole.
    pub(super) fn edit_on_host(&mut self, edits: &[Edit]) -> usize {
        let mut found = 0;
        for edits in edits.chunk_by(|a, b| !a.is_of_body() && !b.is_of_body()) {
            let host = Arc::make_mut(&mut self.host);
            found += match &edits[0] {
                Edit::Body { place, change } => {
                    let bodies = Arc::make_mut(&mut self.bodies);
                    let members = change_on_host(bodies, host, *place, change);
                    host.edit(&members)
                }
                _ => host.edit(edits),
            };
        }
        found
    }

    /// Says how many particles the body has.
    pub(super) fn edit_body(&mut self, place: usize, change: &BodyChange) -> usize {
        // Which attachments are solved together depends on which bodies are kinematic.
        self.stale_islands |= matches!(change, BodyChange::Kinematic(_)) && !self.bodies.attachments.is_empty();
        let known = !self.stale_host && !self.bodies_ahead;
        if known || self.stale_bodies {
            return self.edit_known_body(place, change);
        }
        if !self.edits.is_empty() {
            let flushed = self.flush_edits();
            self.note(flushed);
        }
        let bodies = Arc::make_mut(&mut self.bodies);
        bodies.note(place, change);
        self.shapes.write_change(place, bodies, change);
        self.edits.bodies.push(bodies, place, change);
        self.stale_host = true;
        bodies.list[place].count as usize
    }

    /// The same where the host knows the body's particles, or has to find out.
    fn edit_known_body(&mut self, place: usize, change: &BodyChange) -> usize {
        self.download();
        self.download_bodies();
        let bodies = Arc::make_mut(&mut self.bodies);
        let members = change_on_host(bodies, &self.host, place, change);
        if !self.stale_bodies {
            self.shapes.write_change(place, bodies, change);
        }
        let mut found = 0;
        for edit in members {
            if let Edit::Particle(id, change) = edit {
                found += self.edit_particle(id, &change);
            }
        }
        found
    }
}
