//! Queries on the device: asynchronous read-backs. What is asked for is copied aside at once and mapped frames later.

use std::collections::VecDeque;
use std::sync::Arc;

use bytemuck::{Pod, Zeroable};
use motes_core::engine::query::{Answer, Nearest, Query, Ray, Reply, Ticket};
use motes_core::glam::Vec4;
use motes_core::{BodyId, ColliderId, ParticleId, Particles};

use super::State;
use super::answers::{Known, Sought};
use super::arrays::{KINDS, POSITIONS, PREDICTED, VELOCITIES, vectors_of_pair};
use super::edits::EditParams;
use super::strains::Strains;
use crate::buffers::{Buffer, Uniforms};
use crate::device::Gpu;
use crate::error::GpuError;
use crate::kernel::Kernel;
use crate::kernels;
use crate::readback::{ReadBack, Ring};

/// `PickParams` in `pick.wgsl`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct PickParams {
    pub(crate) origin: [f32; 3],
    pub(crate) reach: f32,
    pub(crate) direction: [f32; 3],
    pub(crate) radius: f32,
}

impl From<&Ray> for PickParams {
    fn from(ray: &Ray) -> Self {
        Self {
            origin: ray.origin.to_array(),
            reach: ray.reach.min(f32::MAX),
            direction: ray.direction.to_array(),
            radius: ray.radius,
        }
    }
}

impl From<&Nearest> for PickParams {
    fn from(nearest: &Nearest) -> Self {
        Self {
            origin: nearest.point.to_array(),
            reach: nearest.within.min(f32::MAX),
            ..Self::default()
        }
    }
}

const WORKGROUP: u32 = 256;

/// Both numbers of a workgroup that found nothing to pick.
pub(crate) const NO_PICK: u32 = u32::MAX;

/// What was asked and has not been answered.
pub(super) struct Queries {
    gpu: Gpu,
    kernels: Option<QueryKernels>,
    params: Uniforms<EditParams>,
    pick: Uniforms<PickParams>,
    chosen: Buffer<u32>,
    found: Buffer<Vec4>,
    picked: Buffer<[u32; 2]>,
    pub(super) strains: Strains,
    /// Of how many groups the radii follow.
    radii: Buffer<f32>,
    pub(super) ring: Ring,
    asked: VecDeque<Asked>,
    tickets: u64,
}

struct QueryKernels {
    gather: Kernel,
    pick: Kernel,
}

struct Asked {
    ticket: Ticket,
    /// The frame after which it was asked.
    frame: u64,
    submission: Option<wgpu::SubmissionIndex>,
    sought: Sought,
    reply: Reply,
}

impl Queries {
    pub(super) fn new(gpu: &Gpu) -> Result<Self, GpuError> {
        Ok(Self {
            kernels: None,
            params: Uniforms::new(gpu, "query params", 1)?,
            pick: Uniforms::new(gpu, "pick params", 1)?,
            chosen: Buffer::new(gpu, "chosen particles", 64)?,
            found: Buffer::new(gpu, "found particles", 128)?,
            picked: Buffer::new(gpu, "picked particles", 1)?,
            strains: Strains::new(gpu)?,
            radii: Buffer::new(gpu, "radii of groups", 1)?,
            ring: Ring::default(),
            asked: VecDeque::new(),
            tickets: 0,
            gpu: gpu.clone(),
        })
    }

    fn compile(&mut self) -> Result<(), GpuError> {
        if self.kernels.is_none() {
            let kernel = |source| Kernel::new(&self.gpu, source, &[("WORKGROUP", WORKGROUP)]);
            self.kernels = Some(QueryKernels {
                gather: kernel(&kernels::GATHER_PARTICLES)?,
                pick: kernel(&kernels::PICK)?,
            });
        }
        Ok(())
    }
}

