//! Lists of the particles near each particle, built once a sub-step from the sorted grid.

use glam::{Vec4, Vec4Swizzles};
use rayon::prelude::*;
use wide::{f32x4, u32x4};

use super::CHUNK;
use super::grid::{Cell, Grid};
use crate::lanes::{Vec3x4, first_lanes, transpose};
use crate::phase::Phase;

/// Neighbours of all particles, in chunks of [`CHUNK`] particles.
#[derive(Default)]
pub(crate) struct Neighbors {
    chunks: Vec<ChunkLists>,
}

/// Neighbour lists of one chunk, one after the other, in blocks of four. The last block of a list is filled up with the
/// particle itself, which is never its own neighbour.
#[derive(Default)]
pub(crate) struct ChunkLists {
    /// End of each particle's list, in blocks.
    ends: Vec<u32>,
    blocks: Vec<[u32; 4]>,
    impulses: Vec<Impulses4>,
    /// Neighbours of the particle being looked at, before they are put into blocks.
    found: Vec<u32>,
}

/// What four contacts have done in a sub-step, kg·m.
#[derive(Clone, Copy, Default)]
pub(crate) struct Impulses4 {
    /// Across the normal.
    pub(super) across: Vec3x4,
    /// Along the normal.
    pub(super) along: f32x4,
    /// Along the normal, as taken over from the sub-step before.
    pub(super) carried: f32x4,
}

impl Impulses4 {
    /// The impulse of one contact: across (xyz) and along (w) its normal.
    pub(super) fn lane(&self, lane: usize) -> Vec4 {
        self.across.lane(lane).extend(self.along.to_array()[lane])
    }

    pub(super) fn set_lane(&mut self, lane: usize, (impulse, carried): (Vec4, f32)) {
        self.across.set_lane(lane, impulse.xyz());
        self.along.as_mut_array()[lane] = impulse.w;
        self.carried.as_mut_array()[lane] = carried;
    }
}

impl ChunkLists {
    /// Neighbours of the particle at an offset in the chunk, in blocks.
    #[inline]
    pub(crate) fn blocks(&self, offset: usize) -> &[[u32; 4]] {
        &self.blocks[self.range(offset)]
    }

    /// Neighbours of the particle at an offset in the chunk, in blocks, and the impulses of the contacts with them.
    #[inline]
    pub(crate) fn contacts_mut(&mut self, offset: usize) -> (&[[u32; 4]], &mut [Impulses4]) {
        let range = self.range(offset);
        (&self.blocks[range.clone()], &mut self.impulses[range])
    }

    /// Neighbours of the particle in `slot`, at an offset in the chunk, with the impulses of the contacts.
    pub(crate) fn contacts(&self, offset: usize, slot: usize) -> impl Iterator<Item = (u32, Vec4)> + '_ {
        self.range(offset)
            .flat_map(|block| (0..4).map(move |lane| (block, lane)))
            .map(|(block, lane)| (self.blocks[block][lane], self.impulses[block].lane(lane)))
            .filter(move |(neighbor, _)| *neighbor as usize != slot)
    }

    /// The impulse of the contact with one neighbour, and what of it was carried, if it is in the list. It is looked for
    /// first at the place `guess`, a block and a lane.
    #[inline]
    pub(super) fn impulse(&self, offset: usize, neighbor: u32, guess: (usize, usize)) -> Option<(Vec4, f32)> {
        let range = self.range(offset);
        let guessed = range.start + guess.0;
        let (block, lane) = if guessed < range.end && self.blocks[guessed][guess.1] == neighbor {
            (guessed, guess.1)
        } else {
            range.into_iter().find_map(|block| {
                let same = u32x4::new(self.blocks[block])
                    .simd_eq(u32x4::splat(neighbor))
                    .to_bitmask();
                (same != 0).then(|| (block, same.trailing_zeros() as usize))
            })?
        };
        let impulses = &self.impulses[block];
        Some((impulses.lane(lane), impulses.carried.to_array()[lane]))
    }

    /// Adds the list of the particle in `slot`.
    pub(super) fn push(&mut self, slot: usize, neighbors: &[u32]) {
        for four in neighbors.chunks(4) {
            let mut block = [slot as u32; 4];
            block[..four.len()].copy_from_slice(four);
            self.blocks.push(block);
            self.impulses.push(Impulses4::default());
        }
        self.ends.push(self.blocks.len() as u32);
    }

    #[inline]
    fn range(&self, offset: usize) -> std::ops::Range<usize> {
        let begin = if offset == 0 { 0 } else { self.ends[offset - 1] as usize };
        begin..self.ends[offset] as usize
    }

    fn clear(&mut self) {
        self.ends.clear();
        self.blocks.clear();
        self.impulses.clear();
    }

    fn build(&mut self, first: usize, count: usize, search: &Search) {
        self.clear();
        let mut found = std::mem::take(&mut self.found);
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
            if found.len() < candidates {
                found.resize(candidates, 0);
            }
            let number = search.gather(i, position, &ranges, &mut found);
            self.push(i, &found[..number]);
        }
        self.found = found;
        // A list grows by doubling; what a calm pile does not need is given back.
        if self.blocks.capacity() > self.blocks.len() + self.blocks.len() / 4 + 16 {
            self.blocks.shrink_to(self.blocks.len() + self.blocks.len() / 8);
            self.impulses.shrink_to(self.blocks.len() + self.blocks.len() / 8);
        }
    }

    fn memory_bytes(&self) -> usize {
        4 * (self.ends.capacity() + self.found.capacity())
            + 16 * self.blocks.capacity()
            + size_of::<Impulses4>() * self.impulses.capacity()
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
            let both_pinned = position.w == 0.0 && self.positions[place as usize].w == 0.0;
            let touches = !both_pinned && (self.uniform || phase.collides_with(self.phases[place as usize]));
            out[kept] = place;
            kept += usize::from(touches && place as usize != i);
        }
        kept
    }
}

