//! The step on the GPU: every stage is recorded, a frame is one submit, and nothing is waited for until it is asked for.
//!
//! Particles live on the device in the order of their cells. The host keeps them in an order of its own; positions and
//! velocities come back when somebody looks.

mod arrays;
mod attachment_stages;
mod attachments;
mod bodies;
mod body_stages;
mod cold;
mod fluids;
mod frame;
mod islands;
mod looks;
mod params;
mod population;
mod reports;
mod stages;
mod transfer;
mod volume;

use std::collections::VecDeque;

use motes_core::engine::contacts::ContactMemory;
use motes_core::engine::timings::{Stage, Timings};
use motes_core::engine::{Blowup, ConstraintGroup, Frame, Population};
use motes_core::glam::Vec3;
use motes_core::{Bodies, ColliderForce, Contact, Engine, ParticleId, Particles, TriggerOverlap};

use crate::buffers::{Buffer, Uniforms};
use crate::colliders::Colliders;
use crate::device::Gpu;
use crate::error::GpuError;
use crate::kernel::Variant;
use crate::recorder::{Measure, Recorder};
use crate::scan::{Scan, ScanKernels};
use arrays::Arrays;
#[cfg(test)]
pub(crate) use attachments::Attachment;
use bodies::DeviceBodies;
#[cfg(test)]
pub(crate) use bodies::{Body, Cluster};
use body_stages::BodyStages;
#[cfg(test)]
pub(crate) use fluids::FluidParams;
use fluids::Fluids;
use looks::Look;
#[cfg(test)]
pub(crate) use params::{Field, Iteration, Params};
use population::Crowd;
#[cfg(test)]
pub(crate) use population::PopulationParams;
use reports::Report;
use stages::{Inputs, Stages, StepKernels};
#[cfg(test)]
pub(crate) use volume::Volume;

/// Particles of which there may be a few more without anybody noticing.
const FEW: usize = 1 << 17;

/// Runs the step on a GPU. Several engines may share one device.
pub struct GpuEngine {
    gpu: Gpu,
    kernels: StepKernels,
    arrays: Arrays,
    inputs: Inputs,
    /// Turns the numbers of particles in the cells into places.
    scan: Scan,
    colliders: Colliders,
    crowd: Crowd,
    recorder: Recorder,
    stages: Option<Stages>,
    frame: Frame,
    timings: Timings,
    /// The particles in the order in which they were added, some of them dead on the device already: see `crowd`.
    host: Particles,
    bodies: Bodies,
    shapes: DeviceBodies,
    /// Where there are fluids.
    fluids: Option<Fluids>,
    /// The host's bodies have changed since they were uploaded.
    stale_bodies: bool,
    /// The device's bodies have changed since they were read.
    bodies_ahead: bool,
    /// The host's particles have changed since they were uploaded.
    stale_device: bool,
    /// The device's particles have changed since they were read.
    stale_host: bool,
    /// A frame has been submitted.
    stepped: bool,
    /// Particles have been uploaded for the frame being recorded.
    uploaded: bool,
    /// Who was in which slot of the last sub-step, as far as the host knows.
    slots: Vec<ParticleId>,
    /// Contacts of the last sub-step that the device does not know yet.
    memory: Option<ContactMemory>,
    /// Entries of the table of cells that there is room for, a power of two.
    entry_room: usize,
    /// Particles that launches are made for.
    room: usize,
    pair_capacity: usize,
    /// Pairs to make room for, going by how many there were.
    wanted_pairs: usize,
    /// Pairs of the last frame that was heard of.
    used_pairs: usize,
    /// Particles there were when the room they need was found out last.
    rehearsed: usize,
    /// The contacts that the frame being recorded starts from, if it starts from what the host knows.
    redo: Option<ContactMemory>,
    /// Which set of pairs is the present one.
    now: usize,
    substep: u32,
    iteration: usize,
    /// Overlaps at the start of the sub-step have been undone once.
    stabilized: bool,
    /// Of frames that are under way, in order.
    reports: VecDeque<Report>,
    /// Where groups were when somebody looked.
    look: Option<Look>,
    blowup: Option<Blowup>,
    notice: Option<GpuError>,
    fault: Option<GpuError>,
}

