//! Which primitives may touch which tile of the picture.

use super::view::SampleRect;

/// The grid of square tiles over the samples of a picture.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Tiles {
    /// Samples along the side of a tile.
    pub(crate) side: u32,
    /// Tiles in a row and in a column.
    pub(crate) counts: [u32; 2],
    samples: [u32; 2],
}

impl Tiles {
    pub(crate) fn new(samples: [u32; 2], side: u32) -> Self {
        Self {
            side,
            counts: samples.map(|count| count.div_ceil(side)),
            samples,
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.counts[0] as usize * self.counts[1] as usize
    }

    /// The samples of one tile.
    pub(crate) fn rect(&self, tile: usize) -> SampleRect {
        let place = [tile as u32 % self.counts[0], tile as u32 / self.counts[0]];
        let min = place.map(|p| p * self.side);
        SampleRect {
            min,
            max: [
                (min[0] + self.side).min(self.samples[0]),
                (min[1] + self.side).min(self.samples[1]),
            ],
        }
    }

    fn touched(&self, rect: &SampleRect) -> impl Iterator<Item = usize> + use<> {
        let first = rect.min.map(|sample| sample / self.side);
        let last = rect.max.map(|sample| sample.div_ceil(self.side));
        let row_length = self.counts[0];
        let columns = if rect.is_empty() { 0..0 } else { first[0]..last[0] };
        (first[1]..last[1]).flat_map(move |row| columns.clone().map(move |column| (row * row_length + column) as usize))
    }
}

/// Lists of primitives per tile, in rising order.
#[derive(Debug, Default)]
pub(crate) struct Bins {
    starts: Vec<u32>,
    items: Vec<u32>,
}

impl Bins {
    /// Sorts primitives, given by the samples they may cover, into the tiles: a counting sort.
    pub(crate) fn fill(&mut self, tiles: &Tiles, rects: &[SampleRect]) {
        self.starts.clear();
        self.starts.resize(tiles.len() + 2, 0);
        for rect in rects {
            for tile in tiles.touched(rect) {
                self.starts[tile + 2] += 1;
            }
        }
        for tile in 2..self.starts.len() {
            self.starts[tile] += self.starts[tile - 1];
        }
        self.items.clear();
        self.items.resize(self.starts.last().map_or(0, |&end| end as usize), 0);
        for (primitive, rect) in rects.iter().enumerate() {
            for tile in tiles.touched(rect) {
                let slot = &mut self.starts[tile + 1];
                self.items[*slot as usize] = primitive as u32;
                *slot += 1;
            }
        }
    }

    /// The primitives that may touch a tile.
    pub(crate) fn tile(&self, tile: usize) -> &[u32] {
        &self.items[self.starts[tile] as usize..self.starts[tile + 1] as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_primitive_is_listed_in_every_tile_it_touches_and_no_other() {
        let tiles = Tiles::new([20, 20], 8);
        let rects = [
            SampleRect {
                min: [7, 0],
                max: [9, 8],
            },
            SampleRect::default(),
            SampleRect {
                min: [0, 0],
                max: [20, 20],
            },
        ];
        let mut bins = Bins::default();
        bins.fill(&tiles, &rects);
        assert_eq!(bins.tile(0), [0, 2]);
        assert_eq!(bins.tile(1), [0, 2]);
        assert!((2..9).all(|tile| bins.tile(tile) == [2]));
        assert_eq!(tiles.rect(8).max, [20, 20]);
    }
}