impl Neighbors {
    /// Lists, for all particles in the grid's order, those nearer than `distance` that may collide with them.
    pub(crate) fn build(&mut self, grid: &Grid, positions: &[Vec4], phases: &[Phase], distance: f32) {
        let count = positions.len();
        let uniform = phases
            .first()
            .is_none_or(|first| first.has(Phase::SELF_COLLIDE) && phases.par_iter().all(|phase| phase == first));
        let search = Search {
            grid,
            positions,
            phases,
            uniform,
            distance_squared: distance * distance,
        };
        self.chunks.resize_with(count.div_ceil(CHUNK), ChunkLists::default);
        self.chunks.par_iter_mut().enumerate().for_each(|(chunk, lists)| {
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
        self.chunks.iter().map(ChunkLists::memory_bytes).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec3;
    use proptest::prelude::*;

    /// Pairs found through the grid, by index into `points`, and by looking at all pairs.
    fn pairs(points: &[Vec3], distance: f32) -> [Vec<(u32, u32)>; 2] {
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
            for (other, _) in neighbors.chunks()[place / CHUNK].contacts(place % CHUNK, place) {
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
        [found, expected]
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
            let [found, expected] = pairs(&points, distance);
            prop_assert_eq!(found, expected);
        }
    }

    #[test]
    fn many_particles_in_one_spot_are_all_neighbors() {
        let [found, expected] = pairs(&vec![Vec3::new(3.0, -7.0, 1e5); 1500], 0.1);
        assert_eq!(found.len(), 1500 * 1499);
        assert_eq!(found, expected);
    }

    #[test]
    fn one_particle_and_none_have_no_neighbors() {
        assert_eq!(pairs(&[Vec3::ONE], 0.1)[0], []);
        assert_eq!(pairs(&[], 0.1)[0], []);
    }

    #[test]
    fn a_lattice_a_hundred_kilometres_away_is_found_whole() {
        let points: Vec<Vec3> = (0..1000)
            .map(|i| Vec3::new((i % 10) as f32, (i / 10 % 10) as f32, (i / 100) as f32) + 1e5)
            .collect();
        let [found, expected] = pairs(&points, 1.01);
        assert_eq!(found.len(), 2 * 3 * 900);
        assert_eq!(found, expected);
    }

    #[test]
    fn two_pinned_particles_are_no_neighbors() {
        let positions = vec![Vec4::ZERO, Vec4::ZERO, Vec4::W];
        let mut grid = Grid::default();
        grid.sort(&positions, 1.0);
        let mut neighbors = Neighbors::default();
        neighbors.build(&grid, &positions, &[Phase::grains(0); 3], 1.0);
        let counts: Vec<usize> = (0..3).map(|i| neighbors.chunks()[0].contacts(i, i).count()).collect();
        assert_eq!(counts, [1, 1, 2]);
    }

    #[test]
    fn particles_without_self_collision_are_left_out_of_their_own_lists() {
        let positions = vec![Vec4::ONE; 4];
        let phases = [
            Phase::new(1, 0, 0xff),
            Phase::new(1, 0, 0xff),
            Phase::grains(2),
            Phase::grains(2),
        ];
        let mut grid = Grid::default();
        grid.sort(&positions, 1.0);
        let mut neighbors = Neighbors::default();
        neighbors.build(&grid, &positions, &phases, 1.0);
        let counts: Vec<usize> = (0..4).map(|i| neighbors.chunks()[0].contacts(i, i).count()).collect();
        assert_eq!(counts, [2, 2, 3, 3]);
    }
}
