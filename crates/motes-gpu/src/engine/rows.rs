//! Distances of the store on the device, besides what all rows have: what broke and the impulses are read back.

use std::sync::Arc;

use bytemuck::{Pod, Zeroable};
use motes_core::constraints::distance::HOLDS;
use motes_core::engine::Frame;
use motes_core::glam::Vec4;
use motes_core::store::batch::{ALIVE, Batch};
use motes_core::{ConstraintKind, Settings};

use crate::buffers::{Buffer, Uniforms};
use crate::device::Gpu;
use crate::error::GpuError;
use crate::launch::Launch;
use crate::readback::ReadBack;
use crate::recorder::Recorder;

use super::State;
use super::hauling::Hauling;
use super::row_list::RowList;
use super::strands::DeviceStrands;

/// A round of holding rows: `HoldRound` in `lib/hold_round.wgsl`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct HoldRound {
    pub(crate) round: u32,
}

impl HoldRound {
    fn all(gpu: &Gpu) -> Result<Uniforms<Self>, GpuError> {
        let rounds = Uniforms::new(gpu, "rounds of holding rows", HOLDS as usize)?;
        for round in 0..HOLDS {
            rounds.write(round as usize, &Self { round });
        }
        Ok(rounds)
    }
}

/// The distances of a world on the device.
pub(crate) struct DeviceRows {
    gpu: Gpu,
    pub(super) list: RowList,
    /// Of each row that broke, the mark of its generation.
    pub(super) broken: Buffer<u32>,
    /// A bit for each row that broke in the frame.
    pub(super) news: Buffer<u32>,
    /// What an iteration needs of each end, what it has done, and where it leads.
    pub(super) ends: Buffer<[u32; 4]>,
    pub(super) impulses: Buffer<f32>,
    /// What the last iteration changed the impulses by.
    pub(super) changes: Buffer<f32>,
    pub(super) mobilities: Buffer<f32>,
    pub(super) moved: Buffer<Vec4>,
    /// Of each round of holding rows how many participants it had to move, and which round it is.
    pub(super) held: Buffer<u32>,
    pub(super) rounds: Uniforms<HoldRound>,
    pub(super) hauling: Hauling,
    pub(super) strands: DeviceStrands,
    pub(super) fragile: bool,
    /// The store does not know the impulses of the last sub-step.
    pub(super) ahead: bool,
}

impl DeviceRows {
    pub(crate) fn new(gpu: &Gpu) -> Result<Self, GpuError> {
        Ok(Self {
            list: RowList::new(gpu, ConstraintKind::Distance)?,
            broken: Buffer::new(gpu, "broken rows", 1)?,
            news: Buffer::new(gpu, "news of broken rows", 1)?,
            ends: Buffer::new(gpu, "work on rows", 1)?,
            impulses: Buffer::new(gpu, "impulses of rows", 1)?,
            changes: Buffer::new(gpu, "changes of rows", 1)?,
            mobilities: Buffer::new(gpu, "mobilities of participants", 1)?,
            moved: Buffer::new(gpu, "moved participants", 1)?,
            held: Buffer::new(gpu, "rounds of holding rows", HOLDS as usize)?,
            rounds: HoldRound::all(gpu)?,
            hauling: Hauling::new(gpu)?,
            strands: DeviceStrands::new(gpu)?,
            fragile: false,
            ahead: false,
            gpu: gpu.clone(),
        })
    }

    /// Memory on the device, bytes.
    pub(crate) fn bytes(&self) -> u64 {
        let words = [&self.broken, &self.news];
        words.iter().map(|buffer| buffer.bytes()).sum::<u64>()
            + self.list.bytes()
            + self.ends.bytes()
            + self.impulses.bytes()
            + self.changes.bytes()
            + self.mobilities.bytes()
            + self.moved.bytes()
            + self.hauling.bytes()
            + self.strands.bytes()
    }

    /// Writes what changed of the store; says whether memory was replaced.
    fn take_over(&mut self, batch: &mut Batch, settings: &Settings) -> Result<bool, GpuError> {
        let taken = self.list.take_over(batch, settings.constraint_solver)?;
        let mut replaced = taken.replaced;
        let list = &self.list;
        let wanted = settings.direct_strands;
        replaced |= (self.strands).take_over(batch, list.numbering(), wanted, |id| list.number_of(id))?;
        self.hauling.stale |= taken.regrouped;
        if !taken.rows.is_empty() {
            replaced |= self.make_room()?;
            self.fragile = batch.is_fragile();
        }
        Ok(replaced)
    }