impl State {
    /// Asks; what the host knows is answered at once.
    pub(super) fn ask(&mut self, query: Query, reply: Reply) -> Ticket {
        self.queries.tickets += 1;
        let ticket = Ticket(self.queries.tickets);
        match self.answer_at_once(&query) {
            Ok(Some(answer)) => reply(answer),
            Ok(None) => {
                let mut encoder = self.gpu.device().create_command_encoder(&Default::default());
                let sought = self.seek(query, &mut encoder);
                if let Some(sought) = self.note(sought) {
                    let submission = Some(self.gpu.queue().submit([encoder.finish()]));
                    self.queries.asked.push_back(Asked {
                        ticket,
                        frame: self.crowd.frame(),
                        submission,
                        sought,
                        reply,
                    });
                }
            }
            Err(error) => {
                self.note::<()>(Err(error));
            }
        }
        ticket
    }

    /// Hands over the answers that have come, in the order of the questions; those up to `until` are waited for.
    pub(super) fn deliver(&mut self, until: Option<Ticket>) {
        while let Some(mut asked) = self.queries.asked.pop_front() {
            if until.is_some_and(|until| asked.ticket <= until)
                && let Some(submission) = asked.submission.take()
            {
                let waited = self.gpu.wait_for(submission);
                let waited = waited.and_then(|()| self.gpu.wait_for_news(|| asked.sought.has_come()));
                self.note(waited);
            }
            if !asked.sought.has_come() {
                self.queries.asked.push_front(asked);
                return;
            }
            let answer = self.read(asked.sought);
            if let Some(answer) = self.note(answer) {
                (asked.reply)(answer);
            }
        }
    }

    /// Delivers before the index of a particle that somebody asked about can be given to another.
    pub(super) fn deliver_in_time(&mut self) {
        let overdue = (self.crowd.frame() + 2).saturating_sub(Particles::REST as u64);
        let late = self.queries.asked.iter().rev().find(|asked| asked.frame <= overdue);
        let late = late.map(|asked| asked.ticket);
        self.deliver(late);
    }

    /// What needs no device.
    fn answer_at_once(&mut self, query: &Query) -> Result<Option<Answer>, GpuError> {
        let about_particles = match query {
            Query::TriggerOverlaps => return Ok(Some(Answer::TriggerOverlaps(self.read_overlaps()?))),
            Query::Motions(ids) => {
                // The device changes rest shapes of those that yield.
                let plastic = |&id| {
                    let place = self.bodies.place(id);
                    place.is_some_and(|place| self.bodies.list[place].plasticity.is_some())
                };
                let in_step = (self.stale_device || !self.stale_host) && !self.bodies_ahead;
                if !in_step && !ids.iter().any(plastic) && !self.stale_bodies && self.status().is_ok() {
                    self.flush_edits()?;
                    return Ok(None);
                }
                self.download();
                self.download_bodies();
                let motion = |&id| self.bodies.motion(id, &self.host);
                return Ok(Some(Answer::Motions(ids.iter().map(motion).collect())));
            }
            Query::ColliderContacts | Query::ParticleContacts if !self.stepped || self.stale_device => {
                return Ok(Some(Answer::Contacts(Vec::new())));
            }
            Query::ColliderForces if self.stages.is_none() => {
                return Ok(Some(Answer::ColliderForces(Vec::new())));
            }
            Query::Strained if !self.knows_strains() => return Ok(Some(Answer::Strained(Vec::new()))),
            Query::ColliderContacts | Query::ParticleContacts | Query::ColliderForces | Query::Strained => false,
            Query::Particles(_) | Query::Group(_) => {
                // Where those are who were split off is not known before they are born.
                if !self.splits.is_empty() {
                    self.download();
                }
                true
            }
            _ => {
                // Who is about to be born or to die is not on the device, or still.
                if self.crowd.waiting() > 0 || !self.crowd.condemned().is_empty() {
                    self.download();
                }
                true
            }
        };
        if !about_particles {
            return Ok(None);
        }
        if self.stale_device || !self.stale_host || self.status().is_err() {
            Arc::make_mut(&mut self.host).sweep();
            return Ok(self.host.answer(query));
        }
        self.flush_edits()?;
        Ok(None)
    }

