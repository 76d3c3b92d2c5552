//! The beginning of a frame: memory for it, uniforms of its kernels, and a dry run of the search where nobody knows how much
//! memory its pairs need.

use motes_core::engine::Frame;
use motes_core::engine::timings::Stage;
use motes_core::glam::Vec4;
use motes_core::particles::TEMPERATURES;
use motes_core::particles::rest::REST_POSITIONS;
use motes_core::particles::sizes::Sizes;
use motes_core::particles::spin::SPINS;

use super::arrays::{CENSUS, COUPLE, Keep, PREDICTED, Room, SORTED, SORTED_KINDS, most_particles, vectors_of_pair};
use super::features::Features;
use super::params::{self, Iteration, Params};
use super::reports::lasting_room;
use super::stages::{Bound, Stages};
use super::{FEW, State, reports};
use crate::buffers::{Uniforms, bytes_of};
use crate::colliders::ParticleBuffers;
use crate::error::GpuError;
use crate::kernels;

/// Pairs there is room for at first, per particle: settled sand has a little over three.
const PAIRS_PER_PARTICLE: usize = 4;
/// The same where it costs nothing: grains that are driven into each other have many more.
const MANY_PAIRS: usize = 64;

impl State {
    pub(super) fn take_over(&mut self, frame: &Frame) -> Result<(), GpuError> {
        self.hear(0)?;
        self.notice_turning()?;
        self.make_room(frame)?;
        self.upload()?;
        let births = self.crowd.births();
        let mut replaced = self
            .crowd
            .prepare_optional(&self.host, births, self.recorder.encoder())?;
        replaced |= self.crowd.keep_gas(frame, &self.host)?;
        replaced |= self.take_over_bodies(frame)?;
        replaced |= self.take_over_fluids(frame)?;
        replaced |= self.take_over_rows(frame)?;
        replaced |= self.take_over_patches(frame)?;
        replaced |= self.pulls.take_over(frame, self.host.index_count())?;
        replaced |= self.gas.take_over(frame, self.is_warm(frame), self.room)?;
        replaced |= self
            .creatures_on_device
            .take_over(&self.creatures, &self.host, frame.settings.iterations)?;
        let (count, settings) = (self.crowd.bound(), &frame.settings);
        let room = Room {
            particles: self.room,
            entries: self.entry_room,
            pairs: self.pair_capacity,
            features: self.features(frame),
        };
        let (stride, counts) = (self.arrays.vectors.stride(), self.shapes.counts());
        let mut params = Params::new(frame, &room, stride, &counts, self.bodies.mean_size());
        if self.h_before > 0.0 {
            params.longer = params.h / self.h_before;
        }
        if let Some(fluids) = &self.fluids {
            params.flow_section = fluids.flow_section(stride);
        }
        self.inputs.params.write(0, &params);
        let iterations = settings.iterations as usize;
        if self.inputs.iterations.slots() < iterations {
            self.inputs.iterations = Uniforms::new(&self.gpu, "iterations", iterations)?;
            replaced = true;
        }
        for iteration in 0..settings.iterations {
            self.inputs.iterations.write(
                iteration as usize,
                &Iteration::new(settings, iteration, room.features.has(Features::PASSIVE)),
            );
        }
        let table = params::table(frame);
        replaced |= self.inputs.table.ensure(table.len())?;
        self.inputs.write(table);
        replaced |= self.colliders.take_over(frame, settings.substeps, self.room)?;
        let made_for = |stages: &Stages| stages.features == room.features;
        if replaced || !self.stages.as_ref().is_some_and(made_for) {
            self.stages = None;
        }
        if count > 0 && self.stages.is_none() {
            self.scan.prepare(&self.arrays.cells, self.entry_room)?;
            self.crowd.forget();
            let stages = Stages::new(self.bound(&room));
            self.compiled.wait()?;
            self.crowd.wait()?;
            self.stages = Some(stages);
        }
        self.colliders.wait()?;
        if params.longer != 1.0 {
            self.lengthen(&room)?;
        }
        self.record_edits()?;
        self.record_splits()?;
        self.crowd
            .record(&mut self.recorder, &self.arrays, &self.host, self.room)?;
        self.take_over_passive(frame)?;
        self.record(Stage::FindNeighbors, |stages, _, pass| stages.tabulate.encode(pass));
        if self.stages.is_some() {
            let (encoder, census) = (self.recorder.encoder(), &self.arrays.census);
            let first = std::mem::offset_of!(Params, count);
            self.inputs.params.copy_words(encoder, (census, 0..CENSUS), 0, first);
            if self.crowd.is_ahead() {
                self.colliders.take_count(encoder, census);
            }
            self.shapes.empty_slots(encoder);
            if let Some(fluids) = &self.fluids {
                fluids.empty_counters(encoder);
            }
        }
        if let Some(rows) = self.stages.as_ref().and_then(|stages| stages.rows.as_ref()) {
            self.rows.begin_frame(&mut self.recorder, Some(&rows.listing))?;
        }
        if let Some(faces) = self.stages.as_ref().and_then(|stages| stages.faces.as_ref()) {
            let list = &mut self.faces.list;
            list.begin_frame(&mut self.recorder, Some(&faces.listing))?;
        }
        if let Some(bends) = self.stages.as_ref().and_then(|stages| stages.bends.as_ref()) {
            self.bends
                .list
                .begin_frame(&mut self.recorder, bends.listing.as_ref())?;
        }
        if self.stages.as_ref().is_some_and(|stages| stages.balloons.is_some()) {
            self.balloons.begin_frame(self.recorder.encoder());
        }
        self.begin_pulls();
        self.begin_creatures();
        if self.uploaded && count > self.rehearsed + self.rehearsed / 8 {
            self.rehearsed = count;
            // A browser could not wait for what it tells.
            if cfg!(not(target_family = "wasm")) {
                self.rehearse()?;
                return self.take_over(frame);
            }
        }
        Ok(())
    }

