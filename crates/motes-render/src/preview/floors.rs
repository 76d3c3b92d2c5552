//! Which parts of a shadow map are covered up to which height.

use super::vector::{self, Kernel};
use std::ops::Range;

/// Texels along the side of a block.
const BLOCK: usize = 8;

/// The lowest height of every block of texels, when it was last looked at. Heights only grow, so whatever lies below is
/// hidden for good.
#[derive(Debug)]
pub(crate) struct Floors {
    columns: usize,
    lowest: Vec<f32>,
}

impl Floors {
    /// Nothing is known to be covered yet.
    pub(crate) fn new([columns, rows]: [usize; 2]) -> Self {
        Self {
            columns,
            lowest: vec![f32::NEG_INFINITY; columns.div_ceil(BLOCK) * rows.div_ceil(BLOCK)],
        }
    }

    /// Looks at the heights of the map.
    pub(crate) fn look(&mut self, heights: &[f32]) {
        vector::run(Look { floors: self, heights });
    }

    /// Whether everything up to a height is hidden in a rectangle of texels.
    #[inline]
    pub(crate) fn hide(&self, columns: &Range<usize>, rows: &Range<usize>, height: f32) -> bool {
        if columns.is_empty() || rows.is_empty() {
            return true;
        }
        let blocks_per_row = self.columns.div_ceil(BLOCK);
        let [left, right] = [columns.start, columns.end - 1].map(|texel| texel / BLOCK);
        let [top, bottom] = [rows.start, rows.end - 1].map(|texel| texel / BLOCK);
        (top..=bottom).all(|row| {
            let blocks = &self.lowest[row * blocks_per_row + left..=row * blocks_per_row + right];
            blocks.iter().all(|&lowest| lowest >= height)
        })
    }
}

struct Look<'a> {
    floors: &'a mut Floors,
    heights: &'a [f32],
}

impl Kernel for Look<'_> {
    #[inline(always)]
    fn run(self) {
        let columns = self.floors.columns;
        let blocks_per_row = columns.div_ceil(BLOCK);
        let rows = self.heights.chunks(columns * BLOCK);
        for (rows, blocks) in rows.zip(self.floors.lowest.chunks_mut(blocks_per_row)) {
            for (number, block) in blocks.iter_mut().enumerate().take(columns / BLOCK) {
                let mut least = [f32::INFINITY; BLOCK];
                for row in rows.chunks_exact(columns) {
                    let texels = &row[number * BLOCK..(number + 1) * BLOCK];
                    for (least, &texel) in least.iter_mut().zip(texels) {
                        *least = if texel < *least { texel } else { *least };
                    }
                }
                *block = least.into_iter().fold(f32::INFINITY, f32::min);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_lies_below_all_texels_is_hidden() {
        let size = [20, 17];
        let mut floors = Floors::new(size);
        let mut heights = vec![2.0; 20 * 17];
        assert!(!floors.hide(&(1..9), &(1..9), 1.0));
        heights[5 * 20 + 12] = 0.5;
        floors.look(&heights);
        assert!(floors.hide(&(0..8), &(0..17), 2.0));
        assert!(!floors.hide(&(0..8), &(0..17), 2.1));
        assert!(
            !floors.hide(&(7..9), &(7..8), 1.0),
            "a texel of the next block is lower"
        );
        assert!(floors.hide(&(7..9), &(8..16), 1.0));
        assert!(!floors.hide(&(15..17), &(8..9), 1.0), "blocks at the rim are not known");
    }
}
