//! Which rows follow one another, as in ropes: [`constraints::strand`](crate::constraints::strand) tightens them all at once.

use super::batch::{ALIVE, Batch};
use crate::particles::ParticleId;

/// Rows of a strand at least: fewer are closed by iterations.
pub const SHORTEST: usize = 4;
/// And at most, so that a workgroup of a GPU has room for them. Longer ones are cut, and have a particle in common.
pub const LONGEST: usize = 255;

/// One strand.
#[derive(Clone, Debug, PartialEq)]
pub struct Strand {
    /// Its rows, by their places in the batch.
    pub rows: Vec<u32>,
    /// Its particles, one more. Two strands may share one at their ends, and one that is closed ends where it begins.
    pub particles: Vec<ParticleId>,
}

/// Distances that two particles at most share with others: finds all that follow one another, in the order of the lowest row of each. Tethers do not count.
pub fn strands_of(batch: &Batch) -> Vec<Strand> {
    let is_link = |row: usize| batch.states()[row] & ALIVE != 0 && batch.rest()[row] >= 0.0;
    let links = || (0..batch.places()).filter(|&row| is_link(row));
    let indices = links()
        .flat_map(|row| batch.particles_of(row))
        .map(|id| id.index as usize + 1)
        .max();
    // The first two rows of each particle, and how many it has.
    let mut ends = vec![([NONE; 2], 0usize); indices.unwrap_or(0)];
    for row in links() {
        for id in batch.particles_of(row) {
            let (rows, count) = &mut ends[id.index as usize];
            if let Some(place) = rows.get_mut(*count) {
                *place = row as u32;
            }
            *count += 1;
        }
    }
    let walk = Walk { batch, ends };
    let mut is_walked = vec![false; batch.places()];
    let mut found = Vec::new();
    for row in links() {
        if is_walked[row] {
            continue;
        }
        let strand = walk.through(row);
        strand.rows.iter().for_each(|&row| is_walked[row as usize] = true);
        strand.cut(&mut found);
    }
    found
}

const NONE: u32 = u32::MAX;

struct Walk<'a> {
    batch: &'a Batch,
    ends: Vec<([u32; 2], usize)>,
}

impl Walk<'_> {
    /// The whole strand through a row, from one end to the other.
    fn through(&self, row: usize) -> Strand {
        let [first, second] = [0, 1].map(|end| self.batch.particles_of(row)[end]);
        let mut rows = vec![row as u32];
        let mut particles = vec![first, second];
        self.follow(&mut rows, &mut particles);
        if particles[particles.len() - 1] != first {
            rows.reverse();
            particles.reverse();
            self.follow(&mut rows, &mut particles);
        }
        Strand { rows, particles }
    }

    /// Goes on as far as particles have two rows.
    fn follow(&self, rows: &mut Vec<u32>, particles: &mut Vec<ParticleId>) {
        let first = particles[0];
        loop {
            let (last, row) = (particles[particles.len() - 1], rows[rows.len() - 1]);
            let ([one, other], 2) = self.ends[last.index as usize] else {
                return;
            };
            let next = if one == row { other } else { one };
            if last == first || next == row {
                return;
            }
            let [a, b] = [0, 1].map(|end| self.batch.particles_of(next as usize)[end]);
            rows.push(next);
            particles.push(if a == last { b } else { a });
        }
    }
}

impl Strand {
    /// Cuts it into equal pieces that are short enough, unless it is too short itself.
    fn cut(self, into: &mut Vec<Self>) {
        let count = self.rows.len();
        if count < SHORTEST {
            return;
        }
        let pieces = count.div_ceil(LONGEST);
        for piece in 0..pieces {
            let [first, end] = [piece, piece + 1].map(|piece| piece * count / pieces);
            into.push(Self {
                rows: self.rows[first..end].to_vec(),
                particles: self.particles[first..=end].to_vec(),
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::batch::NewRow;
    use super::super::{ConstraintKind, Softness};
    use super::*;

    fn batch(pairs: &[[u32; 2]], tethers: &[[u32; 2]]) -> Batch {
        let mut batch = Batch::new(ConstraintKind::Distance);
        let rows = pairs
            .iter()
            .map(|pair| (pair, 1.0))
            .chain(tethers.iter().map(|pair| (pair, -1.0)));
        for (pair, rest) in rows {
            let particles = pair.map(|index| ParticleId { index, generation: 0 });
            batch.add(NewRow {
                particles: &particles,
                weights: [0.0; 4],
                rest,
                softness: Softness::Compliance(0.0),
                breaking_force: f32::INFINITY,
                state: 0,
                body: None,
            });
        }
        batch
    }

    fn found(batch: &Batch) -> Vec<(Vec<u32>, Vec<u32>)> {
        let strands = strands_of(batch).into_iter();
        strands
            .map(|strand| (strand.rows, strand.particles.iter().map(|id| id.index).collect()))
            .collect()
    }

    #[test]
    fn a_rope_is_one_strand_whatever_the_order_of_its_rows_and_the_tethers_across() {
        let rope = batch(&[[3, 2], [0, 1], [3, 4], [1, 2]], &[[0, 2], [0, 4]]);
        assert_eq!(found(&rope), [(vec![1, 3, 0, 2], vec![0, 1, 2, 3, 4])]);
    }

    #[test]
    fn strands_end_where_rows_branch() {
        let pairs = [[0, 1], [1, 2], [2, 3], [3, 4], [4, 5], [5, 6], [6, 7], [7, 8], [4, 9]];
        let strands = found(&batch(&pairs, &[]));
        assert_eq!(strands.len(), 2);
        assert!(
            strands
                .iter()
                .all(|(rows, particles)| rows.len() == 4 && particles.contains(&4))
        );
    }

    #[test]
    fn one_that_is_closed_ends_where_it_begins() {
        let pairs: Vec<[u32; 2]> = (0..6).map(|i| [i, (i + 1) % 6]).collect();
        let [(rows, particles)] = found(&batch(&pairs, &[])).try_into().expect("one strand");
        assert_eq!(rows.len(), 6);
        assert_eq!(particles, [0, 1, 2, 3, 4, 5, 0]);
    }

    #[test]
    fn what_is_short_is_left_to_iterations_and_what_is_long_is_cut_evenly() {
        assert!(found(&batch(&[[0, 1], [1, 2], [2, 3]], &[])).is_empty());
        assert!(found(&batch(&[[0, 1], [1, 0]], &[])).is_empty());
        assert!(found(&batch(&[], &[])).is_empty());
        let count = 2 * LONGEST as u32 + 2;
        let pairs: Vec<[u32; 2]> = (0..count).map(|i| [i, i + 1]).collect();
        let strands = found(&batch(&pairs, &[]));
        assert_eq!(strands.len(), 3);
        for two in strands.windows(2) {
            assert_eq!(two[0].1.last(), two[1].1.first());
        }
        assert!(
            strands
                .iter()
                .all(|(rows, _)| rows.len().abs_diff(count as usize / 3) <= 1)
        );
    }
}