    /// What launches are made from.
    fn bound<'a>(&'a self, room: &'a Room) -> Bound<'a> {
        Bound {
            gpu: &self.gpu,
            compiled: &self.compiled,
            shapes: &self.shapes,
            fluids: self.fluids.as_ref(),
            rows: &self.rows,
            bends: &self.bends,
            patches: &self.patches,
            faces: &self.faces,
            balloons: &self.balloons,
            pulls: &self.pulls,
            gas: &self.gas,
            creatures: &self.creatures_on_device,
            optional: self.crowd.optional(),
            arrays: &self.arrays,
            inputs: &self.inputs,
            colliders: &self.colliders,
            room,
        }
    }

    /// Has the impulses of the last sub-step fit those of this frame.
    fn lengthen(&mut self, room: &Room) -> Result<(), GpuError> {
        let bound = self.bound(room);
        let kernel = bound.kernel(&kernels::LENGTHEN);
        self.compiled.wait()?;
        let resources = [
            bound.params(),
            self.arrays.vectors.binding(),
            self.arrays.pairs[self.now].impulses.binding(),
            bound.spins(),
        ];
        let threads = self
            .arrays
            .vectors
            .stride()
            .max(self.pair_capacity)
            .max(self.host.index_count());
        let launch = bound.launch(&kernel, &resources, threads);
        launch.encode(self.recorder.stage(Stage::Population.name()));
        Ok(())
    }

    /// Finds out whether grains turn, and whether there are creatures. What is remembered of contacts is then spread out, or moved together.
    fn notice_turning(&mut self) -> Result<(), GpuError> {
        let on_device = !self.stale_device && self.crowd.optional().stored(SPINS).is_some();
        let turning = on_device || self.host.spins.is_stored();
        // Their particles have spins and orientations.
        let turning = [turning, turning && !self.creatures.is_empty()];
        if turning == self.turning {
            return Ok(());
        }
        let [before, after] = [self.turning, turning].map(vectors_of_pair);
        self.turning = turning;
        self.stages = None;
        if !self.stepped || self.memory.is_some() || cfg!(target_family = "wasm") {
            return Ok(());
        }
        let impulses = &mut self.arrays.pairs[self.now].impulses;
        let known = impulses.read(0..before * self.pair_capacity)?.wait()?;
        let mut spread = vec![Vec4::ZERO; after * (self.pair_capacity + 1)];
        for (to, from) in spread.chunks_mut(after).zip(known.chunks(before)) {
            let both = to.iter_mut().zip(from).take(COUPLE + 1);
            both.for_each(|(to, from)| *to = *from);
        }
        impulses.ensure_exactly(spread.len())?;
        impulses.write(0, &spread);
        Ok(())
    }

    /// Whether not all gas is as warm as the surroundings, or will not be.
    pub(super) fn is_warm(&self, frame: &Frame) -> bool {
        frame.gas && (!frame.heat.is_empty() || self.crowd.optional().stored(TEMPERATURES).is_some())
    }

    fn features(&self, frame: &Frame) -> Features {
        let own = Features::of(frame, &self.bodies, &self.constraints, self.rows.fragile);
        let rests = self.crowd.optional().stored(REST_POSITIONS).is_some();
        own.with(Features::PASSIVE, !self.passive.is_empty() || frame.foam.is_some())
            .with(Features::RESTS, rests)
            .with(Features::BALLOONS, !self.balloons.is_empty())
            .with(Features::LEAKS, self.balloons.are_open())
            .with(Features::PULLS, !frame.pulls.is_empty())
            .with(Features::WARM, self.is_warm(frame))
            .with(Features::TURNS, self.turning[0])
            .with(Features::ORIENTED, self.turning[1])
            .with(Features::REBOUNDS, own.has(Features::REBOUNDS) || self.turning[1])
            .with(Features::PATCHES, self.patches.are_there())
    }

