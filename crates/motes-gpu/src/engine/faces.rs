//! Triangles in the air on the device, besides what all rows have, and the kernels that press on them.

use bytemuck::{Pod, Zeroable};
use motes_core::air::EDDIES;
use motes_core::glam::Vec4;
use motes_core::store::batch::Batch;
use motes_core::{Air as AirOfFrame, ConstraintKind, ConstraintSolver};

use super::features::Features;
use super::row_list::RowList;
use super::stages::Bound;
use crate::buffers::{Buffer, Uniforms};
use crate::device::Gpu;
use crate::error::GpuError;
use crate::kernels;
use crate::launch::Launch;

/// `Eddy` in `lib/air.wgsl`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct Eddy {
    pub(crate) wave: Vec4,
    pub(crate) velocity: Vec4,
}

/// The air of a frame: `Air` in `lib/air.wgsl`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct Air {
    pub(crate) velocity: Vec4,
    pub(crate) count: u32,
    pub(crate) unused_a: u32,
    pub(crate) unused_b: u32,
    pub(crate) unused_c: u32,
    pub(crate) eddies: [Eddy; EDDIES],
}

impl Air {
    pub(super) fn new(air: &AirOfFrame) -> Self {
        let mut packed = Self {
            velocity: air.velocity.extend(air.density),
            count: air.eddies.len() as u32,
            ..Self::default()
        };
        for (to, eddy) in packed.eddies.iter_mut().zip(&air.eddies) {
            *to = Eddy {
                wave: eddy.wave.extend(eddy.phase),
                velocity: eddy.velocity.extend(0.0),
            };
        }
        packed
    }
}

/// The faces of a world on the device.
pub(crate) struct DeviceFaces {
    gpu: Gpu,
    pub(super) list: RowList,
    air: Uniforms<Air>,
    /// Drag and lift.
    weights: Buffer<[f32; 4]>,
    forces: Buffer<Vec4>,
}

impl DeviceFaces {
    pub(super) fn new(gpu: &Gpu) -> Result<Self, GpuError> {
        Ok(Self {
            gpu: gpu.clone(),
            list: RowList::new(gpu, ConstraintKind::Face)?,
            air: Uniforms::new(gpu, "air", 1)?,
            weights: Buffer::new(gpu, "drag and lift", 1)?,
            forces: Buffer::new(gpu, "forces on faces", 1)?,
        })
    }

    /// Memory on the device, bytes.
    pub(super) fn bytes(&self) -> u64 {
        self.list.bytes() + self.weights.bytes() + self.forces.bytes()
    }

    /// Writes what changed of the store, and the air; says whether memory was replaced.
    pub(super) fn take_over(&mut self, batch: &mut Batch, air: &AirOfFrame) -> Result<bool, GpuError> {
        if batch.places() == 0 {
            return Ok(false);
        }
        self.air.write(0, &Air::new(air));
        // They are not solved: colours are of no use.
        let taken = self.list.take_over(batch, ConstraintSolver::Jacobi)?;
        if taken.rows.is_empty() {
            return Ok(taken.replaced);
        }
        let rows = self.list.rows.capacity();
        let mut encoder = self.gpu.device().create_command_encoder(&Default::default());
        let mut replaced = self.weights.ensure_keeping(rows, &mut encoder)?;
        if replaced {
            self.gpu.queue().submit([encoder.finish()]);
        }
        replaced |= self.forces.ensure_exactly(rows)?;
        for run in taken.rows.chunk_by(|a, b| a + 1 == *b) {
            let (first, last) = (run[0] as usize, run[run.len() - 1] as usize);
            self.weights.write(first, &batch.weights()[first..=last]);
        }
        Ok(replaced || taken.replaced)
    }
}

/// Launches for the faces of a world.
pub(crate) struct FaceStages {
    pub(crate) listing: [Launch; 3],
    press: Launch,
    blow: Launch,
}

impl FaceStages {
    /// None without faces.
    pub(crate) fn new(bound: Bound<'_>) -> Option<Self> {
        if !bound.has(Features::FACES) {
            return None;
        }
        let (d, list) = (bound.faces, &bound.faces.list);
        let (params, row_params) = (|| bound.params(), || list.params.binding(0));
        let vectors = || bound.arrays.vectors.binding();
        Some(Self {
            listing: list.listing(bound),
            press: bound.launch(
                &bound.kernel(&kernels::PRESS_FACES),
                &[
                    params(),
                    row_params(),
                    d.air.binding(0),
                    vectors(),
                    list.slots.binding(),
                    list.rows.binding(),
                    d.weights.binding(),
                    d.forces.binding(),
                ],
                list.rows.capacity(),
            ),
            blow: bound.per_particle(
                &bound.kernel(&kernels::BLOW),
                &[
                    params(),
                    row_params(),
                    vectors(),
                    bound.arrays.kinds.binding(),
                    list.numbers.binding(),
                    list.starts.binding(),
                    list.members.binding(),
                    d.forces.binding(),
                ],
            ),
        })
    }

    /// Line 26.
    pub(crate) fn blow(&self, pass: &mut wgpu::ComputePass<'_>) {
        self.press.encode(pass);
        self.blow.encode(pass);
    }
}
