//! Lists of neighbours within the smoothing radius, in worlds with fluids only. What is made of them is in `flow.rs`.

use bytemuck::{Pod, Zeroable};
use motes_core::constraints::density::{LEAST_DIVISOR, LEEWAY, Lattice, RATE};
use motes_core::constraints::pcisph;
use motes_core::constraints::position_based::{self, Denominator, Filled};
use motes_core::constraints::tension::Surface;
use motes_core::engine::Frame;
use motes_core::engine::timings::Stage;
use motes_core::{Liquids, Settings};

use super::State;
use super::arrays::Kind;
use super::flow::{DensityStages, Flow, StirringStages};
use super::params::tension_rows;
use super::reports::{self, room_to_come};
use super::stages::Bound;
use crate::buffers::{Buffer, Uniforms};
use crate::device::Gpu;
use crate::error::GpuError;
use crate::kernels;
use crate::launch::Launch;
use crate::readback::ReadBack;

/// Neighbours that every particle has room for, in fours, over those within the smoothing radius of a place of the lattice at rest: some more, because
/// liquids in motion have the one part of their particles denser than the other.
const ROOM: f32 = 1.5;

/// Particles whose lists lie side by side: `SLICE` in `lib/fluid.wgsl`.
const SLICE: usize = 32;

/// Fours that there is room for at first behind, per particle, for those with more neighbours than that.
const BEHIND_PER_PARTICLE: usize = 1;

/// Counters before those of the sub-steps: how many neighbours found no room, and a number left alone.
const FIRST_COUNTER: usize = 2;

/// What the kernels know: `FluidParams` in `lib/fluid.wgsl`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct FluidParams {
    pub(crate) smoothing: f32,
    pub(crate) cells: f32,
    pub(crate) capacity: u32,
    pub(crate) counter: u32,
    pub(crate) crowded: u32,
    pub(crate) room: u32,
    pub(crate) share: f32,
    pub(crate) wall: f32,
    pub(crate) least: f32,
    pub(crate) steepness: f32,
    pub(crate) leeway: f32,
    pub(crate) kept: f32,
    pub(crate) volume: f32,
    pub(crate) per_smoothing: f32,
    pub(crate) steeper: f32,
    pub(crate) tension_rows: u32,
    pub(crate) width: u32,
    pub(crate) behind: u32,
    pub(crate) pressing_wall: f32,
    pub(crate) filled_share: f32,
    pub(crate) filled_denominator: f32,
    pub(crate) softness: f32,
    pub(crate) push: f32,
    pub(crate) per_crowding: f32,
    pub(crate) crowding_exponent: u32,
    pub(crate) choices: u32,
    pub(crate) unused: [u32; 2],
}

/// Bits of `FluidParams::choices`.
pub(crate) const BILATERAL: u32 = 1;
pub(crate) const PRECOMPUTED: u32 = 2;

impl FluidParams {
    fn new(frame: &Frame, solids: bool) -> Self {
        let settings = &frame.settings;
        let h = frame.dt / settings.substeps.max(1) as f32;
        let lattice = Lattice::new(settings.smoothing_radius);
        let smoothing = match &frame.sizes {
            None => settings.smoothing_distance(),
            Some(_) => settings.smoothing_radius,
        };
        Self {
            smoothing,
            cells: settings.smoothing_radius / settings.cell_width(frame.fluids, solids),
            share: 1.0 / lattice.sum,
            wall: lattice.wall,
            least: match settings.liquids {
                Liquids::Pcisph => pcisph::divisor(settings.smoothing_radius, &lattice),
                _ => LEAST_DIVISOR * lattice.divisor,
            },
            steepness: lattice.steepness,
            leeway: LEEWAY * settings.gravity.length() * h * h,
            kept: (1.0 - RATE * h).max(0.0),
            volume: settings.smoothing_radius.powi(-3),
            per_smoothing: 1.0 / smoothing,
            steeper: Surface::new(settings.smoothing_radius, &lattice).steeper,
            tension_rows: tension_rows(frame) as u32,
            pressing_wall: lattice.wall,
            ..Self::default()
        }
        .with(settings)
    }

    fn with(self, settings: &Settings) -> Self {
        let Liquids::PositionBased(chosen) = settings.liquids else {
            return self;
        };
        let filled = Filled::new(settings.smoothing_radius);
        let bit = |is_set: bool, bit: u32| if is_set { bit } else { 0 };
        Self {
            pressing_wall: filled.wall,
            filled_share: 1.0 / filled.sum,
            filled_denominator: filled.denominator,
            softness: chosen.relaxation * filled.denominator,
            push: filled.push(&chosen, 1.0, 1.0),
            per_crowding: 1.0 / position_based::weight(chosen.artificial_distance),
            crowding_exponent: chosen.artificial_exponent,
            choices: bit(chosen.bilateral, BILATERAL)
                | bit(chosen.denominator == Denominator::Precomputed, PRECOMPUTED),
            ..self
        }
    }
}

