//! Springs that draw particles, in worlds and frames with any.

use motes_core::engine::Frame;
use motes_core::glam::Vec4;

use super::State;
use super::features::Features;
use super::row_list::{NOBODY, RowParams};
use super::stages::Bound;
use crate::buffers::{Buffer, Uniforms};
use crate::device::Gpu;
use crate::error::GpuError;
use crate::kernels;
use crate::launch::Launch;

/// The springs of a frame on the device.
pub(crate) struct DevicePulls {
    /// By which `locate_rows` finds the particles.
    row_params: Uniforms<RowParams>,
    /// The spring at each index of an id.
    numbers: Buffer<u32>,
    /// Slots of the particles, plus one.
    slots: Buffer<u32>,
    /// Target and stiffness, then damping, of each.
    springs: Buffer<Vec4>,
    impulses: Buffer<Vec4>,
    /// Indices of the ids that have a spring.
    drawn: Vec<u32>,
}

impl DevicePulls {
    pub(super) fn new(gpu: &Gpu) -> Result<Self, GpuError> {
        let pulls = Self {
            row_params: Uniforms::new(gpu, "row params of springs", 1)?,
            numbers: Buffer::new(gpu, "springs of particles", 1)?,
            slots: Buffer::new(gpu, "slots of drawn particles", 1)?,
            springs: Buffer::new(gpu, "springs", 2)?,
            impulses: Buffer::new(gpu, "impulses of springs", 1)?,
            drawn: Vec::new(),
        };
        pulls.forget();
        Ok(pulls)
    }

    fn forget(&self) {
        self.numbers.write(0, &vec![NOBODY; self.numbers.capacity()]);
    }

    /// Memory on the device, bytes.
    pub(super) fn bytes(&self) -> u64 {
        self.numbers.bytes() + self.slots.bytes() + self.springs.bytes() + self.impulses.bytes()
    }

    /// Writes the springs of a frame; says whether memory was replaced.
    pub(super) fn take_over(&mut self, frame: &Frame, indices: usize) -> Result<bool, GpuError> {
        let pulls = &frame.pulls;
        let mut replaced = false;
        if !pulls.is_empty() {
            if self.numbers.ensure(indices)? {
                replaced = true;
                self.forget();
            }
            replaced |= self.slots.ensure(pulls.len())?;
            replaced |= self.springs.ensure(2 * pulls.len())?;
            replaced |= self.impulses.ensure(pulls.len())?;
        }
        for index in self.drawn.drain(..) {
            self.numbers.write(index as usize, &[NOBODY]);
        }
        let mut springs = Vec::with_capacity(2 * pulls.len());
        for (number, (id, spring)) in (0..).zip(pulls) {
            self.numbers.write(id.index as usize, &[number]);
            self.drawn.push(id.index);
            springs.push(spring.target.extend(spring.stiffness));
            springs.push(Vec4::new(spring.damping, 0.0, 0.0, 0.0));
        }
        self.springs.write(0, &springs);
        let params = RowParams {
            participants: pulls.len() as u32,
            indices: indices as u32,
            ..RowParams::default()
        };
        self.row_params.write(0, &params);
        Ok(replaced)
    }
}

/// Launches for springs.
pub(crate) struct PullStages {
    pub(crate) locate: Launch,
    /// In the first iteration of a sub-step, and in the others.
    draw: [Launch; 2],
}

impl PullStages {
    /// None without springs.
    pub(crate) fn new(bound: Bound<'_>) -> Option<Self> {
        if !bound.has(Features::PULLS) {
            return None;
        }
        let d = bound.pulls;
        let draw = |first: u32| {
            let kernel = bound.kernel_with(&kernels::DRAW_PARTICLES, &[("WORKGROUP", 64), ("FIRST", first)]);
            let resources = [
                bound.params(),
                d.row_params.binding(0),
                bound.arrays.vectors.binding(),
                d.slots.binding(),
                d.springs.binding(),
                d.impulses.binding(),
            ];
            Launch::new(bound.gpu, &kernel, &resources, d.slots.capacity().div_ceil(64))
        };
        Some(Self {
            locate: bound.per_particle(
                &bound.kernel(&kernels::LOCATE_ROWS),
                &[
                    bound.params(),
                    d.row_params.binding(0),
                    bound.arrays.kinds.binding(),
                    d.numbers.binding(),
                    d.slots.binding(),
                ],
            ),
            draw: [draw(1), draw(0)],
        })
    }

    /// One iteration.
    pub(crate) fn draw(&self, first: bool, pass: &mut wgpu::ComputePass<'_>) {
        self.draw[usize::from(!first)].encode(pass);
    }
}

impl State {
    /// Forgets where drawn particles were in the last frame: some may have died.
    pub(super) fn begin_pulls(&mut self) {
        if self.stages.as_ref().is_some_and(|stages| stages.pulls.is_some()) {
            let slots = self.pulls.slots.raw();
            self.recorder.encoder().clear_buffer(slots, 0, None);
        }
    }
}
