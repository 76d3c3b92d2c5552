//! Passive particles on the device: two sets of arrays, between which the living are compacted when some may have died.
//! 40 bytes each, 8 more where there are many, and 40 more once any can die.

mod foam;
mod order;
mod stages;
mod stops;
mod transfer;

use std::sync::Arc;

use bytemuck::{Pod, Zeroable};
use motes_core::engine::timings::Stage;
use motes_core::engine::{Frame, Population};
use motes_core::glam::Vec4;
use motes_core::{PassiveKind, PassiveParticles, PassiveParts, Strays};

use super::State;
use super::faces::Air;
use super::features::Features;
use super::gas;
use super::volume::Volume;
use crate::buffers::{Buffer, Uniforms, bytes_of};
use crate::device::Gpu;
use crate::error::GpuError;
use crate::recorder::Recorder;
use foam::DeviceFoam;
pub(crate) use foam::FoamParams;
use order::PassiveOrder;
use stages::{Advected, Bound, Counting, PassiveStages};

/// `PassiveParams` in `lib/passive.wgsl`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct PassiveParams {
    pub(crate) dt: f32,
    pub(crate) decay: f32,
    pub(crate) smoothing: f32,
    pub(crate) cells: f32,
    pub(crate) room: u32,
    pub(crate) births: u32,
    pub(crate) volumes: u32,
    pub(crate) counter: u32,
    pub(crate) carriers: u32,
    pub(crate) most: u32,
    pub(crate) first: u32,
    pub(crate) strays: u32,
}

/// Positions with ages, velocities with lifetimes, kinds with temperatures.
struct PassiveArrays {
    positions: Buffer<Vec4>,
    velocities: Buffer<Vec4>,
    kinds: Buffer<[u32; 2]>,
}

impl PassiveArrays {
    fn new(gpu: &Gpu, room: usize) -> Result<Self, GpuError> {
        Ok(Self {
            positions: Buffer::new(gpu, "passive positions", room)?,
            velocities: Buffer::new(gpu, "passive velocities", room)?,
            kinds: Buffer::new(gpu, "passive kinds", room)?,
        })
    }

    fn bytes(&self) -> u64 {
        self.positions.bytes() + self.velocities.bytes() + self.kinds.bytes()
    }

    /// Makes room that is kept from frame to frame.
    fn ensure_keeping(&mut self, room: usize, encoder: &mut wgpu::CommandEncoder) -> Result<(), GpuError> {
        self.positions.ensure_keeping(room, encoder)?;
        self.velocities.ensure_keeping(room, encoder)?;
        self.kinds.ensure_keeping(room, encoder)?;
        Ok(())
    }

    fn ensure(&mut self, room: usize) -> Result<(), GpuError> {
        self.positions.ensure_exactly(room)?;
        self.velocities.ensure_exactly(room)?;
        self.kinds.ensure_exactly(room)?;
        Ok(())
    }

    fn copy(&self, to: &Self, count: usize, encoder: &mut wgpu::CommandEncoder) {
        for (from, to) in [(&self.positions, &to.positions), (&self.velocities, &to.velocities)] {
            encoder.copy_buffer_to_buffer(from.raw(), 0, to.raw(), 0, bytes_of::<Vec4>(count));
        }
        encoder.copy_buffer_to_buffer(self.kinds.raw(), 0, to.kinds.raw(), 0, bytes_of::<[u32; 2]>(count));
    }
}

/// The passive particles of a world, and what the host knows of them.
pub(super) struct DevicePassive {
    gpu: Gpu,
    /// Of a frame, and of what comes before those are added that plumes give off.
    params: Uniforms<PassiveParams>,
    sets: [PassiveArrays; 2],
    /// Which set is the present one.
    now: usize,
    /// How many there are, at `counter`; the other number of two is what it was before the last births; then how many of foam found no room so far, and how many of smoke.
    counts: Buffer<u32>,
    counter: usize,
    /// 1 for those who live on, then their places; then what it takes to put them in order.
    places: Buffer<u32>,
    order: PassiveOrder,
    born: Buffer<[Vec4; 3]>,
    volumes: Buffer<Volume>,
    stages: Option<PassiveStages>,
    /// Those of the device and those who wait, unless the device is `ahead`.
    host: Arc<PassiveParticles>,
    /// Added since the last frame, and not on the device.
    waiting: Vec<PassiveParts>,
    /// The device's have changed since they were read.
    ahead: bool,
    /// The host's take the place of the device's with the next frame.
    stale: bool,
    /// Most that there can be on the device.
    bound: usize,
    /// Some may have died since `bound` was exact.
    reaped: bool,
    /// Some have a limited lifetime.
    mortal: bool,
    /// Added on the device since all were written.
    added: usize,
    /// How many there were, on its way to the host, and how many had been added by then.
    counting: Option<Asked>,
    foam: Option<DeviceFoam>,
    /// How many of foam and of smoke found no room, as far as was heard, and how many were told of.
    refused: [u32; 2],
    refused_before: [u32; 2],
    /// There may be others than markers of the user's, which colliders stop.
    stoppable: bool,
    /// In each sub-step of a frame.
    stops: Vec<Bound>,
    foam_params: Uniforms<FoamParams>,
    air: Uniforms<Air>,
    /// What the frame to come begins with.
    plan: Option<Plan>,
    /// As they were when a frame began that may be done again.
    kept: Option<Kept>,
}

