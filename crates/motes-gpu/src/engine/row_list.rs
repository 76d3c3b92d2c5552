//! Rows of one kind on the device: what changed of the store is uploaded, and which ends a participant has the device finds out
//! by itself when rows were added, so that nothing but the new rows is uploaded.
//!
//! Rows keep the places that they have in the store.

use bytemuck::{Pod, Zeroable};
use motes_core::store::batch::{ALIVE, Batch};
use motes_core::store::{COLORS, CROWDED};
use motes_core::{ConstraintKind, ConstraintSolver, ParticleId, Particles};

use crate::buffers::{Buffer, Uniforms};
use crate::device::Gpu;
use crate::error::GpuError;
use crate::kernel::{Source, Variant};
use crate::kernels;
use crate::launch::Launch;
use crate::recorder::Recorder;
use crate::scan::{Scan, ScanKernels};

use super::stages::Bound;

/// One row: `Row` in `lib/row.wgsl`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct Row {
    pub(crate) particles: [u32; 4],
    pub(crate) rest: f32,
    pub(crate) softness: f32,
    pub(crate) limit: f32,
    pub(crate) state: u32,
}

/// How many there are: `RowParams` in `lib/row.wgsl`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct RowParams {
    pub(crate) participants: u32,
    pub(crate) rows: u32,
    pub(crate) indices: u32,
    pub(crate) unused: u32,
}

/// Rows of one colour: `Color` in `solve_color.wgsl`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct Color {
    pub(crate) first: u32,
    pub(crate) count: u32,
    pub(crate) crowded: u32,
    pub(crate) unused: u32,
}

pub(crate) const NOBODY: u32 = u32::MAX;

/// Participants that are not worth numbering anew.
const FEW: usize = 1024;

/// The lowest bit of the generation in `Row::state`.
pub(crate) const ROW_GENERATION: u32 = 8;

/// The rows of a kind, and the participants: the particles that have any.
pub(crate) struct RowList {
    gpu: Gpu,
    kind: ConstraintKind,
    pub(super) params: Uniforms<RowParams>,
    pub(super) rows: Buffer<Row>,
    /// Index of the id of each participant, and the participant by index of an id.
    pub(super) participants: Buffer<u32>,
    pub(super) numbers: Buffer<u32>,
    pub(super) slots: Buffer<u32>,
    /// Where the ends of each participant end, the row and the partner of each end, and both ends of each row.
    pub(super) starts: Buffer<u32>,
    pub(super) members: Buffer<[u32; 2]>,
    pub(super) ends_of_row: Buffer<[u32; 2]>,
    /// The rows colour by colour.
    pub(super) order: Buffer<u32>,
    pub(super) colors: Uniforms<Color>,
    /// Rows of each colour.
    pub(super) color_counts: Vec<u32>,
    scan: Option<Scan>,
    /// Who the participants are, and the number of each by the index of its id.
    pub(super) ids: Vec<ParticleId>,
    known: Vec<u32>,
    /// Indices whose participants the device knows, be it that they have none.
    told: usize,
    /// Participants, dead ones among them, at which all are numbered anew.
    most: usize,
    /// What was known of the store when ends were listed.
    additions: u64,
    /// Counts how often participants were numbered anew.
    numbering: u64,
    solver: Option<ConstraintSolver>,
    /// Ends have to be listed before the next sub-step.
    unlisted: bool,
}

/// What taking over the rows of a kind came to.
#[derive(Default)]
pub(super) struct Taken {
    /// Memory was replaced, or rows have other colours: launches have to be made anew.
    pub(super) replaced: bool,
    /// Rows that are written, in ascending order.
    pub(super) rows: Vec<u32>,
    /// Participants or their rows are others.
    pub(super) regrouped: bool,
}

impl RowList {
    pub(super) fn new(gpu: &Gpu, kind: ConstraintKind) -> Result<Self, GpuError> {
        Ok(Self {
            kind,
            params: Uniforms::new(gpu, "row params", 1)?,
            rows: Buffer::new(gpu, "rows", 1)?,
            participants: Buffer::new(gpu, "participants", 1)?,
            numbers: Buffer::new(gpu, "numbers of participants", 1)?,
            slots: Buffer::new(gpu, "slots of participants", 1)?,
            starts: Buffer::new(gpu, "starts of ends", 2)?,
            members: Buffer::new(gpu, "ends of rows", 1)?,
            ends_of_row: Buffer::new(gpu, "both ends of rows", 1)?,
            order: Buffer::new(gpu, "rows by colour", 1)?,
            colors: Uniforms::new(gpu, "colours of rows", COLORS)?,
            color_counts: Vec::new(),
            scan: None,
            ids: Vec::new(),
            known: Vec::new(),
            told: 0,
            most: FEW,
            additions: 0,
            numbering: 0,
            solver: None,
            unlisted: false,
            gpu: gpu.clone(),
        })
    }

