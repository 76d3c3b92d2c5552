//! Lists of the particles near each particle, built once a sub-step from the sorted grid.

use glam::{Vec4, Vec4Swizzles};
use rayon::prelude::*;
use wide::f32x4;

use super::CHUNK;
use super::grid::{Cell, Grid};
use crate::lanes::{Vec3x4, first_lanes, transpose};
use crate::phase::Phase;

/// Neighbours of all particles, in chunks of [`CHUNK`] particles.
#[derive(Default)]
pub(crate) struct Neighbors {
    chunks: Vec<ChunkLists>,
}

/// Neighbour lists of one chunk, one after the other.
#[derive(Default)]
pub(crate) struct ChunkLists {
    /// End of each particle's list in `places`.
    ends: Vec<u32>,
    places: Vec<u32>,
    /// What the contact with each neighbour has done in the sub-step: impulse across (xyz) and along (w) the normal.
    pub(super) impulses: Vec<Vec4>,
}

impl ChunkLists {
    /// Neighbours of the particle at an offset in the chunk.
    #[inline]
    pub(crate) fn of(&self, offset: usize) -> &[u32] {
        &self.places[self.range(offset)]
    }

    /// Where the list of a particle lies among all entries of the chunk.
    #[inline]
    pub(crate) fn range(&self, offset: usize) -> std::ops::Range<usize> {
        let begin = if offset == 0 {
            0
        } else {
            self.ends[offset - 1] as usize
        };
        begin..self.ends[offset] as usize
    }

    /// Neighbours of the particle at an offset in the chunk, and the impulses of the contacts with them.
    #[inline]
    pub(crate) fn contacts_mut(&mut self, offset: usize) -> (&[u32], &mut [Vec4]) {
        let range = self.range(offset);
        (&self.places[range.clone()], &mut self.impulses[range])
    }

    /// Impulses of the contacts of the particle at an offset in the chunk.
    pub(crate) fn impulses_of(&self, offset: usize) -> &[Vec4] {
        &self.impulses[self.range(offset)]
    }

    /// Adds a particle with its neighbours and impulses.
    pub(super) fn push(&mut self, places: &[u32], impulses: &[Vec4]) {
        self.places.extend(places);
        self.impulses.extend(impulses);
        self.ends.push(self.places.len() as u32);
    }

    fn build(&mut self, first: usize, count: usize, search: &Search) {
        self.ends.clear();
        let mut used = 0;
        let mut ranges = Vec::with_capacity(18);
        let mut around: Option<Cell> = None;
        let mut candidates = 0;
        for i in first..first + count {
            let position = search.positions[i];
            let cell = search.grid.cell(position.xyz());
            if around != Some(cell) {
                search.grid.around(cell, &mut ranges);
                candidates = ranges.iter().map(|(a, b)| (b - a) as usize).sum();
                around = Some(cell);
            }
            if self.places.len() < used + candidates {
                self.places.resize(used + candidates, 0);
            }
            used += search.gather(i, position, &ranges, &mut self.places[used..]);
            self.ends.push(used as u32);
        }
        self.impulses.clear();
        self.impulses.resize(used, Vec4::ZERO);
    }
}

/// What the search for neighbours looks at.
struct Search<'a> {
    grid: &'a Grid,
    positions: &'a [Vec4],
    phases: &'a [Phase],
    /// All particles have one phase and it collides with itself: nothing to filter.
    uniform: bool,
    distance_squared: f32,
}

impl Search<'_> {
    /// Writes the neighbours of `i` to `out`; returns how many there are.
    #[inline]
    fn gather(&self, i: usize, position: Vec4, ranges: &[(u32, u32)], out: &mut [u32]) -> usize {
        let center = Vec3x4::splat(position.xyz());
        let limit = f32x4::splat(self.distance_squared);
        let mut found = 0;
        for &(begin, end) in ranges {
            let mut place = begin;
            for rows in self.positions[begin as usize..end as usize].chunks(4) {
                let row = |k: usize| rows[k.min(rows.len() - 1)];
                let (candidates, _) = transpose([row(0), row(1), row(2), row(3)]);
                let offset = candidates - center;
                let near = offset.dot(offset).simd_lt(limit) & first_lanes(rows.len());
                let mut bits = near.to_bitmask();
                while bits != 0 {
                    out[found] = place + bits.trailing_zeros();
                    found += 1;
                    bits &= bits - 1;
                }
                place += rows.len() as u32;
            }
        }
        let phase = self.phases[i];
        let mut kept = 0;
        for k in 0..found {
            let place = out[k];
            let touches = self.uniform
                || (phase.collides_with(self.phases[place as usize])
                    && !(position.w == 0.0 && self.positions[place as usize].w == 0.0));
            out[kept] = place;
            kept += usize::from(touches && place as usize != i);
        }
        kept
    }
}

