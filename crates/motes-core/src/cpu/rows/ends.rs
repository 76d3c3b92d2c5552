//! The ends of rows, participant by participant, eight participants side by side.
//!
//! Both ends of a row work it out, each for itself and to the same bits: so nothing passes between participants but their
//! positions, and an iteration is one pass.

use glam::Vec4;
use rayon::prelude::*;

use super::super::shapes::NONE;
use super::Times;
use super::jacobi::{DivideChunk, RespondChunk, SolveChunk};
use crate::constraints::chebyshev::Pace;
use crate::cpu::vector;
use crate::store::batch::{ALIVE, Batch, acts};

/// Participants side by side.
pub(super) const SIDE: usize = 8;
/// Participants of a task. Fixed, so that results do not depend on the number of threads.
pub(super) const TASK: usize = 256;

/// A number for each of the participants side by side.
pub(super) type Side = [f32; SIDE];

/// One end each of eight participants. Where one has fewer ends, itself, at no distance.
#[derive(Clone, Copy, Default)]
pub(super) struct Ends {
    pub(super) partners: [u32; SIDE],
    pub(super) rest: Side,
    /// What is asked for in the sub-step.
    pub(super) target: Side,
    pub(super) compliance: Side,
    pub(super) step: Side,
    pub(super) impulse: Side,
    /// What the last iteration changed it by.
    pub(super) last: Side,
}

/// The rows of these ends, and how far they yield; infinite for those that do nothing.
#[derive(Clone, Copy)]
pub(super) struct Origins {
    rows: [u32; SIDE],
    pub(super) softness: Side,
}

/// The ends of the participants of a task.
#[derive(Default)]
pub(super) struct Chunk {
    /// Where those of each eight begin; one more at the end.
    pub(super) starts: Vec<u32>,
    pub(super) ends: Vec<Ends>,
    pub(super) origins: Vec<Origins>,
}

/// All ends.
#[derive(Default)]
pub(super) struct EndLists {
    pub(super) chunks: Vec<Chunk>,
    /// Effective inverse mass of each participant for any one of its rows.
    mobilities: Vec<f32>,
    /// Whether no row acts in the sub-step.
    pub(super) rests: bool,
    /// Positions after the present iteration.
    next: Vec<Vec4>,
    /// Where both ends of each row are: chunk, and end within it; none for the dead.
    places: Vec<[[u32; 2]; 2]>,
}

impl EndLists {
    pub(super) fn new(batch: &Batch, numbers: &[u32], count: usize) -> Self {
        let alive = |row: &usize| batch.states()[*row] & ALIVE != 0;
        let rows = || (0..batch.places()).filter(alive);
        let ends_of = |row: usize| {
            let number = |end: usize| numbers[batch.particles_of(row)[end].index as usize] as usize;
            [number(0), number(1)]
        };
        let mut counts = vec![0u32; count];
        rows().flat_map(ends_of).for_each(|number| counts[number] += 1);
        let mut lists = Self {
            chunks: counts.chunks(TASK).map(Chunk::new).collect(),
            mobilities: vec![0.0; count],
            rests: false,
            next: vec![Vec4::ZERO; count],
            places: vec![[[NONE; 2]; 2]; batch.places()],
        };
        for (number, chunk) in lists.chunks.iter_mut().enumerate() {
            chunk.point_home((number * TASK) as u32, count as u32);
        }
        let mut filled = vec![0u32; count];
        for row in rows() {
            let [a, b] = ends_of(row);
            lists.places[row] = [lists.list(a, b, row, &mut filled), lists.list(b, a, row, &mut filled)];
        }
        lists
    }

    fn list(&mut self, own: usize, other: usize, row: usize, filled: &mut [u32]) -> [u32; 2] {
        let (chunk, within) = (own / TASK, own % TASK);
        let (eight, lane) = (within / SIDE, within % SIDE);
        let lists = &mut self.chunks[chunk];
        let place = (lists.starts[eight] + filled[own]) as usize;
        filled[own] += 1;
        lists.ends[place].partners[lane] = other as u32;
        lists.origins[place].rows[lane] = row as u32;
        [chunk as u32, (place * SIDE + lane) as u32]
    }

    /// Fetches rest values and softnesses of all rows.
    pub(super) fn fill(&mut self, batch: &Batch, slots: &[u32]) {
        self.chunks.par_iter_mut().enumerate().for_each(|(number, chunk)| {
            for eight in 0..chunk.starts.len() - 1 {
                for place in chunk.starts[eight] as usize..chunk.starts[eight + 1] as usize {
                    let (ends, origins) = (&mut chunk.ends[place], &mut chunk.origins[place]);
                    for lane in 0..SIDE {
                        let row = origins.rows[lane];
                        let own = number * TASK + eight * SIDE + lane;
                        let there = |number: usize| slots.get(number).is_some_and(|&slot| slot != NONE);
                        let alive = row != NONE && there(own) && there(ends.partners[lane] as usize);
                        let act = alive && acts(batch.states()[row as usize]);
                        ends.rest[lane] = if act { batch.rest()[row as usize] } else { 0.0 };
                        origins.softness[lane] = if act {
                            batch.softness()[row as usize]
                        } else {
                            f32::INFINITY
                        };
                    }
                }
            }
        });
    }

