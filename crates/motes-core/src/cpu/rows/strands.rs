//! Strands of rows, tightened after every iteration over all rows, eight side by side.

use glam::Vec4;
use rayon::prelude::*;

use super::Solver;
use crate::constraints::distance::SAME_PLACE;
use crate::constraints::strand::{SIDE, Side, Strands, shortest};
use crate::cpu::vector::{self, Kernel};
use crate::store::batch::Batch;
use crate::store::strands::strands_of;

/// The strands of a world, eight by eight; those that are about as long are together.
#[derive(Default)]
pub(super) struct StrandWork {
    eights: Vec<Eight>,
}

/// Eight strands, or fewer.
#[derive(Default)]
struct Eight {
    strands: Vec<Listed>,
    work: Strands,
    /// What links are not shortened below in the sub-step, metres.
    shortest: Vec<Side>,
}

/// Where the participants start a sub-step of so many seconds, and how fast they go then.
pub(super) struct Start<'a> {
    pub(super) positions: &'a [Vec4],
    pub(super) velocities: &'a [Vec4],
    pub(super) h: f32,
}

/// One strand: its rows, and its participants, one more.
struct Listed {
    rows: Vec<u32>,
    members: Vec<u32>,
    /// How many strands its first and its last participant end.
    shared: [f32; 2],
}

struct Tighten<'a>(&'a mut Strands);

impl Kernel for Tighten<'_> {
    #[inline(always)]
    fn run(self) {
        self.0.tighten();
    }
}

impl StrandWork {
    pub(super) fn new(batch: &Batch, numbers: &[u32], participants: usize) -> Self {
        let mut ends = vec![0u32; participants];
        let mut lists: Vec<Listed> = strands_of(batch)
            .into_iter()
            .map(|strand| Listed {
                rows: strand.rows,
                members: strand.particles.iter().map(|id| numbers[id.index as usize]).collect(),
                shared: [1.0; 2],
            })
            .collect();
        for list in &lists {
            list.ends().into_iter().for_each(|end| ends[end] += 1);
        }
        for list in &mut lists {
            list.shared = list.ends().map(|end| ends[end] as f32);
        }
        lists.sort_by_key(|list| list.rows.len());
        let mut eights = Vec::new();
        let mut rest = lists.into_iter().peekable();
        while rest.peek().is_some() {
            eights.push(Eight {
                strands: rest.by_ref().take(SIDE).collect(),
                ..Eight::default()
            });
        }
        Self { eights }
    }

    /// Begins a sub-step, once rows know what they ask for.
    pub(super) fn begin(&mut self, solver: &Solver, start: &Start<'_>) {
        self.eights.par_iter_mut().for_each(|eight| eight.begin(solver, start));
    }

    /// Tightens them all, with what rows have done so far.
    pub(super) fn solve(&mut self, solver: &mut Solver, positions: &mut [Vec4]) {
        let (seen, there) = (&*solver, &*positions);
        self.eights.par_iter_mut().for_each(|eight| eight.tighten(seen, there));
        for eight in &self.eights {
            for (lane, strand) in eight.strands.iter().enumerate() {
                for (&row, change) in strand.rows.iter().zip(&eight.work.changes) {
                    if change[lane] != 0.0 {
                        solver.change(row, change[lane]);
                    }
                }
                let end = strand.rows.len();
                for (place, (&member, moved)) in strand.members.iter().zip(&eight.work.moves).enumerate() {
                    let part = 1.0 / strand.sharing(place, end);
                    let moved = Vec4::new(moved[0][lane], moved[1][lane], moved[2][lane], 0.0);
                    positions[member as usize] += part * moved;
                }
            }
        }
    }

    pub(super) fn memory_bytes(&self) -> usize {
        let strands = self.eights.iter().flat_map(|eight| &eight.strands);
        let each = strands.map(|list| 4 * (list.rows.capacity() + list.members.capacity()));
        each.sum::<usize>() + self.eights.iter().map(|eight| eight.work.memory_bytes()).sum::<usize>()
    }
}

impl Listed {
    fn ends(&self) -> [usize; 2] {
        [0, self.rows.len()].map(|end| self.members[end] as usize)
    }

    /// How many strands end at a participant.
    #[inline]
    fn sharing(&self, place: usize, end: usize) -> f32 {
        if place == 0 {
            self.shared[0]
        } else if place == end {
            self.shared[1]
        } else {
            1.0
        }
    }
}

impl Eight {
    fn begin(&mut self, solver: &Solver, start: &Start<'_>) {
        let longest = self.strands.iter().map(|strand| strand.rows.len()).max();
        self.shortest.clear();
        self.shortest.resize(longest.unwrap_or(0), [0.0; SIDE]);
        for (lane, strand) in self.strands.iter().enumerate() {
            for (place, (pair, &row)) in strand.members.windows(2).zip(&strand.rows).enumerate() {
                let [a, b] = [0, 1].map(|end| pair[end] as usize);
                let way = (start.positions[b] - start.positions[a]).truncate();
                let apart = (start.velocities[b] - start.velocities[a]).truncate();
                let length = way.length();
                if let Some([rest, ..]) = solver.so_far(row) {
                    let parting = apart.dot(way) / length.max(SAME_PLACE);
                    self.shortest[place][lane] = shortest(rest, length, parting, start.h);
                }
            }
        }
    }

    fn tighten(&mut self, solver: &Solver, positions: &[Vec4]) {
        let longest = self.strands.iter().map(|strand| strand.rows.len()).max();
        self.work.resize(longest.unwrap_or(0));
        for (lane, strand) in self.strands.iter().enumerate() {
            let end = strand.rows.len();
            let mut before = Vec4::ZERO;
            for (place, &member) in strand.members.iter().enumerate() {
                let here = positions[member as usize];
                self.work.mobilities[place][lane] = here.w * strand.sharing(place, end);
                if place > 0 {
                    let link = &mut self.work.links[place - 1];
                    let way = (here - before).truncate();
                    (0..3).for_each(|axis| link.way[axis][lane] = way[axis]);
                    if let Some([rest, compliance, impulse]) = solver.so_far(strand.rows[place - 1]) {
                        (link.rest[lane], link.compliance[lane], link.impulse[lane]) = (rest, compliance, impulse);
                        link.shortest[lane] = self.shortest[place - 1][lane];
                    }
                }
                before = here;
            }
        }
        vector::run(Tighten(&mut self.work));
    }
}
