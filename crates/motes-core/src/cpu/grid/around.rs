//! The cells around a point, as many on either side as a reach asks for.

use glam::Vec3;

use super::Grid;
use super::levels::LevelSide;

impl Grid {
    /// Calls `visit` with the places, after the sort, of all particles in the cells around a point: from one to just before
    /// the other, a row of cells at a time and none twice. `aside` says how many cells of a level count on either side of
    /// the point's own.
    #[inline(always)]
    pub(crate) fn around(&self, point: Vec3, aside: impl Fn(usize) -> u32, mut visit: impl FnMut(u32, u32)) {
        for level in 0..self.level_count() {
            let [line, row, layer] = self.level_sides(point, level);
            let aside = aside(level);
            let (first, whole, rest) = line.span(aside);
            for layer in layer.window(aside) {
                for row in row.window(aside) {
                    let row = self.first_in_row(level, layer, row, line);
                    visit(self.start(row + first), self.start(row + whole));
                    // A row that wraps around is in two pieces.
                    if rest > 0 {
                        visit(self.start(row), self.start(row + rest));
                    }
                }
            }
        }
    }

    /// How many cells of a level count on either side of a point's own for all within a distance of it, metres.
    pub(crate) fn cells_within(&self, distance: f32, level: usize) -> u32 {
        // With something to spare for what rounding does to places far out.
        let cells = f64::from(distance) * 1.001 * self.inverse_cell / f64::from(1u32 << level);
        (cells.ceil() as u32).max(1)
    }

    #[inline]
    fn start(&self, entry: u32) -> u32 {
        self.starts[entry as usize]
    }
}

impl LevelSide {
    /// Cells of the window around the own one; never more than there are, or some would come twice.
    #[inline]
    fn width(self, aside: u32) -> u32 {
        (2 * aside + 1).min(self.mask + 1)
    }

    /// The window around the own cell, wrapped.
    #[inline]
    fn window(self, aside: u32) -> impl Iterator<Item = u32> {
        let first = self.wrapped(-(aside as i32));
        (0..self.width(aside)).map(move |k| (first + k) & self.mask)
    }

    /// Where the window begins, where it ends without wrapping around, and where the rest of it ends.
    #[inline]
    fn span(self, aside: u32) -> (u32, u32, u32) {
        let (first, width) = (self.wrapped(-(aside as i32)), self.width(aside));
        let whole = (first + width).min(self.mask + 1);
        (first, whole, first + width - whole)
    }
}
