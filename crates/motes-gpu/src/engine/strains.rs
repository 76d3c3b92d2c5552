//! Which edges of sheets are stretched too far: a kernel finds the worst of each workgroup, and the host hears of them later.

use bytemuck::{Pod, Zeroable};
use motes_core::ConstraintKind;
use motes_core::tear::{STRAIN_ROWS, Strained};

use super::State;
use super::answers::Sought;
use super::arrays::POSITIONS;
use crate::buffers::{Buffer, Uniforms};
use crate::device::Gpu;
use crate::error::GpuError;
use crate::kernel::Kernel;
use crate::kernels;
use crate::readback::ReadBack;

/// `StrainParams` in `strain_rows.wgsl`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct StrainParams {
    pub(crate) rows: u32,
    pub(crate) h: f32,
}

/// Bits of the second number that is told of a row: the row, and whether each of its ends can move.
pub(crate) const STRAINED_ROW: u32 = (1 << 29) - 1;
pub(crate) const FIRST_FREE: u32 = 1 << 29;
pub(crate) const SECOND_FREE: u32 = 1 << 30;

/// What it takes to ask.
pub(super) struct Strains {
    kernel: Option<Kernel>,
    params: Uniforms<StrainParams>,
    found: Buffer<[u32; 2]>,
}

impl Strains {
    pub(super) fn new(gpu: &Gpu) -> Result<Self, GpuError> {
        Ok(Self {
            kernel: None,
            params: Uniforms::new(gpu, "strain params", 1)?,
            found: Buffer::new(gpu, "strained rows", 1)?,
        })
    }
}

impl State {
    /// Whether the device knows what its rows did in the last sub-step.
    pub(super) fn knows_strains(&self) -> bool {
        let has_rows = self.stages.as_ref().is_some_and(|stages| stages.rows.is_some());
        has_rows && !self.stale_device && self.status().is_ok()
    }

    pub(super) fn seek_strains(&mut self, encoder: &mut wgpu::CommandEncoder) -> Result<Sought, GpuError> {
        let rows = self.constraints.batch(ConstraintKind::Distance).places();
        let rows = rows.min(self.rows.list.rows.capacity());
        let groups = rows.div_ceil(STRAIN_ROWS);
        let h = self.sub_step();
        let strains = &mut self.queries.strains;
        strains.found.ensure(groups)?;
        strains.params.write(0, &StrainParams { rows: rows as u32, h });
        let kernel = match strains.kernel.take() {
            Some(kernel) => kernel,
            None => {
                let constants = [("WORKGROUP", STRAIN_ROWS as u32)];
                Kernel::new(&self.gpu, &kernels::STRAIN_ROWS, &constants)?
            }
        };
        let list = &self.rows.list;
        let bindings = kernel.bind(
            &self.gpu,
            &[
                strains.params.binding(0),
                list.rows.binding(),
                list.slots.binding(),
                self.arrays.vectors.part(POSITIONS).binding(),
                list.ends_of_row.binding(),
                self.rows.impulses.binding(),
                strains.found.binding(),
            ],
        );
        let mut pass = encoder.begin_compute_pass(&Default::default());
        kernel.launch(&mut pass, &bindings, rows as u32);
        drop(pass);
        strains.kernel = Some(kernel);
        let source = (strains.found.raw(), 0..groups);
        let found = ReadBack::record_through(&self.queries.ring, &self.gpu, source, encoder)?;
        Ok(Sought::Strained(found))
    }

    /// The rows that were told of, without those that have died since.
    pub(super) fn read_strains(&self, found: &[[u32; 2]]) -> Vec<Strained> {
        let batch = self.constraints.batch(ConstraintKind::Distance);
        let strained = |&[overload, row]: &[u32; 2]| {
            (overload != 0).then_some(())?;
            Some(Strained {
                row: batch.id_of(row & STRAINED_ROW)?,
                overload: f32::from_bits(overload),
                free: [row & FIRST_FREE != 0, row & SECOND_FREE != 0],
            })
        };
        found.iter().filter_map(strained).collect()
    }
}
