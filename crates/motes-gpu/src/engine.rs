//! The step on the GPU: every stage is recorded, a frame is one submit, and nothing is waited for until it is asked for.
//!
//! Particles live on the device in the order of their cells. The host keeps them in an order of its own; positions and
//! velocities come back when somebody looks.

mod arrays;
mod params;
mod stages;
mod transfer;

use motes_core::contacts::ContactMemory;
use motes_core::engine::{Blowup, ConstraintGroup, Frame};
use motes_core::timings::{Stage, Timings};
use motes_core::{ColliderForce, Contact, Engine, ParticleId, Particles, TriggerOverlap};

use crate::buffers::{Buffer, Uniforms};
use crate::colliders::{Colliders, ParticleBuffers};
use crate::device::Gpu;
use crate::error::GpuError;
use crate::kernel::Variant;
use crate::readback::ReadBack;
use crate::recorder::Recorder;
use crate::scan::{Scan, ScanKernels};
use arrays::Arrays;
use params::CellTable;
pub(crate) use params::{Field, Iteration, Params};
use stages::{Inputs, Stages, StepKernels};

/// Pairs there is room for at first, per particle: settled sand has a little over three.
const PAIRS_PER_PARTICLE: usize = 4;
/// The same where it costs nothing: grains that are driven into each other have many more.
const MANY_PAIRS: usize = 64;
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
    recorder: Recorder,
    stages: Option<Stages>,
    frame: Frame,
    timings: Timings,
    /// The particles in the host's order.
    host: Particles,
    /// The host's particles have changed since they were uploaded.
    stale_device: bool,
    /// The device's particles have changed since they were read.
    stale_host: bool,
    has_lifetimes: bool,
    /// Particles have been uploaded for the frame being recorded.
    uploaded: bool,
    /// Who was in which slot of the last sub-step, as far as the host knows.
    slots: Vec<ParticleId>,
    /// Contacts of the last sub-step that the device does not know yet.
    memory: Option<ContactMemory>,
    table: CellTable,
    pair_capacity: usize,
    /// Pairs to make room for, going by how many there were.
    wanted_pairs: usize,
    /// Particles there were when the room they need was found out last.
    rehearsed: usize,
    /// Which set of pairs is the present one.
    now: usize,
    substep: u32,
    iteration: usize,
    pending: Option<Pending>,
    blowup: Option<Blowup>,
    notice: Option<GpuError>,
    fault: Option<GpuError>,
}

/// What a frame tells when it is done.
struct Pending {
    counters: ReadBack<u32>,
    blowups: ReadBack<u32>,
    contacts: ReadBack<u32>,
}

impl Pending {
    fn record(arrays: &Arrays, colliders: &Colliders, encoder: &mut wgpu::CommandEncoder) -> Result<Self, GpuError> {
        let contacts = colliders.counters();
        Ok(Self {
            counters: arrays.owners.read_in(0..4, encoder)?,
            blowups: arrays.blowups.read_in(0..2, encoder)?,
            contacts: contacts.read_in(0..contacts.capacity(), encoder)?,
        })
    }
}

