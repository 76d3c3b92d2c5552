//! Strands of rows, tightened after every iteration over all rows.

use glam::Vec4;
use rayon::prelude::*;

use super::Solver;
use crate::constraints::strand::Strand;
use crate::store::batch::Batch;
use crate::store::strands::strands_of;

/// The strands of a world.
#[derive(Default)]
pub(super) struct Strands {
    lists: Vec<Listed>,
}

/// One strand: its rows, and its participants, one more.
struct Listed {
    rows: Vec<u32>,
    members: Vec<u32>,
    /// How many strands its first and its last participant end.
    shared: [f32; 2],
    work: Strand,
}

impl Strands {
    pub(super) fn new(batch: &Batch, numbers: &[u32], participants: usize) -> Self {
        let found = strands_of(batch);
        let mut ends = vec![0u32; participants];
        let mut lists: Vec<Listed> = found
            .into_iter()
            .map(|strand| Listed {
                rows: strand.rows,
                members: strand.particles.iter().map(|id| numbers[id.index as usize]).collect(),
                shared: [1.0; 2],
                work: Strand::default(),
            })
            .collect();
        for list in &lists {
            list.ends().for_each(|end| ends[end] += 1);
        }
        for list in &mut lists {
            let [first, last] = [0, list.rows.len()].map(|end| ends[list.members[end] as usize] as f32);
            list.shared = [first, last];
        }
        Self { lists }
    }

    /// Tightens them all, with what rows have done so far.
    pub(super) fn solve(&mut self, solver: &mut Solver, positions: &mut [Vec4]) {
        if self.lists.is_empty() {
            return;
        }
        let (seen, there) = (&*solver, &*positions);
        self.lists.par_iter_mut().for_each(|list| list.tighten(seen, there));
        for list in &self.lists {
            for (&row, &change) in list.rows.iter().zip(&list.work.changes) {
                if change != 0.0 {
                    solver.change(row, change);
                }
            }
            let end = list.rows.len();
            for (place, (&member, &moved)) in list.members.iter().zip(&list.work.moves).enumerate() {
                let shared = match place {
                    0 => list.shared[0],
                    place if place == end => list.shared[1],
                    _ => 1.0,
                };
                positions[member as usize] += (moved / shared).extend(0.0);
            }
        }
    }

    pub(super) fn memory_bytes(&self) -> usize {
        let each = self
            .lists
            .iter()
            .map(|list| 4 * (list.rows.capacity() + list.members.capacity()));
        each.sum()
    }
}

impl Listed {
    fn ends(&self) -> impl Iterator<Item = usize> {
        [0, self.rows.len()].into_iter().map(|end| self.members[end] as usize)
    }

    fn tighten(&mut self, solver: &Solver, positions: &[Vec4]) {
        let count = self.rows.len();
        self.work.resize(count);
        for (mobility, &member) in self.work.mobilities.iter_mut().zip(&self.members) {
            *mobility = positions[member as usize].w;
        }
        self.work.mobilities[0] *= self.shared[0];
        self.work.mobilities[count] *= self.shared[1];
        for (place, (link, &row)) in self.work.links.iter_mut().zip(&self.rows).enumerate() {
            let [a, b] = [0, 1].map(|end| positions[self.members[place + end] as usize]);
            link.way = (b - a).truncate();
            if let Some([rest, compliance, impulse]) = solver.so_far(row) {
                (link.rest, link.compliance, link.impulse) = (rest, compliance, impulse);
            }
        }
        self.work.tighten();
    }
}