    /// What decides how much is kept of every particle.
    pub(super) fn memory_features(&self, frame: &Frame) -> Features {
        Features::of_memory(frame, &self.bodies)
            .with(Features::TURNS, self.turning[1])
            .with(Features::ORIENTED, self.turning[1])
    }

    /// Looks for neighbours and contacts before the first frame with many new particles, only to find out how much room
    /// they need.
    fn rehearse(&mut self) -> Result<(), GpuError> {
        let Some(stages) = &self.stages else {
            return Ok(());
        };
        let pass = self.recorder.stage(Stage::Population.name());
        stages.predict.encode(pass);
        if let Some(bodies) = &stages.bodies {
            bodies.fly(0, pass);
        }
        self.scan.encode(pass);
        stages.fill_cells.encode(pass);
        stages.reorder.encode(pass);
        if let Some(bound_ways) = &stages.bound_ways {
            bound_ways.encode(pass);
        }
        self.fly_creatures(Stage::Population);
        let Some(stages) = &self.stages else {
            return Ok(());
        };
        let pass = self.recorder.stage(Stage::Population.name());
        // Not where the contacts of the last sub-step are.
        stages.pairs[1 - self.now].find.encode(pass);
        self.find_fluid_neighbors(Stage::Population, 0);
        self.find_collider_contacts(0);
        let notice = self.notice.take();
        self.submit_with_report()?;
        self.hear(reports::ALL)?;
        self.notice = notice;
        self.memory = self.redo.take();
        self.stale_device = true;
        Ok(())
    }

    pub(super) fn find_collider_contacts(&mut self, substep: u32) {
        let pass = self.recorder.stage(Stage::FindContacts.name());
        let particles = ParticleBuffers {
            count: self.crowd.bound() as u32,
            positions: self.arrays.vectors.part(SORTED),
            predicted: self.arrays.vectors.part(PREDICTED),
            kinds: self.arrays.kinds.part(SORTED_KINDS),
        };
        self.colliders.find(pass, substep, &particles);
    }

    /// Empties the table of cells, and nothing behind it.
    pub(super) fn empty_table(&mut self) {
        let cells = self.arrays.cells.raw();
        let bytes = bytes_of::<u32>(self.entry_room + 1);
        self.recorder.encoder().clear_buffer(cells, 0, Some(bytes));
    }

    /// Each sub-step leaves the table of cells empty for the next; this does so for all that there is room for.
    pub(super) fn empty_cells(&mut self) {
        let cells = self.arrays.cells.raw();
        self.recorder.encoder().clear_buffer(cells, 0, None);
    }

    /// Grows the arrays to what the frame needs.
    fn make_room(&mut self, frame: &Frame) -> Result<(), GpuError> {
        let count = if self.stale_device {
            // Saved contacts name those who were there, also if some have died since.
            let remembered = self.memory.as_ref().map_or(0, |memory| memory.ends.len());
            self.host.len().max(remembered)
        } else {
            self.crowd.bound()
        };
        let limit = most_particles(&self.gpu, self.memory_features(frame));
        if count > limit {
            return Err(GpuError::TooManyParticles { count, limit });
        }
        let before = self.room;
        if self.stale_device {
            self.room = count;
        } else if count > self.room || count < self.room / 2 {
            // Launches that are a little larger than needed can be kept while the numbers change.
            let lasting = lasting_room(count, self.crowd.births());
            self.room = lasting.max(count + count / 8 + 64).min(limit);
        }
        if self.room != before {
            self.stages = None;
            self.crowd.forget();
        }
        let known = self.memory.as_ref().map_or(0, |memory| memory.others.len());
        let usual = match frame.solids {
            true => (PAIRS_PER_PARTICLE * self.room).max((MANY_PAIRS * self.room).min(FEW)),
            // Nobody touches anybody, but particles are listed there cell by cell before pairs are.
            false => self.room,
        };
        let pairs = self.wanted_pairs.max(usual).max(known).max(1);
        let entries = entry_room(self.room, frame.sizes.as_ref().map_or(1, Sizes::levels));
        let room = Room {
            particles: self.room,
            entries,
            pairs: pairs.max(self.pair_capacity),
            features: self.features(frame),
        };
        let keep = Keep {
            particles: !self.stale_device,
            pairs: self.memory.is_none().then_some(self.now),
        };
        if self.arrays.ensure(&room, &keep, self.recorder.encoder())? || room.pairs != self.pair_capacity {
            self.pair_capacity = room.pairs;
            self.stages = None;
        }
        if entries != self.entry_room {
            self.entry_room = entries;
            self.stages = None;
            self.empty_cells();
        }
        Ok(())
    }
}

/// Entries of a table of cells for so many particles: two to four each, and no fewer than its levels need.
fn entry_room(particles: usize, levels: usize) -> usize {
    let least = if levels == 1 { 64 } else { 2 << (3 * (1 + levels)) };
    1 << (4 * particles).max(least).ilog2().min(28)
}
