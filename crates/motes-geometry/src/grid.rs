//! A grid of cells over points, to find those near a place; cells share buckets by a hash (Teschner et al. 2003).

use glam::{IVec3, Vec3};

/// The cell of a grid that a place lies in; places too far out share the outermost.
pub(crate) fn cell_of(position: Vec3, width: f32) -> IVec3 {
    let limit = Vec3::splat(1e9);
    (position / width).floor().clamp(-limit, limit).as_ivec3()
}

/// Points sorted by cells.
pub(crate) struct Grid {
    width: f32,
    /// Where the points of each bucket begin.
    starts: Vec<u32>,
    entries: Vec<Entry>,
}

#[derive(Clone, Copy)]
struct Entry {
    point: Vec3,
    cell: IVec3,
    index: u32,
}

impl Grid {
    /// Cells of a width, metres; the points must be finite.
    pub(crate) fn new(points: &[Vec3], width: f32) -> Self {
        let buckets = points.len().next_power_of_two();
        let mut starts = vec![0u32; buckets + 1];
        let cells: Vec<IVec3> = points.iter().map(|point| cell_of(*point, width)).collect();
        cells.iter().for_each(|cell| starts[bucket(*cell, buckets) + 1] += 1);
        (0..buckets).for_each(|index| starts[index + 1] += starts[index]);
        let mut next = starts.clone();
        let nothing = Entry {
            point: Vec3::ZERO,
            cell: IVec3::ZERO,
            index: 0,
        };
        let mut entries = vec![nothing; points.len()];
        for (index, (&point, &cell)) in points.iter().zip(&cells).enumerate() {
            let place = &mut next[bucket(cell, buckets)];
            let index = index as u32;
            entries[*place as usize] = Entry { point, cell, index };
            *place += 1;
        }
        Self { width, starts, entries }
    }

    /// Visits the index and the squared distance of every point within a distance, metres.
    pub(crate) fn each_within(&self, place: Vec3, distance: f32, mut visit: impl FnMut(u32, f32)) {
        let mut consider = |entry: &Entry| {
            let squared = entry.point.distance_squared(place);
            if squared <= distance * distance {
                visit(entry.index, squared);
            }
        };
        let (low, high) = (
            cell_of(place - distance, self.width),
            cell_of(place + distance, self.width),
        );
        let cells = (high.as_dvec3() - low.as_dvec3()) + 1.0;
        if cells.element_product() > 27.0 + self.entries.len() as f64 {
            self.entries.iter().for_each(consider);
            return;
        }
        let buckets = self.starts.len() - 1;
        for z in low.z..=high.z {
            for y in low.y..=high.y {
                for x in low.x..=high.x {
                    let cell = IVec3::new(x, y, z);
                    let bucket = bucket(cell, buckets);
                    let range = self.starts[bucket] as usize..self.starts[bucket + 1] as usize;
                    let here = self.entries[range].iter().filter(|entry| entry.cell == cell);
                    here.for_each(&mut consider);
                }
            }
        }
    }

    /// The point nearest to a place, the first of equally near ones; nothing if there are no points.
    pub(crate) fn nearest(&self, place: Vec3) -> Option<u32> {
        let mut distance = self.width;
        while !self.entries.is_empty() {
            let mut best = (f32::INFINITY, u32::MAX);
            self.each_within(place, distance, |index, squared| {
                if (squared, index) < best {
                    best = (squared, index);
                }
            });
            if best.1 != u32::MAX {
                return Some(best.1);
            }
            if distance == f32::INFINITY {
                break;
            }
            distance *= 2.0;
        }
        None
    }
}

fn bucket(cell: IVec3, buckets: usize) -> usize {
    let mixed = (cell.x as u32).wrapping_mul(73_856_093)
        ^ (cell.y as u32).wrapping_mul(19_349_663)
        ^ (cell.z as u32).wrapping_mul(83_492_791);
    mixed as usize & (buckets - 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn what_is_found_is_what_a_search_of_all_finds(
            points in prop::collection::vec(prop::array::uniform3(-2.0f32..2.0), 1..80),
            place in prop::array::uniform3(-3.0f32..3.0),
            (width, distance) in (0.1f32..3.0, 0.0f32..3.0),
        ) {
            let points: Vec<Vec3> = points.into_iter().map(Vec3::from).collect();
            let place = Vec3::from(place);
            let grid = Grid::new(&points, width);
            let mut found = Vec::new();
            grid.each_within(place, distance, |index, _| found.push(index));
            found.sort_unstable();
            let near = |index: &u32| points[*index as usize].distance_squared(place) <= distance * distance;
            let expected: Vec<u32> = (0..points.len() as u32).filter(near).collect();
            prop_assert_eq!(found, expected);
            let gap = |index: u32| points[index as usize].distance_squared(place);
            let least = (0..points.len() as u32).map(gap).fold(f32::INFINITY, f32::min);
            prop_assert_eq!(grid.nearest(place).map(gap), Some(least));
        }
    }

    #[test]
    fn a_place_very_far_away_has_a_nearest_point() {
        let points = [Vec3::ZERO, Vec3::X];
        assert_eq!(Grid::new(&points, 0.01).nearest(Vec3::X * 1e7), Some(1));
        assert_eq!(Grid::new(&[], 0.01).nearest(Vec3::X), None);
    }
}