    /// Memory on the device, bytes.
    pub(super) fn bytes(&self) -> u64 {
        let words = [
            &self.participants,
            &self.numbers,
            &self.slots,
            &self.starts,
            &self.order,
        ];
        words.iter().map(|buffer| buffer.bytes()).sum::<u64>()
            + self.rows.bytes()
            + self.members.bytes()
            + self.ends_of_row.bytes()
    }

    /// Participants that may be alive, with their numbers.
    pub(super) fn present(&self) -> impl Iterator<Item = (u32, ParticleId)> {
        let numbered = (0..).zip(self.ids.iter().copied());
        numbered.filter(|&(number, id)| self.known[id.index as usize] == number)
    }

    /// The number of a participant.
    pub(super) fn number_of(&self, id: ParticleId) -> u32 {
        self.known[id.index as usize]
    }

    /// Indices among which participants are.
    pub(super) fn indices(&self) -> usize {
        self.known.len()
    }

    /// Changes when participants get other numbers.
    pub(super) fn numbering(&self) -> u64 {
        self.numbering
    }

    /// Takes note that an index has been given to a new particle: the participant that had it is dead.
    pub(super) fn reuse(&mut self, index: u32) {
        if let Some(number) = self.known.get_mut(index as usize)
            && std::mem::replace(number, NOBODY) != NOBODY
        {
            self.numbers.write(index as usize, &[NOBODY]);
        }
    }

    /// Forgets participants that are dead, before the particles of the host are uploaded.
    pub(super) fn review(&mut self, particles: &Particles) {
        for id in &self.ids {
            let number = &mut self.known[id.index as usize];
            if *number != NOBODY && self.ids[*number as usize] == *id && particles.slot(*id).is_none() {
                *number = NOBODY;
                self.numbers.write(id.index as usize, &[NOBODY]);
            }
        }
    }

    /// Writes what changed of the store.
    pub(super) fn take_over(&mut self, batch: &mut Batch, solver: ConstraintSolver) -> Result<Taken, GpuError> {
        let mut taken = Taken {
            rows: batch.take_changed(),
            ..Taken::default()
        };
        if !taken.rows.is_empty() {
            let mut first_new = self.ids.len();
            self.enroll(batch, &taken.rows);
            if self.ids.len() > self.most {
                taken.rows = (0..batch.places() as u32).collect();
                first_new = 0;
                self.ids.clear();
                self.numbering += 1;
                self.known.fill(NOBODY);
                self.enroll(batch, &taken.rows);
                self.most = 2 * self.ids.len().max(FEW);
                self.unlisted = true;
                taken.regrouped = true;
            }
            taken.replaced = self.make_room(batch.places())?;
            self.write_participants(first_new);
            for run in taken.rows.chunk_by(|a, b| a + 1 == *b) {
                let rows: Vec<Row> = run.iter().map(|&row| self.pack(batch, row as usize)).collect();
                self.rows.write(run[0] as usize, &rows);
            }
        }
        if self.additions != batch.additions() || self.solver != Some(solver) {
            self.additions = batch.additions();
            taken.regrouped = true;
            self.solver = Some(solver);
            self.unlisted = true;
            if solver == ConstraintSolver::GaussSeidel {
                taken.replaced |= self.order_by_color(batch)?;
            }
        }
        self.params.write(
            0,
            &RowParams {
                participants: self.ids.len() as u32,
                rows: batch.places() as u32,
                indices: self.known.len() as u32,
                unused: 0,
            },
        );
        Ok(taken)
    }

    /// Numbers the particles of new rows that have none yet.
    fn enroll(&mut self, batch: &Batch, rows: &[u32]) {
        let living = rows.iter().filter(|&&row| batch.id_of(row).is_some());
        for &id in living.flat_map(|&row| batch.particles_of(row as usize)) {
            let index = id.index as usize;
            if self.known.len() <= index {
                self.known.resize(index + 1, NOBODY);
            }
            let number = self.known[index];
            if number == NOBODY || self.ids[number as usize] != id {
                self.known[index] = self.ids.len() as u32;
                self.ids.push(id);
            }
        }
    }

    fn make_room(&mut self, rows: usize) -> Result<bool, GpuError> {
        let mut encoder = self.gpu.device().create_command_encoder(&Default::default());
        let mut replaced = self.rows.ensure_keeping(rows, &mut encoder)?;
        replaced |= self.numbers.ensure_keeping(self.known.len(), &mut encoder)?;
        replaced |= self.participants.ensure_keeping(self.ids.len(), &mut encoder)?;
        if replaced {
            // Before anything is written to the new memory.
            self.gpu.queue().submit([encoder.finish()]);
        }
        let (rows, participants) = (self.rows.capacity(), self.participants.capacity());
        replaced |= self.ends_of_row.ensure_exactly(rows)?;
        replaced |= self.members.ensure_exactly(self.kind.width() * rows)?;
        replaced |= self.slots.ensure_exactly(participants)?;
        replaced |= self.starts.ensure_exactly(participants + 1)?;
        Ok(replaced)
    }