impl Neighbors {
    /// Lists, for all particles in the grid's order, those nearer than `distance` that may collide with them.
    pub(crate) fn build(
        &mut self,
        grid: &Grid,
        positions: &[Vec4],
        phases: &[Phase],
        distance: f32,
    ) {
        let count = positions.len();
        let uniform = phases.first().is_none_or(|first| {
            first.has(Phase::SELF_COLLIDE) && phases.par_iter().all(|phase| phase == first)
        });
        let search = Search {
            grid,
            positions,
            phases,
            uniform,
            distance_squared: distance * distance,
        };
        self.chunks.resize_with(count.div_ceil(CHUNK), ChunkLists::default);
        self.chunks
            .par_iter_mut()
            .enumerate()
            .for_each(|(chunk, lists)| {
                let first = chunk * CHUNK;
                lists.build(first, CHUNK.min(count - first), &search);
            });
    }

    /// The lists, chunk by chunk.
    pub(crate) fn chunks(&self) -> &[ChunkLists] {
        &self.chunks
    }

    /// The lists, chunk by chunk, to change the impulses.
    pub(crate) fn chunks_mut(&mut self) -> &mut Vec<ChunkLists> {
        &mut self.chunks
    }

    /// Memory held, bytes.
    pub(crate) fn memory_bytes(&self) -> usize {
        self.chunks
            .iter()
            .map(|chunk| 4 * (chunk.ends.capacity() + chunk.places.capacity()) + 16 * chunk.impulses.capacity())
            .sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec3;
    use proptest::prelude::*;

    /// Pairs found through the grid, by index into `points`, and by looking at all pairs.
    fn pairs(points: &[Vec3], distance: f32) -> (Vec<(u32, u32)>, Vec<(u32, u32)>) {
        let positions: Vec<Vec4> = points.iter().map(|p| p.extend(1.0)).collect();
        let mut grid = Grid::default();
        grid.sort(&positions, distance);
        let order = grid.order().to_vec();
        let sorted: Vec<Vec4> = order.iter().map(|&i| positions[i as usize]).collect();
        let phases = vec![Phase::grains(0); points.len()];
        let mut neighbors = Neighbors::default();
        neighbors.build(&grid, &sorted, &phases, distance);
        let mut found = Vec::new();
        for place in 0..points.len() {
            for &other in neighbors.chunks()[place / CHUNK].of(place % CHUNK) {
                found.push((order[place], order[other as usize]));
            }
        }
        found.sort_unstable();
        let mut expected = Vec::new();
        for (i, a) in points.iter().enumerate() {
            for (j, b) in points.iter().enumerate() {
                let d = *b - *a;
                let near = d.x * d.x + d.y * d.y + d.z * d.z < distance * distance;
                if i != j && near {
                    expected.push((i as u32, j as u32));
                }
            }
        }
        (found, expected)
    }

    fn coordinate() -> impl Strategy<Value = f32> {
        prop_oneof![
            8 => -2.0f32..2.0,
            1 => Just(0.0f32),
            1 => (-2.0f32..2.0).prop_map(|x| x + 1e5),
            1 => (-2.0f32..2.0).prop_map(|x| x - 1e5),
            1 => prop::num::f32::NORMAL,
        ]
    }

    proptest! {
        #[test]
        fn lists_equal_brute_force(
            points in prop::collection::vec([coordinate(), coordinate(), coordinate()], 0..300),
            distance in 0.05f32..1.5,
        ) {
            let points: Vec<Vec3> = points.into_iter().map(Vec3::from).collect();
            let (found, expected) = pairs(&points, distance);
            prop_assert_eq!(found, expected);
        }
    }

    #[test]
    fn many_particles_in_one_spot_are_all_neighbors() {
        let (found, expected) = pairs(&vec![Vec3::new(3.0, -7.0, 1e5); 1500], 0.1);
        assert_eq!(found.len(), 1500 * 1499);
        assert_eq!(found, expected);
    }

    #[test]
    fn one_particle_and_none_have_no_neighbors() {
        assert_eq!(pairs(&[Vec3::ONE], 0.1).0, []);
        assert_eq!(pairs(&[], 0.1).0, []);
    }

    #[test]
    fn a_lattice_a_hundred_kilometres_away_is_found_whole() {
        let points: Vec<Vec3> = (0..1000)
            .map(|i| Vec3::new((i % 10) as f32, (i / 10 % 10) as f32, (i / 100) as f32) + 1e5)
            .collect();
        let (found, expected) = pairs(&points, 1.01);
        assert_eq!(found.len(), 2 * 3 * 900);
        assert_eq!(found, expected);
    }

    #[test]
    fn particles_without_self_collision_are_left_out_of_their_own_lists() {
        let positions = vec![Vec4::ONE; 4];
        let phases = [Phase::new(1, 0, 0xff), Phase::new(1, 0, 0xff), Phase::grains(2), Phase::grains(2)];
        let mut grid = Grid::default();
        grid.sort(&positions, 1.0);
        let mut neighbors = Neighbors::default();
        neighbors.build(&grid, &positions, &phases, 1.0);
        let counts: Vec<usize> = (0..4).map(|i| neighbors.chunks()[0].of(i).len()).collect();
        assert_eq!(counts, [2, 2, 3, 3]);
    }
}
