//! Curvatures of the store on the device, besides what all rows have, and the kernels that solve them.

use std::sync::Arc;

use bytemuck::{Pod, Zeroable};
use motes_core::glam::{Vec4, Vec4Swizzles};
use motes_core::store::batch::{ALIVE, Batch};
use motes_core::{ConstraintKind, ConstraintSolver};

use super::State;
use super::features::Features;
use super::row_list::RowList;
use super::stages::{Bound, WORKGROUP};
use crate::buffers::Buffer;
use crate::device::Gpu;
use crate::error::GpuError;
use crate::kernel::Source;
use crate::kernels;
use crate::launch::Launch;

/// What an iteration needs of a row: `Bend` in `lib/bend.wgsl`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct Bend {
    pub(crate) slots: [u32; 4],
    pub(crate) weights: [f32; 4],
    pub(crate) rest: f32,
    pub(crate) compliance: f32,
    pub(crate) step: f32,
    pub(crate) unused: f32,
}

/// The curvatures of a world on the device.
pub(crate) struct DeviceBends {
    gpu: Gpu,
    pub(super) list: RowList,
    pub(super) weights: Buffer<[f32; 4]>,
    pub(super) bends: Buffer<Bend>,
    /// What each row has done in the sub-step, and did last.
    pub(super) impulses: Buffer<Vec4>,
    pub(super) changes: Buffer<Vec4>,
    /// Of each participant, the sum of its weights.
    pub(super) totals: Buffer<f32>,
}

impl DeviceBends {
    pub(super) fn new(gpu: &Gpu) -> Result<Self, GpuError> {
        Ok(Self {
            gpu: gpu.clone(),
            list: RowList::new(gpu, ConstraintKind::Bending)?,
            weights: Buffer::new(gpu, "weights of curvatures", 1)?,
            bends: Buffer::new(gpu, "work on curvatures", 1)?,
            impulses: Buffer::new(gpu, "impulses of curvatures", 1)?,
            changes: Buffer::new(gpu, "changes of curvatures", 1)?,
            totals: Buffer::new(gpu, "weights of participants", 1)?,
        })
    }

    /// Memory on the device, bytes.
    pub(super) fn bytes(&self) -> u64 {
        self.list.bytes()
            + self.weights.bytes()
            + self.bends.bytes()
            + self.impulses.bytes()
            + self.changes.bytes()
            + self.totals.bytes()
    }

    /// Writes what changed of the store; says whether memory was replaced.
    pub(super) fn take_over(&mut self, batch: &mut Batch, solver: ConstraintSolver) -> Result<bool, GpuError> {
        if batch.places() == 0 {
            return Ok(false);
        }
        let taken = self.list.take_over(batch, solver)?;
        if taken.rows.is_empty() {
            return Ok(taken.replaced);
        }
        let (rows, participants) = (self.list.rows.capacity(), self.list.participants.capacity());
        let mut encoder = self.gpu.device().create_command_encoder(&Default::default());
        let mut replaced = self.weights.ensure_keeping(rows, &mut encoder)?;
        if replaced {
            self.gpu.queue().submit([encoder.finish()]);
        }
        replaced |= self.bends.ensure_exactly(rows)?;
        replaced |= self.impulses.ensure_exactly(rows)?;
        replaced |= self.changes.ensure_exactly(rows)?;
        replaced |= self.totals.ensure_exactly(participants)?;
        for run in taken.rows.chunk_by(|a, b| a + 1 == *b) {
            let (first, last) = (run[0] as usize, run[run.len() - 1] as usize);
            self.weights.write(first, &batch.weights()[first..=last]);
        }
        Ok(replaced || taken.replaced)
    }
}

/// Launches for the curvatures of a world.
pub(crate) struct BendStages {
    /// What lists the rows of participants, where all are solved at once.
    pub(crate) listing: Option<[Launch; 3]>,
    /// Where all are solved at once, how masses are shared among rows.
    divide: Option<Launch>,
    /// The first time in a sub-step.
    begin: Vec<Launch>,
    /// Every iteration.
    solve: Vec<Launch>,
}

