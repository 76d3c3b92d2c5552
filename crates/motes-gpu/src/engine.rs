//! The step on the GPU: every stage is recorded, a frame is one submit, and nothing is waited for until it is asked for.
//!
//! Particles live on the device in the order of their cells. The host keeps them in an order of its own; positions and
//! velocities are read back when somebody looks.

mod answers;
pub(crate) mod arrays;
pub(crate) mod attachment_stages;
pub(crate) mod attachments;
pub(crate) mod balloons;
pub(crate) mod bends;
pub(crate) mod bodies;
pub(crate) mod body_edits;
mod body_stages;
pub(crate) mod chunks;
mod creature_records;
mod creature_stages;
pub(crate) mod creatures;
pub(crate) mod drives;
pub(crate) mod edits;
pub(crate) mod faces;
mod features;
pub(crate) mod flow;
pub(crate) mod fluids;
mod frame;
pub(crate) mod gas;
pub(crate) mod hauling;
mod interface;
pub(crate) mod liveness;
mod optional;
pub(crate) mod params;
pub(crate) mod passive;
pub(crate) mod patch_stages;
pub(crate) mod patches;
mod population;
pub(crate) mod pulls;
pub(crate) mod queries;
mod reports;
pub(crate) mod row_list;
mod row_stages;
pub(crate) mod rows;
pub(crate) mod sph;
mod splits;
pub(crate) mod stages;
pub(crate) mod strains;
pub(crate) mod strands;
mod transfer;
pub(crate) mod trees;
pub(crate) mod volume;

use std::collections::VecDeque;
use std::sync::Arc;

use motes_core::constraints::contact::REBOUNDS;
use motes_core::engine::contacts::ContactMemory;
use motes_core::engine::timings::{Stage, Timings};
use motes_core::engine::{Blowup, ConstraintGroup, Frame, Population, Solver};
use motes_core::{Bodies, Constraints, Creatures, ParticleId, Particles};

use crate::buffers::{Buffer, Uniforms};
use crate::colliders::Colliders;
use crate::compiled::Compiled;
use crate::device::Gpu;
use crate::error::GpuError;
use crate::kernel::Variant;
use crate::recorder::{Measure, Recorder};
use crate::scan::{Scan, ScanKernels};
use arrays::Arrays;
#[cfg(test)]
pub(crate) use attachments::Attachment;
#[cfg(test)]
pub(crate) use balloons::{Balloon, BalloonParams, BalloonWork, Piece};
use balloons::{BalloonStages, DeviceBalloons};
#[cfg(test)]
pub(crate) use bends::Bend;
use bends::{BendStages, DeviceBends};
use bodies::DeviceBodies;
#[cfg(test)]
pub(crate) use bodies::{Body, Cluster};
#[cfg(test)]
pub(crate) use body_edits::BodyRow;
use body_stages::BodyStages;
#[cfg(test)]
pub(crate) use chunks::Chunk;
#[cfg(test)]
pub(crate) use creature_records::{
    CreatureEdge, CreatureEntry, CreatureGroup, CreatureMember, CreatureParams, CreaturePart, PartLoad,
};
use creature_stages::CreatureStages;
use creatures::DeviceCreatures;
#[cfg(test)]
pub(crate) use drives::Drive;
use edits::DeviceEdits;
#[cfg(test)]
pub(crate) use edits::{EditParams, EditRow};
#[cfg(test)]
pub(crate) use faces::{Air, Eddy};
use faces::{DeviceFaces, FaceStages};
use features::Features;
#[cfg(test)]
pub(crate) use flow::Exchange;
#[cfg(test)]
pub(crate) use fluids::FluidParams;
use fluids::{FluidStages, Fluids};
use gas::DeviceGas;
#[cfg(test)]
pub(crate) use gas::{GasParams, HeatExchange, Zone};
#[cfg(test)]
pub(crate) use hauling::{HauledEnd, Load};
pub use interface::GpuEngine;
#[cfg(test)]
pub(crate) use liveness::Fill;
use liveness::{Filler, Moment};
#[cfg(test)]
pub(crate) use params::{Field, Iteration, Params};
use passive::DevicePassive;
#[cfg(test)]
pub(crate) use passive::{FoamParams, PassiveParams};
use patch_stages::DevicePatches;
#[cfg(test)]
pub(crate) use patch_stages::{PatchBend, PatchParams};
#[cfg(test)]
pub(crate) use patches::Patch;
use population::Crowd;
#[cfg(test)]
pub(crate) use population::PopulationParams;
use pulls::{DevicePulls, PullStages};
#[cfg(test)]
pub(crate) use queries::PickParams;
use queries::Queries;
use reports::Report;
#[cfg(test)]
pub(crate) use row_list::{Color, Row, RowParams};
use row_stages::RowStages;
use rows::DeviceRows;
#[cfg(test)]
pub(crate) use rows::HoldRound;
#[cfg(test)]
pub(crate) use sph::SphParams;
use splits::DeviceSplits;
#[cfg(test)]
pub(crate) use splits::SplitRow;
use stages::{Inputs, Stages};
#[cfg(test)]
pub(crate) use strains::StrainParams;
#[cfg(test)]
pub(crate) use trees::{JointWork, NodeWork, Tree};
#[cfg(test)]
pub(crate) use volume::Volume;