    /// Begins a sub-step: no row has done anything yet, and the masses of participants are shared among their rows.
    pub(super) fn begin(&mut self, at_start: &[Vec4], positions: &[Vec4], times: Times) {
        (&self.chunks, self.mobilities.par_chunks_mut(TASK))
            .into_par_iter()
            .enumerate()
            .for_each(|(number, (chunk, mobilities))| {
                vector::run(DivideChunk {
                    chunk,
                    positions,
                    first: number * TASK,
                    mobilities,
                });
            });
        let mobilities = &self.mobilities;
        self.rests = mobilities
            .par_iter()
            .with_min_len(TASK)
            .all(|&mobility| mobility <= 0.0);
        self.chunks.par_iter_mut().enumerate().for_each(|(number, chunk)| {
            vector::run(RespondChunk {
                chunk,
                at_start,
                positions,
                mobilities,
                first: number * TASK,
                times,
            });
        });
    }

    /// One iteration at a pace.
    pub(super) fn solve(&mut self, positions: &mut Vec<Vec4>, pace: Pace) {
        let mobilities = self.mobilities.par_chunks(TASK);
        (&mut self.chunks, self.next.par_chunks_mut(TASK), mobilities)
            .into_par_iter()
            .enumerate()
            .for_each(|(number, (chunk, next, mobilities))| {
                vector::run(SolveChunk {
                    chunk,
                    positions,
                    first: number * TASK,
                    next,
                    mobilities,
                    pace,
                });
            });
        std::mem::swap(positions, &mut self.next);
    }

    /// What a row asks for in the sub-step, its compliance divided by the square of that, and what it has done so far; none if it does nothing.
    pub(super) fn so_far(&self, row: u32) -> Option<[f32; 3]> {
        let found = self.places[row as usize].into_iter().find_map(|[chunk, place]| {
            let ends = &self.chunks.get(chunk as usize)?.ends[place as usize / SIDE];
            let lane = place as usize % SIDE;
            (ends.step[lane] != 0.0).then(|| [ends.target[lane], ends.compliance[lane], ends.impulse[lane]])
        });
        found.filter(|[_, compliance, _]| *compliance >= 0.0)
    }

    /// Adds to what a row has done in the sub-step. Iterations do not go on from there.
    pub(super) fn change(&mut self, row: u32, more: f32) {
        for [chunk, place] in self.places[row as usize] {
            if let Some(chunk) = self.chunks.get_mut(chunk as usize) {
                let (ends, lane) = (&mut chunk.ends[place as usize / SIDE], place as usize % SIDE);
                if ends.step[lane] != 0.0 {
                    ends.impulse[lane] += more;
                    ends.last[lane] = 0.0;
                }
            }
        }
    }

    /// Tells what each row has done in the sub-step.
    pub(super) fn impulses(&self, to: &mut [f32]) {
        let at = |[chunk, place]: [u32; 2]| {
            let chunk = self.chunks.get(chunk as usize)?;
            Some(chunk.ends[place as usize / SIDE].impulse[place as usize % SIDE])
        };
        let rows = to.par_iter_mut().zip(&self.places).with_min_len(TASK);
        rows.for_each(|(to, &ends)| {
            if let [Some(first), Some(second)] = ends.map(at) {
                // An end that cannot move does not know.
                *to = if first == 0.0 { second } else { first };
            }
        });
    }

    pub(super) fn memory_bytes(&self) -> usize {
        let chunks = self.chunks.iter().map(|chunk| {
            4 * chunk.starts.capacity()
                + size_of::<Ends>() * chunk.ends.capacity()
                + size_of::<Origins>() * chunk.origins.capacity()
        });
        chunks.sum::<usize>() + 4 * self.mobilities.capacity() + 16 * self.next.capacity() + 16 * self.places.capacity()
    }
}

impl Chunk {
    /// Room for as many ends as each participant has.
    fn new(counts: &[u32]) -> Self {
        let mut starts = vec![0];
        for eight in counts.chunks(SIDE) {
            let most = eight.iter().max().copied().unwrap_or(0);
            starts.push(starts[starts.len() - 1] + most);
        }
        let room = starts[starts.len() - 1] as usize;
        let nothing = Origins {
            rows: [NONE; SIDE],
            softness: [f32::INFINITY; SIDE],
        };
        Self {
            starts,
            ends: vec![Ends::default(); room],
            origins: vec![nothing; room],
        }
    }

    /// Has all ends lead back to their participants, of whom there are `count`.
    fn point_home(&mut self, first: u32, count: u32) {
        for eight in 0..self.starts.len() - 1 {
            for place in self.starts[eight] as usize..self.starts[eight + 1] as usize {
                for lane in 0..SIDE {
                    let home = first + (eight * SIDE + lane) as u32;
                    self.ends[place].partners[lane] = home.min(count - 1);
                }
            }
        }
    }
}