impl GpuEngine {
    /// An engine on an open GPU.
    pub fn new(gpu: &Gpu) -> Result<Self, GpuError> {
        let variant = Variant::best(gpu);
        let mut recorder = Recorder::new(gpu)?;
        recorder.measure(Measure::Nothing);
        Ok(Self {
            kernels: StepKernels::new(gpu, variant, false, false)?,
            arrays: Arrays::new(gpu)?,
            inputs: Inputs {
                params: Uniforms::new(gpu, "params", 1)?,
                iterations: Uniforms::new(gpu, "iterations", 1)?,
                table: Buffer::new(gpu, "materials", 1)?,
                written: Default::default(),
            },
            scan: Scan::new(&ScanKernels::new(gpu, variant)?)?,
            colliders: Colliders::new(gpu)?,
            crowd: Crowd::new(gpu, variant)?,
            recorder,
            stages: None,
            frame: Frame::default(),
            timings: Timings::default(),
            host: Particles::default(),
            bodies: Bodies::default(),
            shapes: DeviceBodies::new(gpu)?,
            fluids: None,
            stale_bodies: false,
            bodies_ahead: false,
            stale_device: true,
            stale_host: false,
            stepped: false,
            uploaded: false,
            slots: Vec::new(),
            memory: None,
            entry_room: 0,
            room: 0,
            pair_capacity: 0,
            wanted_pairs: 0,
            used_pairs: 0,
            rehearsed: 0,
            redo: None,
            now: 0,
            substep: 0,
            iteration: 0,
            stabilized: false,
            reports: VecDeque::new(),
            look: None,
            blowup: None,
            notice: None,
            fault: None,
            gpu: gpu.clone(),
        })
    }

    /// Fails once the device is lost or out of memory.
    pub fn status(&self) -> Result<(), GpuError> {
        match &self.fault {
            Some(fault) => Err(fault.clone()),
            None => self.gpu.check(),
        }
    }

    /// Most particles that fit in the buffers of the device, whatever memory it has: 80 bytes of each lie in one buffer, and
    /// 16 more where there are bodies, and where particles are of several sizes. WebGPU promises buffers of 128 MiB, for
    /// 1.67 million particles, 1.39 million with bodies or sizes, 1.19 million with both; other devices mostly have 2 GiB or
    /// more. A frame with more fails with [`GpuError::TooManyParticles`].
    pub fn most_particles(&self) -> usize {
        arrays::most_particles(&self.gpu, !self.bodies.is_empty(), self.frame.sizes.is_some())
    }

    /// Positions (xyz, metres) and inverse masses (w) on the device, as of the last frame and in the order of slots. For
    /// renderers, which ask for it in each frame, since the engine may have moved to a larger one. How many
    /// there are is the first number of [`Self::count_buffer`]; what follows them in the buffer is something else.
    pub fn position_buffer(&self) -> &Buffer<motes_core::glam::Vec4> {
        self.arrays.vectors.buffer()
    }

    /// How many particles there are on the device, in the first of its numbers.
    pub fn count_buffer(&self) -> &Buffer<u32> {
        &self.arrays.census
    }

    fn note<T>(&mut self, result: Result<T, GpuError>) -> Option<T> {
        match result {
            Ok(value) => Some(value),
            // Nothing is wrong; it can be asked for again.
            Err(GpuError::NotYet) => None,
            Err(error) => {
                let cause = self.gpu.cause_of(error);
                self.fault.get_or_insert(cause);
                None
            }
        }
    }