/// Fours of neighbours that every particle has room for.
fn fours_at_most(smoothing_radius: f32) -> usize {
    let volume = 4.0 / 3.0 * std::f32::consts::PI * smoothing_radius.powi(3);
    (0.25 * ROOM * volume).ceil() as usize
}

/// The neighbours of all particles, on the device.
pub(crate) struct Fluids {
    gpu: Gpu,
    /// One slot per sub-step.
    pub(super) params: Uniforms<FluidParams>,
    /// Where the neighbours of each particle begin, and how many there are.
    pub(super) ranges: Buffer<[u32; 2]>,
    pub(super) list: Buffer<[u32; 4]>,
    pub(super) counters: Buffer<u32>,
    /// What is summed up about each particle: on request its density, in a sub-step how crowded it is.
    pub(super) densities: Buffer<f32>,
    pub(super) flow: Flow,
    /// Fours in the list before those of particles with more neighbours than all have room for.
    behind: usize,
    /// Room to make for these, going by how much there was need of.
    wanted: usize,
    /// Room they took in the last frame that was heard of.
    used: usize,
}

/// Launches that are ready to be recorded.
pub(crate) struct FluidStages {
    /// One per sub-step.
    pub(crate) find: Vec<Launch>,
    sum_densities: Launch,
    find_errors: Launch,
    pub(super) densities: DensityStages,
    pub(super) stirring: StirringStages,
}

impl Fluids {
    fn new(gpu: &Gpu) -> Result<Self, GpuError> {
        Ok(Self {
            params: Uniforms::new(gpu, "fluid params", 1)?,
            ranges: Buffer::new(gpu, "ranges of fluid neighbours", 1)?,
            list: Buffer::new(gpu, "fluid neighbours", 1)?,
            counters: Buffer::new(gpu, "counters of fluid neighbours", FIRST_COUNTER + 1)?,
            densities: Buffer::new(gpu, "densities", 1)?,
            flow: Flow::new(gpu)?,
            behind: 0,
            wanted: 0,
            used: 0,
            gpu: gpu.clone(),
        })
    }

    /// Makes room and tells the kernels of a frame; says whether any memory was replaced.
    fn take_over(&mut self, frame: &Frame, solids: bool, [particles, stride]: [usize; 2]) -> Result<bool, GpuError> {
        let settings = &frame.settings;
        let substeps = settings.substeps.max(1) as usize;
        let mut replaced = self.ranges.ensure_exactly(particles.max(1))?;
        replaced |= self.densities.ensure_exactly(particles.max(1))?;
        let most = (self.gpu.capabilities().max_buffer_bytes / 16) as usize;
        let slots = particles.next_multiple_of(SLICE).max(SLICE);
        let width = fours_at_most(settings.smoothing_radius).min(most / slots);
        self.behind = slots * width;
        let behind = self.wanted.max(BEHIND_PER_PARTICLE * slots);
        replaced |= self.list.ensure_exactly((self.behind + behind).min(most))?;
        replaced |= self.counters.ensure_exactly(FIRST_COUNTER + 2 * substeps)?;
        replaced |= self.flow.take_over(frame, [particles, stride])?;
        if self.params.slots() < substeps {
            self.params = Uniforms::new(&self.gpu, "fluid params", substeps)?;
            replaced = true;
        }
        let params = FluidParams {
            capacity: self.list.capacity() as u32,
            width: width as u32,
            behind: self.behind as u32,
            room: self.flow.room() as u32,
            ..FluidParams::new(frame, solids)
        };
        for substep in 0..substeps {
            let params = FluidParams {
                counter: (FIRST_COUNTER + substep) as u32,
                crowded: (FIRST_COUNTER + substeps + substep) as u32,
                ..params
            };
            self.params.write(substep, &params);
        }
        Ok(replaced)
    }

