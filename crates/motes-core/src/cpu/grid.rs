//! The grid of the broad phase, uniform over unbounded space, and the stable parallel counting sort that fills it.
//!
//! Cell coordinates wrap around a table whose sides are powers of two, chosen each time from where the bulk of the
//! particles is. Distant cells may share an entry, which costs time but no correctness, since neighbours are
//! accepted by distance; the 27 cells around a particle never share one.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use glam::{Vec3, Vec4, Vec4Swizzles};
use rayon::prelude::*;

use self::levels::Levels;

mod around;
mod levels;

/// Coordinates of a cell.
pub(crate) type Cell = [i32; 3];

/// Particles each task of the first sorting pass takes.
const SORT_CHUNK: usize = 8192;
/// Coarse buckets of the first pass.
const BUCKET_BITS: u32 = 8;
/// Positions looked at to find the extent of the bulk.
const SAMPLES: usize = 1024;
/// Most table entries per particle.
const ENTRIES_PER_PARTICLE: usize = 4;

/// Up to four neighbouring places.
#[derive(Clone, Copy)]
pub(crate) struct Four {
    /// The first of them.
    pub(crate) place: u32,
    /// Which of them are meant, one bit each.
    pub(crate) mask: u32,
}

/// One axis of the table.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Side {
    axis: usize,
    /// Bits of an entry that hold the cell's coordinate, and how far up they are.
    mask: u32,
    shift: u32,
}

impl Side {
    /// The coordinate in its place, made to wrap around.
    #[inline]
    fn place(self, coordinate: u32) -> u32 {
        (coordinate & self.mask) << self.shift
    }

    /// Whether an entry has neighbours on both sides without wrapping around.
    #[inline]
    fn is_inside(self, entry: u32) -> bool {
        let own = entry >> self.shift & self.mask;
        own != 0 && own != self.mask
    }

    /// The coordinates before, of and after an entry, in their places.
    #[inline]
    fn around(self, entry: u32) -> [u32; 3] {
        let own = entry >> self.shift;
        [own.wrapping_sub(1), own, own + 1].map(|coordinate| self.place(coordinate))
    }
}

/// Table geometry and, after [`Grid::sort`], where each entry's particles begin.
#[derive(Default)]
pub(crate) struct Grid {
    inverse_cell: f64,
    /// Cell where the table begins, so that the bulk of the particles does not wrap around.
    origin: Cell,
    /// From the axis along which entries are next to each other to the one along which they are furthest apart.
    sides: [Side; 3],
    starts: Vec<u32>,
    pairs: Vec<AtomicU64>,
    order: Vec<u32>,
    entries: Vec<u32>,
    /// Where particles are of several sizes.
    levels: Option<Levels>,
}

impl Grid {
    /// Sorts particles by cell; afterwards [`Self::order`] holds, for every new place, the old one. Equal cells keep
    /// their order.
    pub(crate) fn sort(&mut self, positions: &[Vec4], cell_size: f32) {
        self.levels = None;
        let bits = self.lay_out(positions, cell_size, 1);
        self.fill(positions, bits.iter().sum(), |grid, _, position| {
            grid.entry(grid.cell(position.xyz()))
        });
    }

    /// Leaves so many particles where they are, in no cells.
    pub(crate) fn leave(&mut self, count: usize) {
        self.order.clear();
        self.order.extend(0..count as u32);
        self.entries.clear();
        self.entries.resize(count, 0);
        self.starts.clear();
    }

    /// Sizes the table for cells of a width, each side with room for so many levels; returns the sides as powers of two.
    fn lay_out(&mut self, positions: &[Vec4], cell_size: f32, levels: u32) -> [u32; 3] {
        // A hair wider than the search distance, so that rounding never puts neighbours two cells apart.
        self.inverse_cell = 1.0 / (f64::from(cell_size) * (1.0 + 1e-6));
        let (origin, bits) = table(positions, self.inverse_cell, levels);
        self.origin = origin;
        self.sides = sides(bits);
        bits
    }