impl BendStages {
    /// None without curvatures.
    pub(crate) fn new(bound: Bound<'_>) -> Option<Self> {
        if !bound.has(Features::BENDS) {
            return None;
        }
        let all_at_once = !bound.has(Features::BY_COLOR);
        let (d, list) = (bound.bends, &bound.bends.list);
        let (params, row_params) = (|| bound.params(), || list.params.binding(0));
        let (vectors, slots) = (|| bound.arrays.vectors.binding(), || list.slots.binding());
        let (starts, members) = (|| list.starts.binding(), || list.members.binding());
        let (rows, weights, totals) = (|| list.rows.binding(), || d.weights.binding(), || d.totals.binding());
        let (bends, impulses) = (|| d.bends.binding(), || d.impulses.binding());
        let (row_room, participants) = (list.rows.capacity(), list.slots.capacity());
        let launch = |source: &Source, resources: &[wgpu::BindingResource<'_>], threads: usize| {
            bound.launch(&bound.kernel(source), resources, threads)
        };
        let divide = all_at_once.then(|| {
            let resources = [row_params(), starts(), slots(), members(), rows(), weights(), totals()];
            launch(&kernels::DIVIDE_BENDS, &resources, participants)
        });
        let mut begin = Vec::new();
        let respond = bound.kernel_with(&kernels::RESPOND_BENDS, &[("ALL_AT_ONCE", u32::from(all_at_once))]);
        begin.push(bound.launch(
            &respond,
            &[
                params(),
                row_params(),
                vectors(),
                slots(),
                rows(),
                weights(),
                totals(),
                bends(),
                impulses(),
            ],
            row_room,
        ));
        let changes = || d.changes.binding();
        let solve = if all_at_once {
            vec![
                launch(
                    &kernels::SOLVE_BENDS,
                    &[params(), row_params(), vectors(), bends(), impulses(), changes()],
                    row_room,
                ),
                launch(
                    &kernels::MOVE_BENDS,
                    &[
                        params(),
                        row_params(),
                        vectors(),
                        starts(),
                        slots(),
                        members(),
                        weights(),
                        changes(),
                    ],
                    participants,
                ),
            ]
        } else {
            let colors = list.color_counts.iter().enumerate().filter(|&(_, &count)| count > 0);
            let solve = colors.map(|(color, &count)| {
                let crowded = color + 1 == list.color_counts.len();
                let resources = [
                    params(),
                    list.colors.binding(color),
                    vectors(),
                    list.order.binding(),
                    bends(),
                    impulses(),
                ];
                let threads = if crowded { WORKGROUP as usize } else { count as usize };
                launch(&kernels::SOLVE_BEND_COLOR, &resources, threads)
            });
            solve.collect()
        };
        Some(Self {
            listing: all_at_once.then(|| list.listing(bound)),
            divide,
            begin,
            solve,
        })
    }

    /// Finds out how masses are shared, the first time in a frame: rows act in all of it or not at all.
    pub(crate) fn divide(&self, substep: u32, pass: &mut wgpu::ComputePass<'_>) {
        let divide = self.divide.iter().filter(|_| substep == 0);
        divide.for_each(|launch| launch.encode(pass));
    }

    /// One iteration.
    pub(crate) fn solve(&self, substep: u32, first: bool, pass: &mut wgpu::ComputePass<'_>) {
        if first {
            self.divide(substep, pass);
            self.begin.iter().for_each(|launch| launch.encode(pass));
        }
        self.solve.iter().for_each(|launch| launch.encode(pass));
    }
}

impl State {
    /// Reads what the curvatures did in the last sub-step.
    pub(super) fn read_bends(&mut self) -> Result<(), GpuError> {
        let batch = Arc::make_mut(&mut self.constraints).batch_mut(ConstraintKind::Bending);
        if batch.is_empty() {
            return Ok(());
        }
        if self.patches.are_there() {
            return self.patches.read_bends(batch);
        }
        let places = batch.places().min(self.bends.impulses.capacity());
        let impulses = self.bends.impulses.read(0..places)?.wait()?;
        for (row, impulse) in impulses.iter().enumerate() {
            let alive = batch.states()[row] & ALIVE != 0;
            batch.impulses_mut()[row] = if alive { impulse.xyz().length() } else { 0.0 };
        }
        Ok(())
    }
}