/// Particles of which there may be a few more without anybody noticing.
const FEW: usize = 1 << 17;

/// A world on a device, and what the host knows of it.
pub(crate) struct State {
    gpu: Gpu,
    compiled: Compiled,
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
    host: Arc<Particles>,
    bodies: Arc<Bodies>,
    shapes: DeviceBodies,
    /// Where there are fluids.
    fluids: Option<Fluids>,
    passive: DevicePassive,
    constraints: Arc<Constraints>,
    rows: DeviceRows,
    bends: DeviceBends,
    patches: DevicePatches,
    faces: DeviceFaces,
    balloons: DeviceBalloons,
    pulls: DevicePulls,
    gas: DeviceGas,
    creatures: Arc<Creatures>,
    creatures_on_device: DeviceCreatures,
    /// Particles of the host may have died since rows were told.
    may_have_died: bool,
    /// The host's bodies have changed since they were uploaded.
    stale_bodies: bool,
    /// Bodies were made kinematic or let go since attachments were put in order.
    stale_islands: bool,
    /// The device's bodies have changed since they were read.
    bodies_ahead: bool,
    /// The host's particles have changed since they were uploaded.
    stale_device: bool,
    /// The device's particles have changed since they were read.
    stale_host: bool,
    /// A frame has been submitted.
    stepped: bool,
    /// Length of the last sub-step, seconds; 0 if there was none.
    h_before: f32,
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
    /// Whether grains turn, and whether some particles are ellipsoids, so that more is kept of each pair.
    turning: [bool; 2],
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
    edits: DeviceEdits,
    splits: DeviceSplits,
    queries: Queries,
    /// Fills what is dead, in tests.
    filler: Option<Filler>,
    blowup: Option<Blowup>,
    notice: Option<GpuError>,
    fault: Option<GpuError>,
}