    /// Sorts particles by the entry that `entry` gives them, of `entry_bits` bits.
    fn fill(&mut self, positions: &[Vec4], entry_bits: u32, entry: impl Fn(&Self, usize, &Vec4) -> u32 + Sync) {
        let count = positions.len();
        let low_bits = entry_bits.saturating_sub(BUCKET_BITS);
        let buckets = 1usize << (entry_bits - low_bits);
        self.order.resize(count, 0);
        self.entries.resize(count, 0);
        self.pairs.resize_with(count, AtomicU64::default);
        self.starts.resize((1 << entry_bits) + 1, 0);

        let keys: Vec<Vec<u32>> = positions
            .par_chunks(SORT_CHUNK)
            .enumerate()
            .map(|(chunk, positions)| {
                let numbered = (chunk * SORT_CHUNK..).zip(positions);
                numbered.map(|(place, position)| entry(self, place, position)).collect()
            })
            .collect();
        let mut cursors = bucket_cursors(&keys, low_bits, buckets);
        let bucket_ends: Vec<u32> = {
            keys.par_iter()
                .zip(&mut cursors)
                .enumerate()
                .for_each(|(chunk, (keys, cursors))| {
                    for (k, &key) in keys.iter().enumerate() {
                        let cursor = &mut cursors[(key >> low_bits) as usize];
                        let index = (chunk * SORT_CHUNK + k) as u64;
                        self.pairs[*cursor as usize].store(u64::from(key) << 32 | index, Relaxed);
                        *cursor += 1;
                    }
                });
            // After scattering, the last chunk's cursors stand at the ends of their buckets.
            cursors.pop().unwrap_or_else(|| vec![0; buckets])
        };

        let (order, entries, starts) = (&mut self.order, &mut self.entries, &mut self.starts);
        let pairs = &self.pairs;
        if let Some(last) = starts.last_mut() {
            *last = count as u32;
        }
        let mut tasks = Vec::with_capacity(buckets);
        let (mut order_rest, mut entries_rest) = (order.as_mut_slice(), entries.as_mut_slice());
        let mut starts_rest = starts.as_mut_slice();
        let mut begin = 0;
        for &end in &bucket_ends {
            let (order, rest) = order_rest.split_at_mut((end - begin) as usize);
            order_rest = rest;
            let (entries, rest) = entries_rest.split_at_mut((end - begin) as usize);
            entries_rest = rest;
            let (starts, rest) = starts_rest.split_at_mut(1 << low_bits);
            starts_rest = rest;
            tasks.push((begin, order, entries, starts));
            begin = end;
        }
        let low_mask = (1u32 << low_bits) - 1;
        tasks.into_par_iter().for_each(|(begin, order, entries, starts)| {
            let pairs = &pairs[begin as usize..begin as usize + order.len()];
            sort_bucket(begin, pairs, low_mask, order, entries, starts);
        });
    }

    /// For every place after the sort, the place before it.
    pub(crate) fn order(&self) -> &[u32] {
        &self.order
    }

    /// The cell that contains a point; saturates far outside the range of `i32`.
    #[inline]
    pub(crate) fn cell(&self, point: Vec3) -> Cell {
        cell_of(point, self.inverse_cell)
    }

    /// Table entry of each place after the sort.
    pub(crate) fn entries(&self) -> &[u32] {
        &self.entries
    }

    /// Places, after the sort, of the particles in the 27 cells around an entry that come after the entry's own ones.
    /// Returns where those end that follow directly: the rest of the own row.
    #[inline(always)]
    pub(crate) fn after(&self, entry: u32, fours: &mut Vec<Four>) -> u32 {
        fours.clear();
        let [line, row, layer] = self.sides;
        if self.sides.iter().all(|side| side.is_inside(entry)) {
            let (down, across) = (1 << layer.shift, 1 << row.shift);
            for middle in [
                entry + across,
                entry + down - across,
                entry + down,
                entry + down + across,
            ] {
                push_fours(
                    self.starts[middle as usize - 1],
                    self.starts[middle as usize + 2],
                    fours,
                );
            }
            return self.starts[entry as usize + 2];
        }
        let first = entry.wrapping_sub(1) & line.mask;
        let whole = (first + 3).min(line.mask + 1);
        let mut own_end = self.starts[entry as usize + 1];
        for layer in layer.around(entry) {
            for row in row.around(entry) {
                let row = layer | row;
                // A row that wraps around is in two pieces; mostly the second is empty.
                for (from, to) in [(row + first, row + whole), (row, row + first + 3 - whole)] {
                    if from <= entry && entry < to {
                        own_end = self.starts[to as usize];
                    } else if from > entry && from < to {
                        push_fours(self.starts[from as usize], self.starts[to as usize], fours);
                    }
                }
            }
        }
        own_end
    }

    /// Memory held, bytes.
    pub(crate) fn memory_bytes(&self) -> usize {
        4 * (self.starts.capacity() + self.order.capacity() + self.entries.capacity()) + 8 * self.pairs.capacity()
    }

    #[inline]
    fn entry(&self, cell: Cell) -> u32 {
        self.sides.iter().fold(0, |entry, side| {
            entry | side.place(cell[side.axis].wrapping_sub(self.origin[side.axis]) as u32)
        })
    }
}

/// Cuts a range of places into fours.
#[inline(always)]
pub(crate) fn push_fours(mut place: u32, end: u32, fours: &mut Vec<Four>) {
    while place < end {
        fours.push(Four {
            place,
            mask: (1 << (end - place).min(4)) - 1,
        });
        place += 4;
    }
}

/// The longest axis comes last: particles that are near each other are then as near as can be in the order as well.
fn sides(bits: [u32; 3]) -> [Side; 3] {
    let mut axes = [0, 1, 2];
    axes.sort_by_key(|&axis| bits[axis]);
    let mut shift = 0;
    axes.map(|axis| {
        let side = Side {
            axis,
            mask: (1 << bits[axis]) - 1,
            shift,
        };
        shift += bits[axis];
        side
    })
}