/// A question how many there are: how many had been added by then, and which number tells.
struct Asked {
    added: usize,
    counter: usize,
    counting: Counting,
}

/// What a frame began with.
struct Kept {
    arrays: PassiveArrays,
    counts: Buffer<u32>,
    counter: usize,
}

/// A bit for markers of smoke that fly, beside their kind.
pub(crate) const FLEW: u32 = 1 << 8;

/// Numbers in `DevicePassive::counts`.
const COUNTS: usize = 4;

/// Who dies before a frame, and who is given off by plumes up to how many there are.
struct Plan {
    dt: f32,
    volumes: Vec<Volume>,
    markers: Vec<PassiveParts>,
    most: u32,
}

impl DevicePassive {
    pub(super) fn new(gpu: &Gpu) -> Result<Self, GpuError> {
        Ok(Self {
            params: Uniforms::new(gpu, "passive params", 2)?,
            sets: [PassiveArrays::new(gpu, 1)?, PassiveArrays::new(gpu, 1)?],
            now: 0,
            counts: Buffer::new(gpu, "passive counts", COUNTS)?,
            counter: 0,
            places: Buffer::new(gpu, "places of living passive particles", 1)?,
            order: PassiveOrder::new(gpu)?,
            born: Buffer::new(gpu, "passive births", 1)?,
            volumes: Buffer::new(gpu, "passive kill volumes", 1)?,
            stages: None,
            host: Arc::default(),
            waiting: Vec::new(),
            ahead: false,
            stale: false,
            bound: 0,
            reaped: false,
            mortal: false,
            added: 0,
            counting: None,
            foam: None,
            refused: [0; 2],
            refused_before: [0; 2],
            stoppable: false,
            stops: Vec::new(),
            foam_params: Uniforms::new(gpu, "foam params", 1)?,
            air: Uniforms::new(gpu, "air about passive particles", 1)?,
            plan: None,
            kept: None,
            gpu: gpu.clone(),
        })
    }

    /// Whether there are certainly none.
    pub(super) fn is_empty(&self) -> bool {
        let planned = self.plan.as_ref().map_or(0, |plan| plan.markers.len());
        let known = if self.stale {
            self.host.len()
        } else {
            self.bound + self.waiting.len()
        };
        planned + known == 0
    }

    /// Memory on the device, bytes.
    pub(super) fn bytes(&self) -> u64 {
        let sets = self.sets.iter().map(PassiveArrays::bytes).sum::<u64>();
        let foam = self.foam.as_ref().map_or(0, DeviceFoam::bytes);
        let packed = self.stages.as_ref().map_or(0, PassiveStages::bytes);
        packed + sets + self.places.bytes() + self.order.bytes() + self.born.bytes() + foam
    }

    /// Those at present, and those who live on.
    fn sets(&self) -> (&PassiveArrays, &PassiveArrays) {
        (&self.sets[self.now], &self.sets[1 - self.now])
    }

    /// Where they are, for renderers.
    pub(super) fn position_buffer(&self) -> &Buffer<Vec4> {
        &self.sets[self.now].positions
    }

    /// Which number of a buffer says how many there are.
    pub(super) fn count_buffer(&self) -> (&Buffer<u32>, usize) {
        (&self.counts, self.counter)
    }

    pub(super) fn add(&mut self, new: &[PassiveParts]) {
        // More than there are go up with them, without a detour.
        self.stale |= !self.ahead && self.host.len() < new.len();
        if self.stale {
            self.waiting.clear();
        } else {
            self.waiting.extend_from_slice(new);
        }
        if !self.ahead {
            Arc::make_mut(&mut self.host).add(new);
        }
    }

    pub(super) fn load(&mut self, passive: PassiveParticles) {
        self.host = Arc::new(passive);
        self.waiting.clear();
        (self.ahead, self.stale) = (false, true);
    }

    /// The host's, to change, which take the place of the device's.
    pub(super) fn host_mut(&mut self) -> &mut PassiveParticles {
        self.waiting.clear();
        self.stale = true;
        Arc::make_mut(&mut self.host)
    }