    /// Copies what is asked for.
    fn seek(&mut self, query: Query, encoder: &mut wgpu::CommandEncoder) -> Result<Sought, GpuError> {
        let (arrays, bound) = (&self.arrays, self.crowd.bound());
        let count = arrays.census.read_in(0..1, encoder);
        Ok(match query {
            Query::Particles(_) | Query::Group(_) => self.seek_rows(query, encoder)?,
            Query::Motions(ids) => self.seek_motions(&ids, encoder)?,
            Query::Ray(_) | Query::Nearest(_) => self.seek_pick(&query, encoder)?,
            Query::Strained => self.seek_strains(encoder)?,
            Query::ParticleContacts => {
                let set = &arrays.pairs[self.now];
                Sought::Pairs {
                    h: self.sub_step(),
                    ranges: set.ranges.read_in(0..bound.min(set.ranges.capacity()), encoder)?,
                    members: set.members.read_in(0..self.pair_capacity, encoder)?,
                    impulses: set
                        .impulses
                        .read_in(0..vectors_of_pair(self.turning) * self.pair_capacity, encoder)?,
                    of_pair: vectors_of_pair(self.turning),
                    positions: arrays.vectors.read_in(PREDICTED, bound, encoder)?,
                    kinds: arrays.kinds.read_in(KINDS, bound, encoder)?,
                    count: count?,
                }
            }
            Query::ColliderContacts => {
                let (ranges, contacts) = (self.colliders.ranges(), self.colliders.contacts());
                Sought::Contacts {
                    h: self.sub_step(),
                    colliders: self.frame.colliders.iter().map(|frame| frame.id).collect(),
                    ranges: ranges.read_in(0..bound.min(ranges.capacity()), encoder)?,
                    contacts: contacts.read_in(0..contacts.capacity(), encoder)?,
                    kinds: arrays.kinds.read_in(KINDS, bound, encoder)?,
                    count: count?,
                }
            }
            Query::ColliderForces => {
                let colliders: Vec<ColliderId> = self.frame.colliders.iter().map(|frame| frame.id).collect();
                Sought::Forces {
                    dt: self.frame.dt,
                    sums: self.colliders.forces().read_in(0..colliders.len(), encoder)?,
                    colliders,
                }
            }
            query => {
                let whole = query == Query::Everything;
                let moving = if whole { bound } else { 0 };
                let indices = if whole { self.host.index_count() } else { 0 };
                Sought::All {
                    optional: self.crowd.optional().read_in(indices, encoder)?,
                    ledger: whole.then(|| Arc::clone(&self.host)),
                    positions: arrays.vectors.read_in(POSITIONS, bound, encoder)?,
                    velocities: arrays.vectors.read_in(VELOCITIES, moving, encoder)?,
                    kinds: arrays.kinds.read_in(KINDS, bound, encoder)?,
                    count: count?,
                    query,
                }
            }
        })
    }

    /// Copies chosen particles, or those of a group.
    fn seek_rows(&mut self, query: Query, encoder: &mut wgpu::CommandEncoder) -> Result<Sought, GpuError> {
        let host = &self.host;
        let ids: Vec<ParticleId> = match &query {
            Query::Particles(ids) => ids.clone(),
            Query::Group(group) => {
                let mut ids: Vec<_> = host.of_group(*group).filter(|&id| host.slot(id).is_some()).collect();
                ids.sort_unstable();
                ids
            }
            _ => Vec::new(),
        };
        let waiting = host.len() - self.crowd.waiting();
        let known = |id| host.slot(id).map(|slot| (slot >= waiting, host.state(slot)));
        let chosen: Vec<(ParticleId, Option<Known>)> = ids.into_iter().map(|id| (id, known(id))).collect();
        let indices = chosen.iter().map(|(id, known)| known.map_or(u32::MAX, |_| id.index));
        let rows = self.gather(&indices.collect::<Vec<u32>>(), encoder)?;
        Ok(Sought::Rows { query, chosen, rows })
    }

