//! The grid for particles of several sizes: cells twice as wide on each level (`particles/sizes.rs`).
//!
//! Entries come in slabs, one for each layer of cells of the top level: within it the layers of level 0, then those of
//! level 1 and so on. So large and small particles that are near each other are near in the order as well, and a row of
//! cells is one contiguous range on every level.

use glam::{Vec3, Vec4, Vec4Swizzles};

use super::{Four, Grid, Side, push_fours};
use crate::particles::sizes::{Sizes, cells_aside};

/// Where the levels are in the table.
#[derive(Clone, Debug, Default)]
pub(super) struct Levels {
    /// Of each level, the first entry within a slab.
    offsets: Vec<u32>,
    /// Entries of a slab.
    slab: u32,
}

impl Levels {
    fn new(count: usize, [line, row, _]: [Side; 3]) -> Self {
        let mut levels = Self::default();
        for level in 0..count {
            levels.offsets.push(levels.slab);
            let cells = ((line.mask + 1) >> level) * ((row.mask + 1) >> level);
            levels.slab += cells << (count - 1 - level);
        }
        levels
    }

    fn top(&self) -> usize {
        self.offsets.len() - 1
    }
}

/// A side of the table as one level has it.
#[derive(Clone, Copy)]
pub(super) struct LevelSide {
    pub(super) mask: u32,
    /// The particle's own cell, from the beginning of the table.
    own: i32,
}

impl LevelSide {
    #[inline]
    pub(super) fn wrapped(self, aside: i32) -> u32 {
        self.own.wrapping_add(aside) as u32 & self.mask
    }
}

impl Grid {
    /// Sorts particles by level and cell; `radius` knows the radius of each, and `reach` is how far neighbours are listed,
    /// in contact distances.
    pub(crate) fn sort_sizes(
        &mut self,
        positions: &[Vec4],
        sizes: &Sizes,
        reach: f32,
        radius: impl Fn(usize) -> f32 + Sync,
    ) {
        let count = sizes.levels();
        let bits = self.lay_out(positions, 2.0 * sizes.finest() * reach, count as u32);
        let levels = Levels::new(count, self.sides);
        let slabs = 1u32 << (bits[self.sides[2].axis] + 1 - count as u32);
        let entry_bits = (slabs * levels.slab).next_power_of_two().ilog2();
        self.levels = Some(levels.clone());
        self.fill(positions, entry_bits, |grid, place, position| {
            let level = sizes.level(radius(place));
            let [line, row, layer] = grid.level_sides(position.xyz(), level);
            grid.row(&levels, level, layer.wrapped(0), row.wrapped(0), line.mask) + line.wrapped(0)
        });
    }

    /// The sides of a level, seen from a point.
    #[inline]
    pub(super) fn level_sides(&self, point: Vec3, level: usize) -> [LevelSide; 3] {
        let cell = self.cell(point);
        self.sides.map(|side| LevelSide {
            mask: side.mask >> level,
            own: cell[side.axis].wrapping_sub(self.origin[side.axis]) >> level,
        })
    }

    /// The entry that a row of cells begins with.
    #[inline]
    fn row(&self, levels: &Levels, level: usize, layer: u32, row: u32, line_mask: u32) -> u32 {
        let up = levels.top() - level;
        let rows = (self.sides[1].mask >> level) + 1;
        let within = layer & ((1 << up) - 1);
        (layer >> up) * levels.slab + levels.offsets[level] + (within * rows + row) * (line_mask + 1)
    }

    /// How many levels there are.
    #[inline]
    pub(super) fn level_count(&self) -> usize {
        self.levels.as_ref().map_or(1, |levels| levels.top() + 1)
    }

    /// The entry that a row of cells begins with, with levels or without.
    #[inline]
    pub(super) fn first_in_row(&self, level: usize, layer: u32, row: u32, line: LevelSide) -> u32 {
        match &self.levels {
            None => self.sides[2].place(layer) | self.sides[1].place(row),
            Some(levels) => self.row(levels, level, layer, row, line.mask),
        }
    }

    /// Like [`Self::after`], on all levels, for particles of one level at a point in an entry.
    #[inline(always)]
    pub(crate) fn after_on_levels(
        &self,
        sizes: &Sizes,
        (entry, point, level): (u32, Vec3, usize),
        fours: &mut Vec<Four>,
    ) -> u32 {
        fours.clear();
        let mut own_end = self.starts[entry as usize + 1];
        let Some(levels) = &self.levels else {
            return own_end;
        };
        for other in (0..=levels.top()).filter(|&other| sizes.is_used(other)) {
            let aside = cells_aside(level.saturating_sub(other)) as i32;
            let width = 2 * aside as u32 + 1;
            let [line, row, layer] = self.level_sides(point, other);
            let first = line.wrapped(-aside);
            let whole = (first + width).min(line.mask + 1);
            for layer in (-aside..=aside).map(|offset| layer.wrapped(offset)) {
                let layer = self.row(levels, other, layer, 0, line.mask);
                for row in (-aside..=aside).map(|offset| row.wrapped(offset)) {
                    let row = layer + row * (line.mask + 1);
                    let (from, to) = (row + first, row + whole);
                    if from > entry {
                        push_fours(self.starts[from as usize], self.starts[to as usize], fours);
                    } else if entry < to {
                        own_end = self.starts[to as usize];
                    }
                    // A row that wraps around is in two pieces.
                    let rest = first + width - whole;
                    if rest > 0 && row > entry {
                        push_fours(self.starts[row as usize], self.starts[(row + rest) as usize], fours);
                    } else if rest > 0 && entry < row + rest {
                        own_end = self.starts[(row + rest) as usize];
                    }
                }
            }
        }
        own_end
    }
}