    pub(super) fn plan(&mut self, population: &Population<'_>) {
        self.plan = Some(Plan {
            dt: population.dt,
            volumes: population.kill_volumes.iter().map(Volume::from).collect(),
            markers: population.markers.to_vec(),
            most: population.most_markers,
        });
    }

    /// Makes everything ready for a frame and records who dies and who is added.
    fn take_over(&mut self, frame: &Frame, solids: bool, alone: bool, recorder: &mut Recorder) -> Result<(), GpuError> {
        self.hear()?;
        if self.stale {
            self.upload()?;
        }
        if self.is_empty() && frame.foam.is_none() {
            return Ok(());
        }
        let (plan, mut new) = (self.plan.take(), std::mem::take(&mut self.waiting));
        let births = new.len();
        let most = plan.as_ref().map_or(0, |plan| plan.most);
        new.extend(plan.iter().flat_map(|plan| &plan.markers));
        let given_off = new.len() - births;
        self.mortal |= new.iter().any(|new| new.velocity.w < f32::MAX);
        self.stoppable |= frame.foam.is_some() || new.iter().any(|new| new.kind != PassiveKind::Marker);
        let reaps = plan
            .as_ref()
            .is_some_and(|plan| self.mortal || !plan.volumes.is_empty());
        if !new.is_empty() {
            self.sets[self.now].ensure_keeping(self.bound + new.len(), recorder.encoder())?;
            self.born.ensure(new.len())?;
            self.born.write(0, &new.iter().map(born).collect::<Vec<_>>());
            let all = self.bound + births;
            self.bound = all.max((all + given_off).min(most as usize));
            self.added += new.len();
        }
        if births > 0 {
            self.counter = 1 - self.counter;
        }
        let early = self.counter;
        if given_off > 0 {
            self.counter = 1 - self.counter;
        }
        if let Some(foam) = &frame.foam {
            // Only the device knows how many there will be.
            self.bound = self.bound.max(foam.most as usize).max(1);
            self.sets[self.now].ensure_keeping(self.bound, recorder.encoder())?;
            (self.mortal, self.reaped) = (true, true);
        }
        let reaps = reaps || (frame.foam.is_some() && plan.is_some());
        if reaps || !new.is_empty() || frame.foam.is_some() {
            self.order.forget();
        }
        let room = self.sets[self.now].positions.capacity();
        let volumes = plan.as_ref().map_or(&[][..], |plan| &plan.volumes);
        if reaps {
            self.sets[1 - self.now].ensure(room)?;
            self.places.ensure_exactly(room + 1)?;
            self.volumes.ensure(volumes.len())?;
            self.volumes.write(0, volumes);
        }
        let settings = &frame.settings;
        let h = frame.dt / settings.substeps.max(1) as f32;
        let params = PassiveParams {
            dt: plan.as_ref().map_or(0.0, |plan| plan.dt),
            decay: (-settings.passive_drag * h).exp(),
            smoothing: settings.smoothing_radius,
            cells: settings.smoothing_radius / settings.cell_width(frame.fluids, solids),
            room: room as u32,
            births: given_off as u32,
            volumes: volumes.len() as u32,
            counter: self.counter as u32,
            carriers: if alone { 0 } else { carriers_of(frame) },
            most,
            first: births as u32,
            strays: u32::from(frame.smoke.is_some_and(|smoke| smoke.strays == Strays::Wind)),
        };
        let before = PassiveParams {
            births: births as u32,
            counter: early as u32,
            most: u32::MAX,
            first: 0,
            ..params
        };
        self.params.write(0, &params);
        self.params.write(1, &before);
        let mut stages = match self.stages.take() {
            Some(stages) => stages,
            None => PassiveStages::new(&self.gpu)?,
        };
        if births > 0 {
            stages.append(self, (births, 1), recorder);
        }
        if reaps {
            stages.reap(self, room, recorder)?;
            self.now = 1 - self.now;
            self.reaped = true;
        }
        if given_off > 0 {
            stages.append(self, (given_off, 0), recorder);
        }
        self.stages = Some(stages);
        Ok(())
    }
}

