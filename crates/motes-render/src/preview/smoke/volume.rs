//! How much smoke light has come through, anywhere: a grid along the direction of a light, in whose cells puffs leave their optical depth,
//! summed from the light on.
//!
//! This is the shadow map of *Unified Particle Physics* (2014), section 7.2.4, with many layers of depth instead of the nearest
//! point alone (deep opacity maps, Yuksel and Keyser 2008), so that light falls off as far into smoke as there is smoke before it.

use super::super::bounds::Bounds;
use super::super::vector::{self, Kernel};
use super::super::view::View;
use crate::Puff;
use glam::{Vec3, Vec3A, Vec4};
use rayon::prelude::*;

/// Empty cells on every side of the smoke.
const BORDER: f32 = 2.0;
/// Rows of cells that are filled by themselves.
const SLAB: usize = 8;
/// Smallest side of a cell, radii of the usual puff.
const FINEST: f32 = 0.35;
/// Half the width that a puff has in the grid, radii: so a tent varies as much as a puff does.
const SPREAD: f32 = 0.866;
/// Most optical depth that a puff leaves.
const DEEPEST: f32 = 1e6;
/// Cells across a puff at most.
const MOST_CELLS: usize = 32;

/// A puff in the world: what light meets of it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cloud {
    /// Middle and radius, metres.
    pub(crate) sphere: Vec4,
    /// Optical depth times area, m².
    pub(crate) area: f32,
}

impl Cloud {
    pub(crate) fn new(puff: &Puff) -> Self {
        Self {
            sphere: puff.position.extend(puff.radius),
            area: puff.extinction(),
        }
    }
}

/// Opacity of a puff at a distance from its middle, given the square of that, in radii.
#[inline(always)]
pub(crate) fn profile(square: f32) -> f32 {
    let left = 1.0 - square;
    let left = if left > 0.0 { left } else { 0.0 };
    left * left
}

/// Where the grid of a volume lies in the world.
#[derive(Clone, Copy, Debug, Default)]
struct Frame {
    /// Cells per metre along columns, rows and slices; slices begin at the light.
    axes: [Vec3; 3],
    origin: Vec3,
}

impl Frame {
    fn place(&self, point: Vec3) -> Vec3 {
        let [x, y, z] = self.axes.map(|axis| axis.dot(point));
        Vec3::new(x, y, z) + self.origin
    }
}

/// Optical depth of smoke between a far light and any point.
#[derive(Debug, Default)]
pub(crate) struct Volume {
    /// From camera space.
    frame: Frame,
    /// Columns, rows and slices.
    size: [usize; 3],
    /// Row by row, slice by slice, column by column: optical depth from the light to the middle of a cell.
    depths: Vec<f32>,
}

impl Volume {
    /// Fills the volume with clouds, which lie within `bounds` but for a few; cells are of a `resolution`th of its longer side, but not much
    /// finer than the clouds, whose usual radius is given.
    pub(crate) fn fill(&mut self, clouds: &[Cloud], bounds: &Bounds, usual_radius: f32, light: &LightRay, view: &View) {
        let (across, along) = light.towards.any_orthonormal_pair();
        let axes = [across, along, -light.towards];
        let corners = bounds.corners();
        let span = axes.map(|axis| {
            let places = corners.map(|corner| corner.dot(axis));
            let least = places.into_iter().fold(f32::INFINITY, f32::min);
            [least, places.into_iter().fold(f32::NEG_INFINITY, f32::max)]
        });
        let extent = span.iter().fold(1e-6, |most: f32, [least, end]| most.max(end - least));
        let cell = (extent / light.resolution as f32).max(FINEST * usual_radius);
        let per_metre = 1.0 / cell;
        self.size = span.map(|[least, end]| ((end - least) * per_metre + 2.0 * BORDER).ceil() as usize + 1);
        let world = Frame {
            axes: axes.map(|axis| axis * per_metre),
            origin: Vec3::from_array(span.map(|[least, _]| BORDER - least * per_metre)),
        };
        self.frame = Frame {
            axes: world.axes.map(|axis| view.direction(axis)),
            origin: world.place(view.to_world(Vec3::ZERO)),
        };
        let [columns, rows, slices] = self.size;
        self.depths.clear();
        self.depths.resize(columns * rows * slices, 0.0);
        let slab = SLAB * columns * slices;
        self.depths
            .par_chunks_mut(slab)
            .enumerate()
            .for_each(|(number, cells)| {
                vector::run(FillSlab {
                    clouds,
                    frame: &world,
                    size: [columns, slices],
                    last: [columns, rows, slices].map(|count| count - 1),
                    first_row: number * SLAB,
                    per_metre,
                    cells,
                });
            });
    }

    /// Optical depth between the light and a point in camera space.
    pub(crate) fn depth(&self, point: Vec3A) -> f32 {
        self.look(self.frame.place(point.into()))
    }