/// First cell of the table, and its sides as powers of two: as wide as the bulk of the particles, within the memory allowed.
fn table(positions: &[Vec4], inverse_cell: f64, levels: u32) -> (Cell, [u32; 3]) {
    let stride = positions.len().div_ceil(SAMPLES).max(1);
    let cells: Vec<Cell> = positions
        .iter()
        .step_by(stride)
        .map(|position| cell_of(position.xyz(), inverse_cell))
        .collect();
    // Four cells at least on every level, or the three cells of a row could share an entry.
    let least = 1 + levels;
    let (mut origin, mut bits) = ([0; 3], [least; 3]);
    for (axis, (origin, bits)) in origin.iter_mut().zip(&mut bits).enumerate() {
        let mut values: Vec<i32> = cells.iter().map(|cell| cell[axis]).collect();
        values.sort_unstable();
        if let (Some(low), Some(high)) = (
            values.get(values.len() / 100),
            values.get((values.len() - values.len() / 100).wrapping_sub(1)),
        ) {
            let extent = i64::from(*high) - i64::from(*low) + 3;
            *origin = low.saturating_sub(1);
            *bits = (64 - extent.leading_zeros()).clamp(least, 24);
        }
    }
    let most = (positions.len() * ENTRIES_PER_PARTICLE)
        .max(1 << (3 * least))
        .ilog2()
        .min(28);
    while bits.iter().sum::<u32>() > most {
        if let Some(widest) = bits.iter_mut().max() {
            *widest -= 1;
        }
    }
    (origin, bits)
}

#[inline]
fn cell_of(point: Vec3, inverse_cell: f64) -> Cell {
    [point.x, point.y, point.z].map(|x| {
        let scaled = f64::from(x) * inverse_cell;
        let whole = scaled as i32;
        whole.saturating_sub(i32::from(scaled < f64::from(whole)))
    })
}

/// Where each chunk puts its first particle of each bucket: chunk by chunk within a bucket, so the sort is stable.
fn bucket_cursors(keys: &[Vec<u32>], low_bits: u32, buckets: usize) -> Vec<Vec<u32>> {
    let mut counts: Vec<Vec<u32>> = keys
        .par_iter()
        .map(|keys| {
            let mut counts = vec![0u32; buckets];
            for key in keys {
                counts[(key >> low_bits) as usize] += 1;
            }
            counts
        })
        .collect();
    let mut next = 0;
    for bucket in 0..buckets {
        for counts in &mut counts {
            next += std::mem::replace(&mut counts[bucket], next);
        }
    }
    counts
}

/// Counting sort of one bucket by the low bits of the key.
fn sort_bucket(
    begin: u32,
    pairs: &[AtomicU64],
    low_mask: u32,
    order: &mut [u32],
    entries: &mut [u32],
    starts: &mut [u32],
) {
    let low = |pair: &AtomicU64| ((pair.load(Relaxed) >> 32) as u32 & low_mask) as usize;
    starts.fill(0);
    for pair in pairs {
        starts[low(pair)] += 1;
    }
    let mut next = begin;
    for start in starts.iter_mut() {
        next += std::mem::replace(start, next);
    }
    for pair in pairs {
        let start = &mut starts[low(pair)];
        let place = (*start - begin) as usize;
        order[place] = pair.load(Relaxed) as u32;
        entries[place] = (pair.load(Relaxed) >> 32) as u32;
        *start += 1;
    }
    // The starts have moved on to the ends of their entries, which are the starts of the next ones.
    starts.rotate_right(1);
    if let Some(first) = starts.first_mut() {
        *first = begin;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn sorting_is_a_stable_permutation_by_entry(
            points in prop::collection::vec(prop::array::uniform3(-3.0f32..3.0), 0..3000)
        ) {
            let positions: Vec<Vec4> = points.iter().map(|&p| Vec3::from(p).extend(0.0)).collect();
            let mut grid = Grid::default();
            grid.sort(&positions, 0.5);
            let mut expected: Vec<u32> = (0..positions.len() as u32).collect();
            expected.sort_by_key(|&i| grid.entry(grid.cell(positions[i as usize].xyz())));
            prop_assert_eq!(grid.order(), &expected[..]);
        }
    }

    #[test]
    fn one_far_particle_does_not_widen_the_table() {
        let mut positions: Vec<Vec4> = (0..20_000)
            .map(|i| Vec4::new((i % 100) as f32, 0.0, (i / 100) as f32, 1.0))
            .collect();
        let mut grid = Grid::default();
        grid.sort(&positions, 1.0);
        let sides = grid.sides;
        positions[77] = Vec4::new(1e5, -1e5, 1e5, 1.0);
        grid.sort(&positions, 1.0);
        assert_eq!(grid.sides, sides);
    }
}