impl State {
    /// Takes over passive particles for a frame, where there are any.
    pub(super) fn take_over_passive(&mut self, frame: &Frame) -> Result<(), GpuError> {
        let alone = self.stages.is_none();
        let is_warm = self.is_warm(frame);
        let solids = self.bodies.are_inscribed();
        self.passive.take_over(frame, solids, alone, &mut self.recorder)?;
        self.passive.kept = None;
        if self.redo.is_some() && !self.passive.is_empty() {
            let arrays = PassiveArrays::new(&self.gpu, self.passive.bound)?;
            let counts = Buffer::new(&self.gpu, "passive counts kept", COUNTS)?;
            let (present, _) = self.passive.sets();
            let encoder = self.recorder.encoder();
            present.copy(&arrays, self.passive.bound, encoder);
            copy_counts(&self.passive.counts, &counts, encoder);
            let counter = self.passive.counter;
            self.passive.kept = Some(Kept {
                arrays,
                counts,
                counter,
            });
        }
        if !self.passive.is_empty() {
            let foam = FoamParams::new(frame, self.room, self.passive.counter);
            self.passive.foam_params.write(0, &foam);
            self.passive.air.write(0, &Air::new(&frame.air));
        }
        self.prepare_foam(frame)?;
        self.passive.stops = self.passive_stops(frame)?;
        let ordered = !alone
            && self
                .passive
                .prepare_order(&self.inputs, self.entry_room, &mut self.recorder)?;
        if let Some(stages) = &mut self.passive.stages {
            let advected = Advected {
                frame: (self.inputs.params.binding(0), &self.passive.params),
                particles: &self.arrays,
                counts: &self.passive.counts,
                set: &self.passive.sets[self.passive.now],
                foam: &self.passive.foam_params,
                air: &self.passive.air,
                seen: self.gas.seen(),
                order: ordered.then(|| self.passive.order.binding()),
                counts_at_most: [self.passive.bound, self.room],
            };
            stages.bind_advection(advected, frame, is_warm)?;
        }
        Ok(())
    }

    /// Records line 25.
    pub(super) fn advect_passive(&mut self) {
        if self.fault.is_some() {
            return;
        }
        let is_last = self.substep + 1 == self.frame.settings.substeps;
        if !self.passive.is_empty() {
            self.move_passive(is_last);
        }
        if is_last && gas::leaves(&self.frame) {
            self.record(Stage::AdvectDiffuse, |stages, _, pass| {
                stages.gas.iter().for_each(|gas| gas.note_lonely(pass));
            });
        }
    }

    fn move_passive(&mut self, is_last: bool) {
        self.record(Stage::AdvectDiffuse, |stages, _, pass| {
            // Liquids have asked for it before.
            let asked = stages.features.has(Features::FLUIDS);
            stages
                .rebound_colliders
                .iter()
                .filter(|_| !asked)
                .for_each(|launch| launch.encode(pass));
        });
        if self.substep == 0 {
            self.passive.put_in_order(&mut self.recorder);
        }
        if let Some(stages) = &self.passive.stages {
            let pass = self.recorder.stage(Stage::AdvectDiffuse.name());
            stages.advect(self.passive.bound, self.room, is_last, pass);
        }
        self.stop_passive();
        self.give_off_foam();
    }

    /// Asks how many are left after the frame being recorded, where the host does not know.
    pub(super) fn end_passive(&mut self) -> Result<(), GpuError> {
        let passive = &mut self.passive;
        // Also when the last of them has died: the host's are then those of some frames ago.
        passive.ahead |= !passive.is_empty();
        if passive.ahead && passive.reaped && passive.counting.is_none() {
            let source = (passive.counts.raw(), 0..COUNTS);
            if let Some(stages) = &passive.stages {
                passive.counting = Some(Asked {
                    added: passive.added,
                    counter: passive.counter,
                    counting: stages.request_count(source, self.recorder.encoder())?,
                });
            }
        }
        Ok(())
    }

    /// Puts passive particles back to where the frame began that is about to be done again.
    pub(super) fn put_passive_back(&mut self) {
        if let Some(kept) = self.passive.kept.take() {
            let (present, _) = self.passive.sets();
            let encoder = self.recorder.encoder();
            kept.arrays.copy(present, self.passive.bound, encoder);
            copy_counts(&kept.counts, &self.passive.counts, encoder);
            self.passive.counter = kept.counter;
        }
    }
}

/// What there may be in a frame that carries passive particles: see `PassiveParams`.
fn carriers_of(frame: &Frame) -> u32 {
    let kinds = [true, frame.fluids, frame.gas];
    (0..).zip(kinds).map(|(bit, is)| u32::from(is) << bit).sum()
}

/// As `append_passive` reads it.
fn born(new: &PassiveParts) -> [Vec4; 3] {
    let rest = Vec4::new(new.kind as u32 as f32, new.temperature, 0.0, 0.0);
    [new.position, new.velocity, rest]
}

fn copy_counts(from: &Buffer<u32>, to: &Buffer<u32>, encoder: &mut wgpu::CommandEncoder) {
    encoder.copy_buffer_to_buffer(from.raw(), 0, to.raw(), 0, bytes_of::<u32>(COUNTS));
}