    /// Copies what is needed to tell how bodies move.
    fn seek_motions(&mut self, ids: &[BodyId], encoder: &mut wgpu::CommandEncoder) -> Result<Sought, GpuError> {
        let all = &self.bodies;
        let of = |&id: &BodyId| {
            let place = all.place(id)?;
            let body = all.list[place].clone();
            let rest = all.rest[body.members()].to_vec();
            Some((place, body, rest))
        };
        let bodies: Vec<_> = ids.iter().map(of).collect();
        let members = bodies.iter().flatten().flat_map(|(_, body, _)| body.members());
        let index = |member: usize| {
            let id = all.particles[member];
            self.host.slot(id).map_or(u32::MAX, |_| id.index)
        };
        let indices: Vec<u32> = members.map(index).collect();
        let present = self.shapes.read_rows(encoder)?;
        Ok(Sought::Motions {
            bodies,
            rows: self.gather(&indices, encoder)?,
            present,
        })
    }

    /// Gathers positions and velocities of particles by the indices of their ids.
    fn gather(&mut self, chosen: &[u32], encoder: &mut wgpu::CommandEncoder) -> Result<ReadBack<Vec4>, GpuError> {
        let queries = &mut self.queries;
        queries.compile()?;
        queries.chosen.ensure(chosen.len())?;
        queries.chosen.write(0, chosen);
        queries.found.ensure(2 * chosen.len())?;
        queries.params.write(
            0,
            &EditParams {
                rows: chosen.len() as u32,
                stride: self.arrays.vectors.stride() as u32,
            },
        );
        let (bound, indices) = (self.crowd.bound(), self.host.index_count());
        let mut pass = encoder.begin_compute_pass(&Default::default());
        let slots = self.edits.locate(&mut pass, &self.arrays, bound, indices)?;
        if let Some(kernels) = &queries.kernels {
            let bindings = kernels.gather.bind(
                &self.gpu,
                &[
                    queries.params.binding(0),
                    queries.chosen.binding(),
                    self.arrays.census.binding(),
                    slots.binding(),
                    self.arrays.vectors.binding(),
                    self.arrays.kinds.binding(),
                    queries.found.binding(),
                ],
            );
            kernels.gather.launch(&mut pass, &bindings, chosen.len() as u32);
        }
        drop(pass);
        let source = (queries.found.raw(), 0..2 * chosen.len());
        ReadBack::record_through(&queries.ring, &self.gpu, source, encoder)
    }

    /// Looks for the best candidate of each workgroup.
    fn seek_pick(&mut self, query: &Query, encoder: &mut wgpu::CommandEncoder) -> Result<Sought, GpuError> {
        let params = match query {
            Query::Ray(ray) => PickParams::from(ray),
            Query::Nearest(nearest) => PickParams::from(nearest),
            _ => PickParams::default(),
        };
        let bound = self.crowd.bound();
        let groups = bound.div_ceil(WORKGROUP as usize);
        let queries = &mut self.queries;
        queries.compile()?;
        queries.picked.ensure(groups)?;
        queries.pick.write(0, &params);
        let sized = if let Query::Ray(ray) = query {
            ray.radii.as_slice()
        } else {
            &[]
        };
        let mut radii = vec![sized.len() as f32];
        radii.extend_from_slice(sized);
        queries.radii.ensure(radii.len())?;
        queries.radii.write(0, &radii);
        let mut pass = encoder.begin_compute_pass(&Default::default());
        if let Some(kernels) = &queries.kernels {
            let arrays = &self.arrays;
            let bindings = kernels.pick.bind(
                &self.gpu,
                &[
                    queries.pick.binding(0),
                    arrays.census.binding(),
                    arrays.vectors.part(POSITIONS).binding(),
                    arrays.kinds.part(KINDS).binding(),
                    queries.picked.binding(),
                    queries.radii.binding(),
                ],
            );
            kernels.pick.launch(&mut pass, &bindings, bound as u32);
        }
        drop(pass);
        let source = (queries.picked.raw(), 0..groups);
        let picked = ReadBack::record_through(&queries.ring, &self.gpu, source, encoder)?;
        Ok(Sought::Picked(picked))
    }
}