    /// The same, and that between the point and whatever is on the other side.
    pub(crate) fn depths(&self, point: Vec3A) -> [f32; 2] {
        let place = self.frame.place(point.into());
        let before = self.look(place);
        let all = self.look(place.with_z(f32::MAX));
        [before, all - before]
    }

    /// Optical depth at a place in cells, whose middles are at halves, between the eight around it.
    fn look(&self, place: Vec3) -> f32 {
        let [columns, rows, slices] = self.size;
        let last = Vec3::new(columns as f32, rows as f32, slices as f32) - 1.5;
        let place = place - 0.5;
        // Around the smoke is a border without any. A place that is not a number is outside.
        let is_inside = place.x > 0.0 && place.y > 0.0 && place.z > 0.0 && place.x < last.x && place.y < last.y;
        if !is_inside {
            return 0.0;
        }
        let place = place.with_z(place.z.min(last.z));
        let low = place.floor();
        let share = place - low;
        let (x, y, z) = (low.x as usize, low.y as usize, low.z as usize);
        let start = (y * slices + z) * columns + x;
        let along_x = |start: usize| {
            let pair = &self.depths[start..start + 2];
            pair[0] + (pair[1] - pair[0]) * share.x
        };
        let along_z = |start: usize| {
            let (near, far) = (along_x(start), along_x(start + columns));
            near + (far - near) * share.z
        };
        let (upper, lower) = (along_z(start), along_z(start + slices * columns));
        upper + (lower - upper) * share.y
    }
}

/// A direction of light, and how finely what it meets is told apart.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LightRay {
    /// Unit vector to the light, in the world.
    pub(crate) towards: Vec3,
    /// Cells along the longer side.
    pub(crate) resolution: u32,
}

/// Fills a few rows of a volume. Every cell takes up the clouds in their order, so that it is the same on any number of threads.
struct FillSlab<'a> {
    clouds: &'a [Cloud],
    frame: &'a Frame,
    /// Columns and slices.
    size: [usize; 2],
    /// The last column, row and slice, which stay empty as the first ones do.
    last: [usize; 3],
    first_row: usize,
    per_metre: f32,
    cells: &'a mut [f32],
}

impl Kernel for FillSlab<'_> {
    #[inline(always)]
    fn run(self) {
        let [columns, slices] = self.size;
        let rows = self.cells.len() / (columns * slices);
        let slab = self.first_row.max(1)..(self.first_row + rows).min(self.last[1]);
        let per_area = self.per_metre * self.per_metre;
        for cloud in self.clouds {
            let center = cloud.sphere.truncate();
            let half = (SPREAD * cloud.sphere.w * self.per_metre).clamp(1.0, 0.5 * MOST_CELLS as f32 - 1.0);
            let row = self.frame.axes[1].dot(center) + self.frame.origin.y;
            if !(row + half > slab.start as f32 && row - half < slab.end as f32) {
                continue;
            }
            let place = self.frame.place(center);
            let is_within = |place: f32, last: usize| place + half > 0.0 && place - half < last as f32;
            if !(is_within(place.x, self.last[0]) && is_within(place.z, self.last[2])) {
                continue;
            }
            let across = Tent::new(place.x, half, 1..self.last[0]);
            let along = Tent::new(place.y, half, slab.clone());
            let down = Tent::new(place.z, half, 1..self.last[2]);
            let depth = (cloud.area * per_area).min(DEEPEST);
            for (row, along) in along.weights() {
                for (slice, down) in down.weights() {
                    let start = ((row - self.first_row) * slices + slice) * columns + across.first;
                    let weight = depth * along * down;
                    let cells = &mut self.cells[start..start + across.count];
                    for (cell, across) in cells.iter_mut().zip(&across.shares) {
                        *cell += weight * across;
                    }
                }
            }
        }
        let mut passed = vec![0.0; columns];
        for row in self.cells.chunks_exact_mut(columns * slices) {
            passed.fill(0.0);
            for slice in row.chunks_exact_mut(columns) {
                for (cell, passed) in slice.iter_mut().zip(&mut passed) {
                    let own = *cell;
                    *cell = *passed + 0.5 * own;
                    *passed += own;
                }
            }
        }
    }
}

/// Shares of a cloud in cells along one axis, which together are 1 if none is cut off.
struct Tent {
    first: usize,
    count: usize,
    shares: [f32; MOST_CELLS],
}

