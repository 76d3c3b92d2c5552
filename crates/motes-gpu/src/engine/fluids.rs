//! Lists of neighbours within the smoothing radius, in worlds with fluids only.

use bytemuck::{Pod, Zeroable};
use motes_core::engine::Frame;
use motes_core::engine::timings::Stage;

use super::State;
use super::arrays::Kind;
use super::reports::{self, room_to_come};
use super::stages::Bound;
use crate::buffers::{Buffer, Uniforms};
use crate::device::Gpu;
use crate::error::GpuError;
use crate::kernels;
use crate::launch::Launch;
use crate::readback::ReadBack;

/// Neighbours there is room for at first, per particle: particles a diameter apart have about 30.
const NEIGHBORS_PER_PARTICLE: usize = 40;

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
}

/// The neighbours of all particles, on the device.
pub(crate) struct Fluids {
    gpu: Gpu,
    /// One slot per sub-step.
    params: Uniforms<FluidParams>,
    /// Where the neighbours of each particle begin, and how many there are.
    ranges: Buffer<[u32; 2]>,
    list: Buffer<u32>,
    counters: Buffer<u32>,
    densities: Buffer<f32>,
    /// Room to make, going by how much there was need of.
    wanted: usize,
    /// Room taken in the last frame that was heard of.
    used: usize,
}

/// Launches that are ready to be recorded.
pub(crate) struct FluidStages {
    /// One per sub-step.
    pub(crate) find: Vec<Launch>,
    sum_densities: Launch,
}

impl Fluids {
    fn new(gpu: &Gpu) -> Result<Self, GpuError> {
        Ok(Self {
            params: Uniforms::new(gpu, "fluid params", 1)?,
            ranges: Buffer::new(gpu, "ranges of fluid neighbours", 1)?,
            list: Buffer::new(gpu, "fluid neighbours", 1)?,
            counters: Buffer::new(gpu, "counters of fluid neighbours", FIRST_COUNTER + 1)?,
            densities: Buffer::new(gpu, "densities", 1)?,
            wanted: 0,
            used: 0,
            gpu: gpu.clone(),
        })
    }

    /// Makes room and tells the kernels of a frame; says whether any memory was replaced.
    fn take_over(&mut self, frame: &Frame, solids: bool, particles: usize) -> Result<bool, GpuError> {
        let settings = &frame.settings;
        let substeps = settings.substeps.max(1) as usize;
        let mut replaced = self.ranges.ensure_exactly(particles.max(1))?;
        replaced |= self.densities.ensure_exactly(particles.max(1))?;
        let room = self.wanted.max(NEIGHBORS_PER_PARTICLE * particles).max(1);
        replaced |= self.list.ensure_exactly(room)?;
        replaced |= self.counters.ensure_exactly(FIRST_COUNTER + substeps)?;
        if self.params.slots() < substeps {
            self.params = Uniforms::new(&self.gpu, "fluid params", substeps)?;
            replaced = true;
        }
        for substep in 0..substeps {
            let params = FluidParams {
                smoothing: match &frame.sizes {
                    None => settings.smoothing_distance(),
                    Some(_) => settings.smoothing_radius,
                },
                cells: settings.smoothing_radius / settings.cell_width(frame.fluids, solids),
                capacity: self.list.capacity() as u32,
                counter: (FIRST_COUNTER + substep) as u32,
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
        let used = counters[FIRST_COUNTER..].iter().copied().max().unwrap_or(0) as usize;
        self.wanted = self.wanted.max(room_to_come(used, self.used, self.list.capacity()));
        self.used = used;
        counters[0]
    }

    pub(super) fn bytes(&self) -> u64 {
        self.ranges.bytes() + self.list.bytes() + self.counters.bytes() + self.densities.bytes()
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
        let replaced = fluids.take_over(frame, self.bodies.are_inscribed(), self.room)?;
        self.fluids = Some(fluids);
        Ok(made || replaced)
    }

    /// Records the search for neighbours of fluids.
    pub(super) fn find_fluid_neighbors(&mut self, stage: Stage, substep: u32) {
        if let Some(fluids) = self.stages.as_ref().and_then(|stages| stages.fluids.as_ref()) {
            fluids.find[substep as usize].encode(self.recorder.stage(stage.name()));
        }
    }

    pub(super) fn sum_densities(&mut self, times: usize) -> Result<(), GpuError> {
        self.hear(reports::ALL)?;
        for _ in 0..times {
            if let Some(fluids) = self.stages.as_ref().and_then(|stages| stages.fluids.as_ref()) {
                let pass = self.recorder.stage(Stage::InternalForces.name());
                fluids.sum_densities.encode(pass);
            }
        }
        self.recorder.submit();
        self.gpu.wait()
    }

    pub(super) fn number_densities(&mut self) -> Result<Vec<f32>, GpuError> {
        self.download();
        if self.stale_device || self.stages.as_ref().is_none_or(|stages| stages.fluids.is_none()) {
            return Ok(Vec::new());
        }
        self.sum_densities(1)?;
        let Some(fluids) = &self.fluids else {
            return Ok(Vec::new());
        };
        let count = self.crowd.bound();
        let values = fluids.densities.read(0..count)?.wait()?;
        let kinds: Vec<Kind> = self.arrays.kinds.buffer().read(0..count)?.wait()?;
        let mut densities = vec![0.0; self.host.len()];
        for (value, [_, _, index, _]) in values.into_iter().zip(kinds) {
            if let Some(slot) = self.host.id_of(index).and_then(|id| self.host.slot(id)) {
                densities[slot] = value;
            }
        }
        Ok(densities)
    }
}