    /// Records launches of a stage, unless there is nothing to work on.
    fn record(&mut self, stage: Stage, work: impl FnOnce(&Stages, usize, &mut wgpu::ComputePass<'_>)) {
        if let Some(stages) = &self.stages {
            work(stages, self.now, self.recorder.stage(stage.name()));
        }
    }

    /// The same for bodies.
    fn record_bodies(&mut self, stage: Stage, work: impl FnOnce(&BodyStages, usize, &mut wgpu::ComputePass<'_>)) {
        if let Some(bodies) = self.stages.as_ref().and_then(|stages| stages.bodies.as_ref()) {
            work(bodies, self.now, self.recorder.stage(stage.name()));
        }
    }
}

impl Engine for GpuEngine {
    fn name(&self) -> &'static str {
        "gpu"
    }

    fn device(&self) -> String {
        self.gpu.description()
    }

    fn populate(&mut self, population: Population<'_>) {
        if self.fault.is_some() {
            return;
        }
        self.crowd.begin_frame();
        if self.stale_device {
            population.apply(&mut self.host);
            return;
        }
        self.host.begin_frame();
        let overdue = (self.crowd.frame() + 1).saturating_sub(Particles::REST as u64);
        if self.awaits_deaths() {
            let heard = self.hear(overdue);
            self.note(heard);
        }
        if self.host.len() > 2 * self.crowd.bound() + FEW {
            self.host.sweep();
        }
        for &birth in population.births {
            let id = self.host.add(birth);
            self.shapes.reuse(id.index);
        }
        self.stale_host = true;
        self.crowd.plan(&population);
    }

    fn begin_frame(&mut self, frame: Frame) {
        self.blowup = None;
        if self.fault.is_some() {
            self.stages = None;
            return;
        }
        self.frame = frame.clone();
        let taken = self.take_over(&frame);
        if self.note(taken).is_none() {
            self.stages = None;
            self.crowd.cancel(&mut self.host);
        }
    }

    fn begin_substep(&mut self, index: u32, _count: u32) {
        self.substep = index;
        self.iteration = 0;
    }

    fn predict(&mut self, _h: f32) {
        // The other sub-steps begin where the one before them ends.
        if self.substep == 0 {
            self.record(Stage::Predict, |stages, _, pass| stages.predict.encode(pass));
        }
        let substep = self.substep;
        self.record_bodies(Stage::Predict, |bodies, _, pass| bodies.fly(substep, pass));
    }

    fn find_neighbors(&mut self) {
        self.now = 1 - self.now;
        let Some(stages) = &self.stages else {
            return;
        };
        let pass = self.recorder.stage(Stage::FindNeighbors.name());
        self.scan.encode(pass);
        stages.fill_cells.encode(pass);
        stages.reorder.encode(pass);
        if let Some(bodies) = &stages.bodies {
            bodies.turn_fields.encode(pass);
        }
        stages.pairs[self.now].find.encode(pass);
        self.find_fluid_neighbors(Stage::FindFluidNeighbors, self.substep);
    }

    fn find_contacts(&mut self, _h: f32) {
        if self.stages.is_none() {
            return;
        }
        self.find_collider_contacts(self.substep);
        let Some(stages) = &self.stages else {
            return;
        };
        let pass = self.recorder.stage(Stage::FindContacts.name());
        let pairs = &stages.pairs[self.now];
        if let Some(bodies) = &stages.bodies {
            bodies.share(self.now, pass);
        }
        pairs.recall.encode(pass);
        match &stages.bodies {
            Some(bodies) if stages.scaled => bodies.scale_masses[self.now].encode(pass),
            None if stages.scaled => pairs.scale_masses.encode(pass),
            _ => {}
        }
        pairs.begin_solve.encode(pass);
        self.record_bodies(Stage::MatchShapes, |bodies, _, pass| bodies.match_shapes(true, pass));
        self.stabilized = false;
    }

    fn stabilize(&mut self) {
        // The first time is part of `begin_solve`.
        if std::mem::replace(&mut self.stabilized, true) {
            self.record(Stage::Stabilize, |stages, now, pass| {
                stages.pairs[now].push_apart.encode(pass);
                stages.pairs[now].gather_stabilization.encode(pass);
            });
        }
        self.record_bodies(Stage::Stabilize, |bodies, _, pass| bodies.match_starts.encode(pass));
    }

    fn solve(&mut self, group: ConstraintGroup, _h: f32, _momentum: f32) {
        match group {
            ConstraintGroup::ParticleContacts => {
                let iteration = self.iteration;
                self.record(Stage::SolveParticleContacts, |stages, now, pass| {
                    stages.pairs[now].solve[iteration].encode(pass);
                    stages.pairs[now].gather_solve.encode(pass);
                });
                self.iteration += 1;
            }
            // The next group, so `gather_solve` has done it.
            ConstraintGroup::ColliderContacts => {}
            ConstraintGroup::Links => {
                let first = self.iteration == 1;
                self.record_bodies(Stage::SolveLinks, |bodies, _, pass| bodies.solve_links(first, pass));
            }
            ConstraintGroup::Shapes => {
                self.record_bodies(Stage::MatchShapes, |bodies, _, pass| bodies.match_shapes(false, pass));
            }
        }
    }

    fn update_velocities(&mut self, _h: f32) {
        // Where particles do not rebound from each other, `finish` does it.
        if params::rebounds(&self.frame, !self.bodies.is_empty()) {
            self.record(Stage::UpdateVelocities, |stages, now, pass| {
                stages.derive_velocities.encode(pass);
                if let Some(bodies) = &stages.bodies {
                    bodies.derive_velocities.encode(pass);
                }
                stages.pairs[now].rebound.encode(pass);
                stages.pairs[now].rebound_gather.encode(pass);
            });
        }
    }

    fn apply_internal_forces(&mut self, _h: f32) {}

    fn finish(&mut self, _h: f32) {
        let substep = self.substep;
        if self.iteration == 0 && self.stages.is_some() {
            // The first iteration would have done it.
            self.empty_table();
        }
        self.record_bodies(Stage::Finish, |bodies, _, pass| bodies.finish(pass));
        self.record(Stage::Finish, |stages, _, pass| {
            stages.finish[substep as usize].encode(pass);
        });
    }

    fn end_frame(&mut self) {
        if self.stages.is_none() {
            self.recorder.submit();
            self.uploaded = false;
            self.redo = None;
            return;
        }
        self.stale_host = true;
        self.bodies_ahead = !self.bodies.is_empty();
        self.stepped = true;
        if !self.frame.colliders.is_empty() {
            self.colliders.total(self.recorder.stage(Stage::Finish.name()));
        }
        if self.frame.colliders.iter().any(|frame| frame.collider.trigger) {
            let pass = self.recorder.stage(Stage::Finish.name());
            let count = self.crowd.bound() as u32;
            let (positions, kinds) = (self.arrays.vectors.buffer(), self.arrays.kinds.buffer());
            self.colliders.find_overlaps(pass, count, positions, kinds);
        }
        let submitted = self.submit_with_report();
        self.note(submitted);
        if std::mem::take(&mut self.uploaded) {
            // New particles may need more room than there is; the sooner that is known, the fewer frames lack it.
            let heard = self.hear(reports::ALL);
            self.note(heard);
            if matches!(self.notice, Some(GpuError::NoRoom { .. })) && self.fault.is_none() {
                self.do_again();
            }
        }
        self.redo = None;
        let fault = self.gpu.check();
        self.note(fault);
    }

    fn particles(&mut self) -> &Particles {
        self.download();
        &self.host
    }

    fn particles_mut(&mut self) -> &mut Particles {
        self.download();
        self.download_bodies();
        self.stale_device = true;
        &mut self.host
    }

    fn bodies(&mut self) -> &Bodies {
        self.download_bodies();
        &self.bodies
    }

    fn bodies_mut(&mut self) -> &mut Bodies {
        self.download_bodies();
        self.stale_bodies = true;
        &mut self.bodies
    }

    fn body_paths(&mut self) -> &mut Bodies {
        &mut self.bodies
    }

    fn set_stiffness(&mut self, place: usize, whole: f32, clusters: f32) {
        self.bodies.list[place].set_stiffness(whole, clusters);
        if !self.stale_bodies {
            self.shapes.write_stiffness(place, &self.bodies.list[place]);
        }
    }

    fn look(&mut self, groups: Vec<u32>) {
        let look = self.begin_look(groups);
        self.look = self.note(look);
    }

    fn seen(&mut self) -> Vec<(u32, Vec3)> {
        let seen = self.finish_look();
        self.note(seen).unwrap_or_default()
    }

    fn bodies_and_particles(&mut self) -> (&Bodies, &Particles) {
        self.download();
        self.download_bodies();
        (&self.bodies, &self.host)
    }

    fn has_paths(&self) -> bool {
        self.bodies.list.iter().any(|body| body.path.is_some())
    }

    fn collider_contacts(&mut self) -> Vec<Contact> {
        let read = self.read_collider_contacts();
        self.note(read).unwrap_or_default()
    }

    fn particle_contacts(&mut self) -> Vec<Contact> {
        let read = self.read_particle_contacts();
        self.note(read).unwrap_or_default()
    }

    fn contact_memory(&mut self) -> ContactMemory {
        if let Some(memory) = &self.memory {
            return memory.clone();
        }
        let read = self.read_contact_memory();
        self.note(read).unwrap_or_default()
    }

    fn set_contact_memory(&mut self, contacts: ContactMemory) {
        self.download();
        self.download_bodies();
        self.slots.clone_from(&contacts.ids);
        self.memory = Some(contacts);
        self.stale_device = true;
    }

    fn collider_forces(&mut self) -> Vec<ColliderForce> {
        let read = self.read_collider_forces();
        self.note(read).unwrap_or_default()
    }

    fn trigger_overlaps(&mut self) -> Vec<TriggerOverlap> {
        let read = self.read_overlaps();
        self.note(read).unwrap_or_default()
    }

    fn blowup(&mut self) -> Option<Blowup> {
        let heard = self.hear(reports::ALL);
        self.note(heard);
        self.blowup
    }

    fn count(&mut self) -> usize {
        if self.stale_device {
            return self.host.len();
        }
        if self.awaits_deaths() {
            let heard = self.hear(reports::ALL);
            self.note(heard);
        }
        self.crowd.bound()
    }

    fn wait(&mut self) {
        let done = self.gpu.wait();
        self.note(done);
    }

    fn frames_in_flight(&self) -> u32 {
        10
    }

    fn measure_stages(&mut self, measure: bool) {
        self.recorder
            .measure(if measure { Measure::Stages } else { Measure::Nothing });
    }

    fn notice(&mut self) -> Option<String> {
        self.notice.take().map(|notice| notice.to_string())
    }

    fn fault(&self) -> Option<String> {
        self.status().err().map(|fault| fault.to_string())
    }

    fn timings(&mut self) -> &mut Timings {
        if let Some(times) = self.recorder.times() {
            for stage in Stage::ALL {
                let time = times.get(stage.name());
                if !time.is_zero() {
                    self.timings.set(stage, time);
                }
            }
        }
        &mut self.timings
    }

    fn memory_bytes(&self) -> usize {
        let shared = self.arrays.bytes() + self.scan.bytes() + self.shapes.bytes();
        let fluids = self.fluids.as_ref().map_or(0, Fluids::bytes);
        (shared + fluids + self.colliders.bytes() + self.crowd.bytes()) as usize
    }
}