impl Tent {
    #[inline(always)]
    fn new(place: f32, half: f32, cells: std::ops::Range<usize>) -> Self {
        let (from, to) = ((place - half - 0.5).ceil(), (place + half - 0.5).floor());
        let mut sum = 0.0;
        let mut cell = from;
        while cell <= to {
            sum += 1.0 - (cell + 0.5 - place).abs() / half;
            cell += 1.0;
        }
        let first = from.max(cells.start as f32) as usize;
        let end = ((to + 1.0).max(0.0) as usize).min(cells.end);
        let mut shares = [0.0; MOST_CELLS];
        let count = end.saturating_sub(first).min(MOST_CELLS);
        for (number, share) in shares[..count].iter_mut().enumerate() {
            *share = (1.0 - ((first + number) as f32 + 0.5 - place).abs() / half) / sum;
        }
        Self {
            first: first.min(cells.end),
            count,
            shares,
        }
    }

    #[inline(always)]
    fn weights(&self) -> impl Iterator<Item = (usize, f32)> + '_ {
        let shares = self.shares[..self.count].iter().copied();
        (self.first..).zip(shares)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Camera;

    fn cloud(position: Vec3, radius: f32, opacity: f32) -> Cloud {
        Cloud::new(&Puff {
            position,
            radius,
            opacity,
            temperature: 20.0,
            color: [255; 3],
        })
    }

    fn filled(clouds: &[Cloud], towards: Vec3) -> (Volume, View) {
        let camera = Camera {
            position: Vec3::new(0.3, 0.4, 5.0),
            target: Vec3::ZERO,
            up: Vec3::Y,
            field_of_view: 40.0,
        };
        let view = View::new(&camera, [64, 64]);
        let bounds = Bounds {
            min: Vec3::splat(-1.3),
            max: Vec3::splat(1.3),
        };
        let mut volume = Volume::default();
        let light = LightRay {
            towards: towards.normalize(),
            resolution: 64,
        };
        volume.fill(clouds, &bounds, 0.2, &light, &view);
        (volume, view)
    }

    #[test]
    fn light_through_an_even_block_of_smoke_falls_off_as_deep_as_it_has_come() {
        // A lattice of puffs that overlap evenly: optical depth per metre is the area of one times their number per volume.
        let (step, count) = (0.1, 21);
        let clouds: Vec<Cloud> = (0..count * count * count)
            .map(|i| {
                let place = Vec3::new(
                    (i % count) as f32,
                    (i / count % count) as f32,
                    (i / count / count) as f32,
                );
                cloud((place - 10.0) * step, 2.0 * step / SPREAD, 0.1)
            })
            .collect();
        let per_metre = clouds[0].area / step.powi(3);
        for towards in [Vec3::Y, Vec3::X] {
            let (volume, view) = filled(&clouds, towards);
            let at = |height: f32| volume.depth(view.point(towards * height).into());
            for height in [0.6_f32, 0.0, -0.6] {
                let expected = per_metre * (1.05 - height);
                assert!((at(height) / expected - 1.0).abs() < 0.04, "{} {expected}", at(height));
            }
            assert_eq!(at(1.5), 0.0);
            let whole = per_metre * 2.1;
            assert!((at(-5.0) / whole - 1.0).abs() < 0.04, "{} {whole}", at(-5.0));
            let [before, behind] = volume.depths(view.point(towards * 0.5).into());
            assert!(((before + behind) / whole - 1.0).abs() < 0.04 && behind > 2.0 * before);
        }
    }

    #[test]
    fn a_cloud_leaves_all_of_its_depth_wherever_it_lies() {
        for center in [Vec3::ZERO, Vec3::new(0.013, -0.27, 0.4), Vec3::new(-0.9, 0.8, 0.77)] {
            for radius in [0.01, 0.2, 0.35] {
                let cloud = cloud(center, radius, 0.4);
                let (volume, _) = filled(&[cloud], Vec3::new(1.0, 2.0, -0.7));
                let [columns, rows, slices] = volume.size;
                let passed = (0..rows).map(|row| {
                    let start = (row * slices + slices - 1) * columns;
                    volume.depths[start..start + columns].iter().sum::<f32>()
                });
                let cell = 1.0 / volume.frame.axes[0].length();
                let area = passed.sum::<f32>() * cell * cell;
                assert!((area / cloud.area - 1.0).abs() < 1e-3, "{center} {radius}: {area}");
            }
        }
    }

    #[test]
    fn clouds_out_of_bounds_and_odd_places_do_no_harm() {
        let clouds = [
            cloud(Vec3::splat(1e20), 0.1, 0.5),
            cloud(Vec3::splat(-3.0), 0.1, 0.5),
            cloud(Vec3::ZERO, 1e12, 1.0),
        ];
        let (volume, _) = filled(&clouds, Vec3::Y);
        assert_eq!(volume.depth(Vec3A::splat(f32::NAN)), 0.0);
        assert_eq!(volume.depth(Vec3A::splat(f32::INFINITY)), 0.0);
        assert!(volume.depth(Vec3A::splat(-1e30)) >= 0.0);
    }
}