    fn write_participants(&mut self, first_new: usize) {
        let new = &self.ids[first_new..];
        let indices: Vec<u32> = new.iter().map(|id| id.index).collect();
        self.participants.write(first_new, &indices);
        let told = if first_new == 0 { 0 } else { self.told };
        self.numbers.write(told, &self.known[told..]);
        self.told = self.known.len();
        let mut indices: Vec<u32> = indices.into_iter().filter(|&index| (index as usize) < told).collect();
        indices.sort_unstable();
        for run in indices.chunk_by(|a, b| a + 1 == *b) {
            let (first, last) = (run[0] as usize, run[run.len() - 1] as usize);
            self.numbers.write(first, &self.known[first..=last]);
        }
    }

    fn pack(&self, batch: &Batch, row: usize) -> Row {
        let state = u32::from(batch.states()[row]);
        let Some(id) = batch.id_of(row as u32).filter(|_| state & u32::from(ALIVE) != 0) else {
            return Row::default();
        };
        let mut particles = [0; 4];
        for (number, id) in particles.iter_mut().zip(batch.particles_of(row)) {
            *number = self.known[id.index as usize];
        }
        Row {
            particles,
            rest: batch.rest()[row],
            softness: batch.softness()[row],
            // Kernels may be compiled as if there were no infinity.
            limit: batch.breaking_force()[row].min(f32::MAX),
            state: state | id.generation << ROW_GENERATION,
        }
    }

    /// Lists the rows colour by colour.
    fn order_by_color(&mut self, batch: &Batch) -> Result<bool, GpuError> {
        let mut rows: Vec<u32> = batch.ids().map(|id| id.index).collect();
        rows.sort_by_key(|&row| batch.colors()[row as usize]);
        let mut counts = vec![0; COLORS];
        for &row in &rows {
            counts[batch.colors()[row as usize] as usize] += 1;
        }
        let mut first = 0;
        for (color, &count) in counts.iter().enumerate() {
            let crowded = u32::from(color == CROWDED as usize);
            let unused = 0;
            self.colors.write(
                color,
                &Color {
                    first,
                    count,
                    crowded,
                    unused,
                },
            );
            first += count;
        }
        let replaced = self.order.ensure(rows.len())?;
        self.order.write(0, &rows);
        let same = std::mem::replace(&mut self.color_counts, counts) == self.color_counts;
        Ok(replaced || !same)
    }

    /// Empties what a frame fills; and where rows were added, has the device list their ends by `listing`: how to count them,
    /// to fill the lists and to sort them.
    pub(super) fn begin_frame(
        &mut self,
        recorder: &mut Recorder,
        listing: Option<&[Launch; 3]>,
    ) -> Result<(), GpuError> {
        let encoder = recorder.encoder();
        encoder.clear_buffer(self.slots.raw(), 0, None);
        let Some([count, fill, sort]) = listing.filter(|_| self.unlisted) else {
            return Ok(());
        };
        self.unlisted = false;
        encoder.clear_buffer(self.starts.raw(), 0, None);
        let mut scan = match self.scan.take() {
            Some(scan) => scan,
            None => Scan::new(&ScanKernels::new(&self.gpu, Variant::best(&self.gpu))?)?,
        };
        scan.prepare(&self.starts, self.slots.capacity())?;
        let pass = recorder.stage(motes_core::engine::timings::Stage::Population.name());
        count.encode(pass);
        scan.encode(pass);
        fill.encode(pass);
        sort.encode(pass);
        self.scan = Some(scan);
        Ok(())
    }

    /// The launches that list the ends of participants.
    pub(super) fn listing(&self, bound: Bound<'_>) -> [Launch; 3] {
        let (params, rows) = (|| self.params.binding(0), || self.rows.binding());
        let (starts, members) = (|| self.starts.binding(), || self.members.binding());
        let width = [("WIDTH", self.kind.width() as u32)];
        let launch = |source: &Source, resources: &[wgpu::BindingResource<'_>], threads: usize| {
            bound.launch(&bound.kernel_with(source, &width), resources, threads)
        };
        let (rows_there, participants) = (self.rows.capacity(), self.slots.capacity());
        [
            launch(&kernels::COUNT_ENDS, &[params(), rows(), starts()], rows_there),
            launch(
                &kernels::FILL_ENDS,
                &[params(), rows(), starts(), members()],
                rows_there,
            ),
            bound.launch(
                &bound.kernel(&kernels::SORT_ENDS),
                &[params(), rows(), starts(), members(), self.ends_of_row.binding()],
                participants,
            ),
        ]
    }
}