impl GpuEngine {
    /// An engine on an open GPU.
    pub fn new(gpu: &Gpu) -> Result<Self, GpuError> {
        let variant = Variant::best(gpu);
        Ok(Self {
            kernels: StepKernels::new(gpu, variant)?,
            arrays: Arrays::new(gpu)?,
            inputs: Inputs {
                params: Uniforms::new(gpu, "params", 1)?,
                iterations: Uniforms::new(gpu, "iterations", 1)?,
                table: Buffer::new(gpu, "materials", 1)?,
                fields: Buffer::new(gpu, "fields", 1)?,
                written: Default::default(),
            },
            scan: Scan::new(&ScanKernels::new(gpu, variant)?)?,
            colliders: Colliders::new(gpu)?,
            recorder: Recorder::new(gpu)?,
            stages: None,
            frame: Frame::default(),
            timings: Timings::default(),
            host: Particles::default(),
            stale_device: true,
            stale_host: false,
            has_lifetimes: false,
            uploaded: false,
            slots: Vec::new(),
            memory: None,
            table: CellTable::new(&[], 1.0),
            pair_capacity: 0,
            wanted_pairs: 0,
            rehearsed: 0,
            now: 0,
            substep: 0,
            iteration: 0,
            pending: None,
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

    /// Positions (xyz, metres) and inverse masses (w) on the device, in the order of slots; for renderers.
    pub fn position_buffer(&self) -> &Buffer<motes_core::glam::Vec4> {
        &self.arrays.positions
    }

    fn note<T>(&mut self, result: Result<T, GpuError>) -> Option<T> {
        match result {
            Ok(value) => Some(value),
            Err(error) => {
                self.fault.get_or_insert(error);
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

    fn take_over(&mut self, frame: &Frame) -> Result<(), GpuError> {
        self.hear(false)?;
        self.make_room(frame)?;
        self.upload();
        let (count, settings) = (self.host.len(), &frame.settings);
        let params = Params::new(frame, count, self.table, self.pair_capacity);
        self.inputs.params.write(0, &params);
        let iterations = settings.iterations as usize;
        let mut replaced = false;
        if self.inputs.iterations.slots() < iterations {
            self.inputs.iterations = Uniforms::new(&self.gpu, "iterations", iterations)?;
            replaced = true;
        }
        for iteration in 0..settings.iterations {
            self.inputs
                .iterations
                .write(iteration as usize, &Iteration::new(settings, iteration));
        }
        let table = params::table(frame);
        let fields: Vec<Field> = frame.fields.iter().map(Field::from).collect();
        replaced |= self.inputs.table.ensure(table.len())?;
        replaced |= self.inputs.fields.ensure(fields.len())?;
        self.inputs.write(table, fields);
        self.arrays.blowups.write(0, &[0, u32::MAX]);
        replaced |= self.colliders.begin_frame(frame, settings.substeps, count)?;
        if replaced {
            self.stages = None;
        }
        if count > 0 && self.stages.is_none() {
            self.scan.prepare(&self.arrays.cells, params.entries as usize)?;
            self.stages = Some(Stages::new(
                &self.gpu,
                &self.kernels,
                &self.arrays,
                &self.inputs,
                &self.colliders,
                (count, self.pair_capacity),
            ));
        }
        if self.uploaded && count > self.rehearsed + self.rehearsed / 8 {
            self.rehearsed = count;
            self.rehearse()?;
            return self.take_over(frame);
        }
        Ok(())
    }

    /// Looks for neighbours and contacts before the first frame with many new particles, only to find out how much room
    /// they need.
    fn rehearse(&mut self) -> Result<(), GpuError> {
        let Some(stages) = &self.stages else {
            return Ok(());
        };
        let pass = self.recorder.stage(Stage::Population.name());
        stages.predict.encode(pass);
        self.scan.encode(pass);
        stages.fill_cells.encode(pass);
        stages.reorder.encode(pass);
        // Not where the contacts of the last sub-step are.
        stages.pairs[1 - self.now].find.encode(pass);
        self.find_collider_contacts(0);
        let encoder = self.recorder.encoder();
        self.pending = Some(Pending::record(&self.arrays, &self.colliders, encoder)?);
        self.recorder.submit();
        self.hear(true)?;
        self.notice = None;
        self.stale_device = true;
        Ok(())
    }

    fn find_collider_contacts(&mut self, substep: u32) {
        let pass = self.recorder.stage(Stage::FindContacts.name());
        let particles = ParticleBuffers {
            count: self.host.len() as u32,
            positions: &self.arrays.starts,
            predicted: &self.arrays.predicted,
            kinds: &self.arrays.sorted_kinds,
        };
        self.colliders.find(pass, substep, &particles);
    }

    /// Grows the arrays to what the frame needs.
    fn make_room(&mut self, frame: &Frame) -> Result<(), GpuError> {
        let count = self.host.len();
        let known = self.memory.as_ref().map_or(0, |memory| memory.others.len());
        let usual = (PAIRS_PER_PARTICLE * count).max((MANY_PAIRS * count).min(FEW));
        let pairs = self.wanted_pairs.max(usual).max(known).max(1);
        let scaled = frame.settings.mass_scaling > 0.0;
        if self.stale_device {
            self.table = CellTable::new(&self.host.positions, params::inverse_cell(&frame.settings));
            self.stages = None;
        }
        let entries = self.table.entries();
        let roomy = count <= self.arrays.positions.capacity()
            && arrays::cell_words(entries, count) <= self.arrays.cells.capacity();
        if !roomy {
            self.retreat();
            self.arrays.ensure(count, entries, pairs, scaled)?;
            self.pair_capacity = pairs;
        } else if pairs > self.pair_capacity || (scaled && self.arrays.shares.capacity() <= pairs) {
            // When that is noticed depends on the device, so it must not make a difference to the particles.
            self.arrays.ensure_pairs(&self.gpu, pairs, scaled, self.now)?;
            self.pair_capacity = pairs;
            self.stages = None;
        }
        Ok(())
    }

    /// Takes in what the last frame had to tell, if it has come or if it is worth waiting for.
    fn hear(&mut self, wait: bool) -> Result<(), GpuError> {
        let Some(mut pending) = self.pending.take() else {
            return Ok(());
        };
        if wait {
            self.gpu.wait()?;
        }
        let Some(contacts) = pending.contacts.try_take() else {
            self.pending = Some(pending);
            return Ok(());
        };
        // Asked for in one submit, they come together.
        let (Some(counters), Some(blowups)) = (pending.counters.try_take(), pending.blowups.try_take()) else {
            return Ok(());
        };
        let (counters, blowups, contacts) = (counters?, blowups?, contacts?);
        let generation = self.colliders.contacts().generation();
        let lost = self.colliders.learn(&contacts)?;
        if self.colliders.contacts().generation() != generation {
            self.stages = None;
        }
        if lost > 0 {
            self.notice = Some(GpuError::NoRoom {
                what: "contacts with colliders",
                dropped: lost.min(u64::from(u32::MAX)) as u32,
            });
        }
        let used = counters[0].max(counters[1]) as usize;
        if used > self.pair_capacity - self.pair_capacity / 16 {
            self.wanted_pairs = used + used / 8;
        }
        if counters[2] > 0 {
            self.notice = Some(GpuError::NoRoom {
                what: "contacts between particles",
                dropped: counters[2],
            });
        }
        self.blowup = self.describe_blowup(&blowups);
        Ok(())
    }

    /// Takes everything off the device: larger memory starts empty.
    fn retreat(&mut self) {
        let memory = self.contact_memory();
        self.download();
        self.memory = Some(memory);
        self.stale_device = true;
        self.stages = None;
    }

    fn describe_blowup(&mut self, blowups: &[u32]) -> Option<Blowup> {
        let (&count, &slot) = (blowups.first()?, blowups.get(1)?);
        if count == 0 {
            return None;
        }
        self.download();
        let particle = *self.slots.get(slot as usize)?;
        let group = self.host.phases[self.host.slot(particle)?].group();
        Some(Blowup {
            particle,
            group,
            count: count as usize,
        })
    }
}

impl Engine for GpuEngine {
    fn name(&self) -> &'static str {
        "gpu"
    }

    fn device(&self) -> String {
        self.gpu.description()
    }

    fn begin_frame(&mut self, frame: Frame) {
        self.blowup = None;
        self.frame = frame.clone();
        let taken = self.take_over(&frame);
        if self.note(taken).is_none() {
            self.stages = None;
        }
    }

    fn begin_substep(&mut self, index: u32, _count: u32) {
        self.substep = index;
        self.iteration = 0;
    }

    fn predict(&mut self, _h: f32) {
        self.record(Stage::Predict, |stages, _, pass| stages.predict.encode(pass));
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
        stages.pairs[self.now].find.encode(pass);
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
        pairs.recall.encode(pass);
        if self.frame.settings.mass_scaling > 0.0 {
            pairs.scale_masses.encode(pass);
        }
        pairs.gather_first.encode(pass);
    }

    fn stabilize(&mut self) {
        self.record(Stage::Stabilize, |stages, now, pass| {
            stages.pairs[now].push_apart.encode(pass);
            stages.pairs[now].gather_stabilization.encode(pass);
        });
    }

    fn solve(&mut self, group: ConstraintGroup, _h: f32, _momentum: f32) {
        match group {
            ConstraintGroup::ParticleContacts => {
                let (iteration, scaled) = (self.iteration, self.frame.settings.mass_scaling > 0.0);
                self.record(Stage::SolveParticleContacts, |stages, now, pass| {
                    stages.pairs[now].solve[iteration].encode(pass);
                    if scaled {
                        stages.pairs[now].gather.encode(pass);
                    } else {
                        // Contacts with colliders are next, and a launch less is time saved.
                        stages.pairs[now].gather_solve.encode(pass);
                    }
                });
                self.iteration += 1;
            }
            ConstraintGroup::ColliderContacts => {
                if self.frame.settings.mass_scaling > 0.0 {
                    self.record(Stage::SolveColliderContacts, |stages, _, pass| {
                        stages.solve_colliders.encode(pass);
                    });
                }
            }
        }
    }

    fn update_velocities(&mut self, _h: f32) {
        let settings = &self.frame.settings;
        let rebounds = settings.friction == motes_core::FrictionModel::Velocity || self.frame.materials.pairs_rebound();
        self.record(Stage::UpdateVelocities, |stages, now, pass| {
            if rebounds {
                stages.derive_velocities.encode(pass);
                stages.pairs[now].rebound.encode(pass);
                stages.pairs[now].rebound_gather.encode(pass);
                stages.rebound_colliders.encode(pass);
            } else {
                stages.update_velocities.encode(pass);
            }
        });
    }

    fn apply_internal_forces(&mut self, _h: f32) {}

    fn finish(&mut self, _h: f32) {
        self.record(Stage::Finish, |stages, _, pass| stages.finish.encode(pass));
        if self.stages.is_some() && !self.frame.colliders.is_empty() {
            let pass = self.recorder.stage(Stage::Finish.name());
            self.colliders.sum(pass, self.substep, self.host.len() as u32);
        }
    }

    fn end_frame(&mut self) {
        if self.stages.is_none() {
            return;
        }
        self.stale_host = true;
        if self.frame.colliders.iter().any(|frame| frame.collider.trigger) {
            let pass = self.recorder.stage(Stage::Finish.name());
            let count = self.host.len() as u32;
            let (positions, kinds) = (&self.arrays.positions, &self.arrays.kinds);
            self.colliders.find_overlaps(pass, count, positions, kinds);
        }
        let encoder = self.recorder.encoder();
        let pending = Pending::record(&self.arrays, &self.colliders, encoder);
        self.recorder.submit();
        self.pending = self.note(pending);
        if self.uploaded {
            // New particles may need more room than there is; the sooner that is known, the fewer frames lack it.
            self.uploaded = false;
            let heard = self.hear(true);
            self.note(heard);
        }
        let fault = self.gpu.check();
        self.note(fault);
    }

    fn particles(&mut self) -> &Particles {
        self.download();
        &self.host
    }

    fn particles_mut(&mut self) -> &mut Particles {
        self.download();
        self.stale_device = true;
        &mut self.host
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
        let heard = self.hear(true);
        self.note(heard);
        self.blowup
    }

    fn count(&self) -> usize {
        self.host.len()
    }

    fn has_lifetimes(&mut self) -> bool {
        if self.stale_device {
            self.has_lifetimes = self.host.lifetimes.iter().any(|left| left.is_finite());
        }
        self.has_lifetimes
    }

    fn wait(&mut self) {
        let done = self.gpu.wait();
        self.note(done);
    }

    fn frames_in_flight(&self) -> u32 {
        10
    }

    fn measure_stages(&mut self, measure: bool) {
        self.recorder.measure_stages(measure);
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
        (self.arrays.bytes() + self.scan.bytes() + self.colliders.bytes()) as usize
    }
}