impl State {
    fn new(gpu: &Gpu) -> Result<Self, GpuError> {
        let variant = Variant::best(gpu);
        let mut recorder = Recorder::new(gpu)?;
        recorder.measure(Measure::Nothing);
        Ok(Self {
            compiled: Compiled::new(gpu, variant),
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
            host: Arc::default(),
            bodies: Arc::default(),
            shapes: DeviceBodies::new(gpu)?,
            fluids: None,
            passive: DevicePassive::new(gpu)?,
            constraints: Arc::default(),
            rows: DeviceRows::new(gpu)?,
            bends: DeviceBends::new(gpu)?,
            patches: DevicePatches::new(gpu)?,
            faces: DeviceFaces::new(gpu)?,
            balloons: DeviceBalloons::new(gpu)?,
            pulls: DevicePulls::new(gpu)?,
            gas: DeviceGas::new(gpu)?,
            creatures: Arc::default(),
            creatures_on_device: DeviceCreatures::new(gpu)?,
            may_have_died: false,
            stale_bodies: false,
            stale_islands: false,
            bodies_ahead: false,
            stale_device: true,
            stale_host: false,
            stepped: false,
            h_before: 0.0,
            uploaded: false,
            slots: Vec::new(),
            memory: None,
            entry_room: 0,
            room: 0,
            pair_capacity: 0,
            turning: [false; 2],
            wanted_pairs: 0,
            used_pairs: 0,
            rehearsed: 0,
            redo: None,
            now: 0,
            substep: 0,
            iteration: 0,
            stabilized: false,
            reports: VecDeque::new(),
            edits: DeviceEdits::new(gpu)?,
            splits: DeviceSplits::new(gpu)?,
            queries: Queries::new(gpu)?,
            filler: None,
            blowup: None,
            notice: None,
            fault: None,
            gpu: gpu.clone(),
        })
    }

    fn status(&self) -> Result<(), GpuError> {
        match &self.fault {
            Some(fault) => Err(fault.clone()),
            None => self.gpu.check(),
        }
    }