    fn make_room(&mut self) -> Result<bool, GpuError> {
        let (rows, participants) = (self.list.rows.capacity(), self.list.participants.capacity());
        let mut encoder = self.gpu.device().create_command_encoder(&Default::default());
        let mut replaced = self.broken.ensure_keeping(rows, &mut encoder)?;
        if replaced {
            self.gpu.queue().submit([encoder.finish()]);
        }
        replaced |= self.news.ensure_exactly(rows.div_ceil(32))?;
        replaced |= self.ends.ensure_exactly(2 * rows)?;
        replaced |= self.impulses.ensure_exactly(2 * rows)?;
        replaced |= self.changes.ensure_exactly(2 * rows)?;
        replaced |= self.mobilities.ensure_exactly(participants)?;
        replaced |= self.moved.ensure_exactly(participants)?;
        Ok(replaced)
    }

    /// Empties what a frame fills, and lists the ends of new rows.
    pub(super) fn begin_frame(
        &mut self,
        recorder: &mut Recorder,
        listing: Option<&[Launch; 3]>,
    ) -> Result<(), GpuError> {
        if self.fragile {
            recorder.encoder().clear_buffer(self.news.raw(), 0, None);
        }
        self.list.begin_frame(recorder, listing)
    }

    /// Those that broke in the frame being recorded.
    pub(super) fn report(&self, encoder: &mut wgpu::CommandEncoder) -> Result<Option<ReadBack<u32>>, GpuError> {
        if !self.fragile {
            return Ok(None);
        }
        self.news.read_in(0..self.news.capacity(), encoder).map(Some)
    }
}

impl State {
    /// Brings changes of the store to the device; says whether launches have to be made anew.
    pub(super) fn take_over_rows(&mut self, frame: &Frame) -> Result<bool, GpuError> {
        let solver = frame.settings.constraint_solver;
        let constraints = Arc::make_mut(&mut self.constraints);
        let mut replaced = self
            .bends
            .take_over(constraints.batch_mut(ConstraintKind::Bending), solver)?;
        let faces = constraints.batch_mut(ConstraintKind::Face);
        replaced |= self.faces.take_over(faces, &frame.air)?;
        replaced |= self.balloons.take_over(constraints)?;
        let batch = constraints.batch_mut(ConstraintKind::Distance);
        if batch.is_empty() && batch.places() == 0 {
            return Ok(replaced);
        }
        replaced |= self.rows.take_over(batch, &frame.settings)?;
        if self.rows.hauling.stale {
            let shapes = &self.shapes;
            let DeviceRows { hauling, list, .. } = &mut self.rows;
            replaced |= hauling.list(&list.ids, &self.bodies, |id| shapes.member(id, &self.bodies))?;
        }
        Ok(replaced)
    }

    /// Rows die with their particles.
    pub(super) fn bury_rows(&mut self) {
        if std::mem::take(&mut self.may_have_died) && !self.constraints.is_empty() {
            let host = &self.host;
            Arc::make_mut(&mut self.constraints).bury(|id| host.slot(id).is_some(), 0);
            self.rows.list.review(host);
            self.bends.list.review(host);
            self.faces.list.review(host);
        }
    }

    /// Takes in which rows broke in an earlier frame.
    pub(super) fn learn_broken(&mut self, news: &[u32], frames_ago: usize) {
        let mut broken = Vec::new();
        for (word, &bits) in (0..).zip(news) {
            let mut bits = bits;
            while bits != 0 {
                broken.push(32 * word + bits.trailing_zeros());
                bits &= bits - 1;
            }
        }
        Arc::make_mut(&mut self.constraints).report_broken(ConstraintKind::Distance, &broken, frames_ago);
    }

    /// Reads what the rows did in the last sub-step, if the store does not know.
    pub(super) fn download_rows(&mut self) {
        if !std::mem::take(&mut self.rows.ahead) {
            return;
        }
        let read = self
            .read_rows()
            .and_then(|()| self.read_bends())
            .and_then(|()| self.read_balloons());
        self.rows.ahead = matches!(read, Err(GpuError::NotYet));
        self.note(read);
    }

    fn read_rows(&mut self) -> Result<(), GpuError> {
        let batch = Arc::make_mut(&mut self.constraints).batch_mut(ConstraintKind::Distance);
        if self.patches.are_there() {
            return self.patches.read_rows(batch);
        }
        let places = batch.places().min(self.rows.list.ends_of_row.capacity());
        let ends = self.rows.list.ends_of_row.read(0..places)?.wait()?;
        let impulses = self.rows.impulses.read(0..self.rows.impulses.capacity())?.wait()?;
        for (row, ends) in ends.iter().enumerate() {
            let alive = batch.states()[row] & ALIVE != 0;
            // An end that cannot move does not know.
            let [a, b] = ends.map(|end| impulses.get(end as usize).copied().unwrap_or(0.0));
            let impulse = if a.abs() > b.abs() { a } else { b };
            batch.impulses_mut()[row] = if alive { impulse } else { 0.0 };
        }
        Ok(())
    }
}