    pub(super) fn stages(&self, bound: Bound<'_>) -> FluidStages {
        let a = bound.arrays;
        let finder = bound.kernel(&kernels::FIND_FLUID_NEIGHBORS);
        let find = |substep: usize| {
            let resources = [
                bound.params(),
                self.params.binding(substep),
                a.vectors.binding(),
                a.kinds.binding(),
                a.cells.binding(),
                self.ranges.binding(),
                self.list.binding(),
                self.counters.binding(),
            ];
            bound.per_particle(&finder, &resources)
        };
        FluidStages {
            find: (0..self.params.slots()).map(find).collect(),
            sum_densities: bound.per_particle(
                &bound.kernel(&kernels::SUM_DENSITIES),
                &[
                    bound.params(),
                    self.params.binding(0),
                    a.vectors.binding(),
                    a.kinds.binding(),
                    self.ranges.binding(),
                    self.list.binding(),
                    self.densities.binding(),
                ],
            ),
            find_errors: self.crowd(bound, 0, true),
            densities: DensityStages::new(self, bound),
            stirring: StirringStages::new(self, bound),
        }
    }

    /// The counters of a frame begin anew.
    pub(super) fn empty_counters(&self, encoder: &mut wgpu::CommandEncoder) {
        encoder.clear_buffer(self.counters.raw(), 0, None);
    }

    /// The counters of the frame being recorded.
    pub(super) fn report(&self, encoder: &mut wgpu::CommandEncoder) -> Result<ReadBack<u32>, GpuError> {
        self.counters.read_in(0..self.counters.capacity(), encoder)
    }

    /// Takes in the counters of an earlier frame; returns how many neighbours found no room.
    pub(super) fn learn(&mut self, counters: &[u32]) -> u32 {
        let substeps = (counters.len() - FIRST_COUNTER) / 2;
        let taken = counters[FIRST_COUNTER..].iter().take(substeps);
        let used = taken.copied().max().unwrap_or(0) as usize;
        self.wanted = self
            .wanted
            .max(room_to_come(used, self.used, self.list.capacity() - self.behind));
        self.used = used;
        counters[0]
    }

    pub(super) fn bytes(&self) -> u64 {
        self.ranges.bytes() + self.list.bytes() + self.counters.bytes() + self.densities.bytes() + self.flow.bytes()
    }
}

impl State {
    /// Has lists for fluids where there are any; says whether any memory was replaced.
    pub(super) fn take_over_fluids(&mut self, frame: &Frame) -> Result<bool, GpuError> {
        if !frame.fluids {
            return Ok(self.fluids.take().is_some());
        }
        let made = self.fluids.is_none();
        let mut fluids = match self.fluids.take() {
            Some(fluids) => fluids,
            None => Fluids::new(&self.gpu)?,
        };
        let replaced = fluids.take_over(
            frame,
            self.bodies.are_inscribed(),
            [self.room, self.arrays.vectors.stride()],
        )?;
        self.fluids = Some(fluids);
        Ok(made || replaced)
    }

    /// Records the search for neighbours of fluids.
    pub(super) fn find_fluid_neighbors(&mut self, stage: Stage, substep: u32) {
        self.record_fluids(stage, |fluids, pass| fluids.find[substep as usize].encode(pass));
    }

    pub(super) fn sum_densities(&mut self, times: usize) -> Result<(), GpuError> {
        self.hear(reports::ALL)?;
        for _ in 0..times {
            self.record_fluids(Stage::InternalForces, |fluids, pass| fluids.sum_densities.encode(pass));
        }
        self.recorder.submit();
        self.gpu.wait()
    }

    pub(super) fn number_densities(&mut self) -> Result<Vec<f32>, GpuError> {
        self.sums(|state| state.sum_densities(1))
    }

    /// By how much each particle is too dense.
    pub(super) fn density_errors(&mut self) -> Result<Vec<f32>, GpuError> {
        self.sums(|state| {
            state.hear(reports::ALL)?;
            state.record_fluids(Stage::InternalForces, |fluids, pass| fluids.find_errors.encode(pass));
            state.recorder.submit();
            state.gpu.wait()
        })
    }

    /// What a kernel puts into `densities`, in the order of the host.
    fn sums(&mut self, find: impl FnOnce(&mut Self) -> Result<(), GpuError>) -> Result<Vec<f32>, GpuError> {
        self.download();
        if self.stale_device || self.stages.as_ref().is_none_or(|stages| stages.fluids.is_none()) {
            return Ok(Vec::new());
        }
        find(self)?;
        let Some(fluids) = &self.fluids else {
            return Ok(Vec::new());
        };
        let count = self.crowd.bound();
        let values = fluids.densities.read(0..count)?.wait()?;
        let kinds: Vec<Kind> = self.arrays.kinds.buffer().read(0..count)?.wait()?;
        let mut sums = vec![0.0; self.host.len()];
        for (value, [_, _, index, _]) in values.into_iter().zip(kinds) {
            if let Some(slot) = self.host.id_of(index).and_then(|id| self.host.slot(id)) {
                sums[slot] = value;
            }
        }
        Ok(sums)
    }
}