    fn most_particles(&self) -> usize {
        arrays::most_particles(&self.gpu, self.memory_features(&self.frame))
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

    /// The same for rows.
    fn record_rows(&mut self, stage: Stage, work: impl FnOnce(&RowStages, &mut wgpu::ComputePass<'_>)) {
        if let Some(rows) = self.stages.as_ref().and_then(|stages| stages.rows.as_ref()) {
            work(rows, self.recorder.stage(stage.name()));
        }
    }

    /// The same for curvatures.
    fn record_bends(&mut self, stage: Stage, work: impl FnOnce(&BendStages, &mut wgpu::ComputePass<'_>)) {
        if let Some(bends) = self.stages.as_ref().and_then(|stages| stages.bends.as_ref()) {
            work(bends, self.recorder.stage(stage.name()));
        }
    }

    /// The same for fluids.
    fn record_fluids(&mut self, stage: Stage, work: impl FnOnce(&FluidStages, &mut wgpu::ComputePass<'_>)) {
        if let Some(fluids) = self.stages.as_ref().and_then(|stages| stages.fluids.as_ref()) {
            work(fluids, self.recorder.stage(stage.name()));
        }
    }

    /// The same for faces.
    fn record_faces(&mut self, stage: Stage, work: impl FnOnce(&FaceStages, &mut wgpu::ComputePass<'_>)) {
        if let Some(faces) = self.stages.as_ref().and_then(|stages| stages.faces.as_ref()) {
            work(faces, self.recorder.stage(stage.name()));
        }
    }

    /// The same for balloons.
    fn record_balloons(&mut self, stage: Stage, work: impl FnOnce(&BalloonStages, &mut wgpu::ComputePass<'_>)) {
        if let Some(balloons) = self.stages.as_ref().and_then(|stages| stages.balloons.as_ref()) {
            work(balloons, self.recorder.stage(stage.name()));
        }
    }

    /// The same for springs.
    fn record_pulls(&mut self, stage: Stage, work: impl FnOnce(&PullStages, &mut wgpu::ComputePass<'_>)) {
        if let Some(pulls) = self.stages.as_ref().and_then(|stages| stages.pulls.as_ref()) {
            work(pulls, self.recorder.stage(stage.name()));
        }
    }

    /// Number of particles.
    fn count(&mut self) -> usize {
        if self.stale_device {
            return self.host.len();
        }
        if self.awaits_deaths() {
            let heard = self.hear(reports::ALL);
            self.note(heard);
        }
        self.crowd.bound() + self.crowd.waiting() - self.crowd.condemned().len()
    }

    fn memory_bytes(&self) -> usize {
        let shared = self.arrays.bytes()
            + self.scan.bytes()
            + self.shapes.bytes()
            + self.rows.bytes()
            + self.bends.bytes()
            + self.patches.bytes()
            + self.faces.bytes()
            + self.balloons.bytes()
            + self.pulls.bytes()
            + self.gas.bytes()
            + self.creatures_on_device.bytes();
        let fluids = self.fluids.as_ref().map_or(0, Fluids::bytes);
        (shared + fluids + self.passive.bytes() + self.colliders.bytes() + self.crowd.bytes() + self.edits.bytes())
            as usize
    }

    fn populate(&mut self, population: Population<'_>) {
        if self.fault.is_some() {
            return;
        }
        self.deliver_in_time();
        self.timings.clear();
        self.crowd.begin_frame();
        self.passive.plan(&population);
        Arc::make_mut(&mut self.constraints).begin_frame();
        self.bury_rows();
        if self.stale_device {
            population.apply(Arc::make_mut(&mut self.host));
            self.may_have_died = true;
            self.bury_rows();
            return;
        }
        Arc::make_mut(&mut self.host).begin_frame();
        let overdue = (self.crowd.frame() + 1).saturating_sub(Particles::REST as u64);
        if self.awaits_deaths() {
            let heard = self.hear(overdue);
            self.note(heard);
        }
        let splits = &self.splits;
        let is_split = |index: u32| splits.concern(index);
        if self
            .crowd
            .kill_waiting(&population, Arc::make_mut(&mut self.host), is_split)
        {
            self.may_have_died = true;
            self.bury_rows();
        }
        let host = Arc::make_mut(&mut self.host);
        if host.len() > 2 * self.crowd.bound() + FEW {
            host.sweep();
        }
        let born: Vec<ParticleId> = population.births.iter().map(|&birth| host.add(birth)).collect();
        born.iter().for_each(|id| self.reuse(id.index));
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
            self.crowd.cancel(Arc::make_mut(&mut self.host));
        }
    }

    fn end_frame(&mut self) {
        let counting = self.end_passive();
        self.note(counting);
        if self.stages.is_none() {
            self.recorder.submit();
            self.uploaded = false;
            self.redo = None;
            return;
        }
        self.stale_host = true;
        self.bodies_ahead = !self.bodies.is_empty();
        self.rows.ahead = !self.constraints.is_empty();
        self.stepped = true;
        self.h_before = self.sub_step();
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
}

impl Drop for State {
    fn drop(&mut self) {
        // A program that ends while its driver compiles may crash.
        let _ = self.compiled.wait();
        let _ = self.crowd.wait();
    }
}

impl Solver for State {
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
        self.mark(Moment::Predicted);
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
        if let Some(bound_ways) = &stages.bound_ways {
            bound_ways.encode(pass);
        }
        self.fly_creatures(Stage::FindNeighbors);
        let Some(stages) = &self.stages else {
            return;
        };
        let pass = self.recorder.stage(Stage::FindNeighbors.name());
        if let Some(gas) = &stages.gas {
            gas.begin.encode(pass);
        }
        self.mark(Moment::Sorted);
        self.record_bodies(Stage::FindNeighbors, |bodies, _, pass| bodies.turn_fields.encode(pass));
        self.record(Stage::FindNeighbors, |stages, _, pass| {
            stages.locate.iter().for_each(|locate| locate.encode(pass));
        });
        self.record_balloons(Stage::FindNeighbors, |balloons, pass| balloons.locate.encode(pass));
        self.record_pulls(Stage::FindNeighbors, |pulls, pass| pulls.locate.encode(pass));
        self.record(Stage::FindNeighbors, |stages, now, pass| {
            stages.pairs[now].find.encode(pass);
        });
        self.find_fluid_neighbors(Stage::FindFluidNeighbors, self.substep);
    }

    fn find_contacts(&mut self, _h: f32) {
        if self.stages.is_none() {
            return;
        }
        self.find_collider_contacts(self.substep);
        self.mark(Moment::Found);
        self.record_bodies(Stage::FindContacts, |bodies, now, pass| {
            bodies.count_contacts[now].encode(pass);
        });
        self.mark(Moment::Counted);
        self.record_bodies(Stage::FindContacts, |bodies, _, pass| bodies.share.encode(pass));
        self.share_creatures(Stage::FindContacts);
        self.record(Stage::FindContacts, |stages, now, pass| {
            let pairs = &stages.pairs[now];
            if let Some(turning) = &stages.turning {
                turning.begin.encode(pass);
            }
            if stages.features.has(Features::SOLIDS) {
                pairs.recall.encode(pass);
            }
            stages.recall_contacts.encode(pass);
            let for_bodies = stages.bodies.as_ref().and_then(|bodies| bodies.scale_masses.as_ref());
            let scale_masses = for_bodies.map_or(pairs.scale_masses.as_ref(), |sets| Some(&sets[now]));
            if let Some(scale_masses) = scale_masses {
                scale_masses.encode(pass);
            }
        });
        self.mark(Moment::Shared);
        self.record(Stage::FindContacts, |stages, now, pass| {
            stages.pairs[now].begin_solve.encode(pass);
            if let Some(turn) = &stages.pairs[now].gather_turns {
                turn.encode(pass);
            }
        });
        self.pull_creatures(Stage::MatchShapes);
        self.record_bodies(Stage::MatchShapes, |bodies, _, pass| bodies.match_shapes(pass));
        self.mark(Moment::Begun);
        self.stabilized = false;
    }

    fn stabilize(&mut self) {
        // The first time is part of `begin_solve`.
        if std::mem::replace(&mut self.stabilized, true) {
            self.record(Stage::Stabilize, |stages, now, pass| {
                stages.pairs[now]
                    .stabilize
                    .iter()
                    .flatten()
                    .for_each(|launch| launch.encode(pass));
            });
        }
        self.record_rows(Stage::Stabilize, |rows, pass| rows.hold(pass));
        self.hold_creatures(Stage::Stabilize);
        self.record_bodies(Stage::Stabilize, |bodies, _, pass| bodies.match_starts(pass));
        self.mark(Moment::Stabilized);
    }

    fn solve(&mut self, group: ConstraintGroup, _h: f32, _iteration: u32) {
        match group {
            ConstraintGroup::Rows => {
                let iteration = self.iteration;
                let first = iteration == 0;
                self.solve_rows(iteration);
                self.record_balloons(Stage::SolveRows, |balloons, pass| balloons.solve(first, pass));
                self.record_pulls(Stage::SolveRows, |pulls, pass| pulls.draw(first, pass));
            }
            ConstraintGroup::Densities => {
                let [substep, iteration] = [self.substep as usize, self.iteration];
                self.record_fluids(Stage::SolveDensities, |fluids, pass| {
                    fluids.densities.solve(substep, iteration, pass);
                });
            }
            ConstraintGroup::Contacts => {
                let iteration = self.iteration;
                let pairs = self.room.max(self.used_pairs + self.used_pairs / 4);
                self.record(Stage::SolveContacts, |stages, now, pass| {
                    // Where nobody touches anybody it only empties the table of cells.
                    let touch = stages.features.has(Features::SOLIDS);
                    if iteration == 0 || touch {
                        stages.pairs[now].solve[iteration].encode_for(pairs, pass);
                    }
                    let mut fluids = stages.fluids.iter();
                    if !touch && fluids.any(|fluids| fluids.densities.meets_colliders()) {
                        return;
                    }
                    if let Some(turn) = &stages.pairs[now].gather_turns {
                        turn.encode(pass);
                    }
                    stages.pairs[now].gather_solve.encode(pass);
                });
                self.iteration += 1;
            }
            ConstraintGroup::Shapes => {
                self.match_creatures(Stage::MatchShapes);
                self.record_bodies(Stage::MatchShapes, |bodies, _, pass| bodies.match_shapes(pass));
                self.mark(Moment::Iterated);
            }
        }
    }

    fn update_velocities(&mut self, _h: f32) {
        self.record_bodies(Stage::UpdateVelocities, |bodies, _, pass| bodies.keep_out(pass));
        self.record(Stage::UpdateVelocities, |stages, now, pass| {
            // Where there are neither bodies nor rebounds, `finish` does it.
            let Some(derive) = &stages.derive_velocities else {
                return;
            };
            derive.encode(pass);
            if let Some(bodies) = &stages.bodies {
                bodies.derive_velocities(pass);
            }
            let bodies = stages.bodies.as_ref().filter(|bodies| bodies.has_rigid());
            let creatures = stages.creatures.as_ref();
            creatures.iter().for_each(|creatures| creatures.end(pass));
            let parts = creatures.map_or(0, CreatureStages::rounds);
            let rounds = if bodies.is_some() { REBOUNDS } else { 1 };
            match &stages.pairs[now].rebound {
                Some([first, again, gather]) => {
                    for round in 0..rounds.max(parts) {
                        if round < rounds {
                            let pairs = if round == 0 { first } else { again };
                            pairs.encode(pass);
                            gather.encode(pass);
                            bodies.iter().for_each(|bodies| bodies.rebound(round, pass));
                        }
                        creatures.iter().for_each(|creatures| creatures.rebound(round, pass));
                    }
                }
                // Nothing comes between the rounds then.
                None => {
                    bodies.iter().for_each(|bodies| bodies.rebound(REBOUNDS - 1, pass));
                    for round in 0..parts {
                        creatures.iter().for_each(|creatures| creatures.rebound(round, pass));
                    }
                }
            }
        });
        self.mark(Moment::Rebounded);
        let relaxes = self.iteration > 0;
        self.record(Stage::UpdateVelocities, |stages, _, pass| {
            let fluids = stages.fluids.iter();
            fluids
                .zip(&stages.rebound_colliders)
                .for_each(|(_, launch)| launch.encode(pass));
        });
        let substep = self.substep as usize;
        self.record_fluids(Stage::UpdateVelocities, |fluids, pass| {
            if relaxes {
                fluids.densities.relax(substep, pass);
            }
        });
    }

    fn advect_diffuse(&mut self, _h: f32) {
        self.advect_passive();
    }

    fn apply_internal_forces(&mut self, _h: f32) {
        let stirring = self.fluids.as_ref().map(Fluids::stirring).unwrap_or_default();
        self.record_fluids(Stage::InternalForces, |fluids, pass| {
            fluids.stirring.stir(stirring, pass);
        });
        if let Some(gas) = self.stages.as_ref().and_then(|stages| stages.gas.as_ref()) {
            gas.drive(&self.gas, self.recorder.stage(Stage::InternalForces.name()));
        }
        self.record_faces(Stage::InternalForces, |faces, pass| faces.blow(pass));
    }

    fn finish(&mut self, _h: f32) {
        let substep = self.substep;
        let asked = |stages: &Stages| stages.features.has(Features::PASSIVE) || self.iteration == 0;
        if self.stages.as_ref().is_some_and(asked) {
            // Otherwise the first iteration has done it.
            self.empty_table();
        }
        self.record_bodies(Stage::Finish, |bodies, _, pass| bodies.finish(pass));
        self.record_rows(Stage::Finish, |rows, pass| {
            if let Some(break_off) = &rows.break_off {
                break_off.encode(pass);
            }
        });
        self.record_balloons(Stage::Finish, |balloons, pass| {
            if let Some(leak) = &balloons.leak {
                leak.encode(pass);
            }
        });
        self.record(Stage::Finish, |stages, _, pass| {
            if let Some(turning) = &stages.turning {
                turning.end.encode(pass);
            }
            stages.finish[substep as usize].encode(pass);
        });
        self.mark(Moment::Finished);
    }
}
