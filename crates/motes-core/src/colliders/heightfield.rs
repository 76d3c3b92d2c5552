//! A terrain: heights on a regular grid over the local xz plane, solid below.

use glam::{Vec2, Vec3};
use serde::{Deserialize, Serialize};

use super::{
    ShapeError, SurfacePlane, Sweep,
    error::{finite_values, positive},
    shell::{self, Shell},
    sweep::push_distinct,
};
use crate::space::bounds::Bounds;

/// Heights along local y; sample `(column, row)` stands at `x = column * cell_size.x`, `z = row * cell_size.y`.
///
/// Each cell is two triangles, split from its lower column and row to its higher. The solid reaches down without end
/// and has vertical walls along the border.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Data", into = "Data")]
pub struct Heightfield {
    columns: u32,
    rows: u32,
    cell_size: Vec2,
    heights: Vec<f32>,
    lowest: f32,
    highest: f32,
}

/// What is stored; the rest is rebuilt.
#[derive(Serialize, Deserialize)]
struct Data {
    columns: u32,
    rows: u32,
    cell_size: Vec2,
    heights: Vec<f32>,
}

impl From<Heightfield> for Data {
    fn from(field: Heightfield) -> Self {
        Self {
            columns: field.columns,
            rows: field.rows,
            cell_size: field.cell_size,
            heights: field.heights,
        }
    }
}

impl TryFrom<Data> for Heightfield {
    type Error = ShapeError;

    fn try_from(data: Data) -> Result<Self, ShapeError> {
        Self::new(data.columns, data.rows, data.cell_size, data.heights)
    }
}

impl Heightfield {
    /// A terrain of `columns` samples along x and `rows` along z, `heights[column + columns * row]` metres high.
    pub fn new(columns: u32, rows: u32, cell_size: Vec2, heights: Vec<f32>) -> Result<Self, ShapeError> {
        const SHAPE: &str = "heightfield";
        for (field, found) in [("columns", columns), ("rows", rows)] {
            if found < 2 {
                return Err(ShapeError::TooFew {
                    shape: SHAPE,
                    field,
                    found: found as usize,
                    at_least: 2,
                });
            }
        }
        positive(SHAPE, "cell_size.x", cell_size.x)?;
        positive(SHAPE, "cell_size.y", cell_size.y)?;
        let expected = u64::from(columns) * u64::from(rows);
        let at_most = u64::from(u32::MAX / 2);
        if expected > at_most {
            return Err(ShapeError::TooMany {
                shape: SHAPE,
                field: "heights",
                found: expected.into(),
                at_most: at_most.into(),
            });
        }
        if heights.len() as u64 != expected {
            return Err(ShapeError::WrongCount {
                shape: SHAPE,
                field: "heights",
                found: heights.len(),
                expected: expected as usize,
            });
        }
        finite_values(SHAPE, "heights", &heights)?;
        let lowest = heights.iter().copied().fold(f32::INFINITY, f32::min);
        let highest = heights.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        Ok(Self {
            columns,
            rows,
            cell_size,
            heights,
            lowest,
            highest,
        })
    }

    /// Number of samples along x.
    pub fn columns(&self) -> u32 {
        self.columns
    }

    /// Number of samples along z.
    pub fn rows(&self) -> u32 {
        self.rows
    }

    /// Distance between samples along x and along z, metres.
    pub fn cell_size(&self) -> Vec2 {
        self.cell_size
    }

    /// The samples, columns fastest, metres.
    pub fn heights(&self) -> &[f32] {
        &self.heights
    }

    /// The surface as vertices, one per sample.
    pub fn vertices(&self) -> impl ExactSizeIterator<Item = Vec3> + '_ {
        (0..self.heights.len() as u32).map(|index| self.vertex(index))
    }

    /// The surface as triangles, the very ones that particles touch.
    pub fn triangles(&self) -> impl ExactSizeIterator<Item = [u32; 3]> + '_ {
        (0..2 * (self.columns - 1) * (self.rows - 1)).map(|triangle| self.indices(triangle))
    }

    /// The box that holds the solid: the surface's box, without end below.
    pub fn bounds(&self) -> Bounds {
        let size = self.size();
        Bounds {
            min: Vec3::new(0.0, f32::NEG_INFINITY, 0.0),
            max: Vec3::new(size.x, self.highest, size.y),
        }
    }

    /// Lowest sample, metres.
    pub fn lowest(&self) -> f32 {
        self.lowest
    }

    /// Height of the surface above or below a point, metres; beyond the border that of the border.
    pub fn height_at(&self, x: f32, z: f32) -> f32 {
        let triangle = self.triangle_at(x, z);
        let place = Vec2::new(x, z).clamp(Vec2::ZERO, self.size());
        let anchor = self.vertex(self.indices(triangle)[0]);
        let normal = self.normal(triangle);
        anchor.y - (normal.x * (place.x - anchor.x) + normal.z * (place.y - anchor.z)) / normal.y
    }

    /// Distance to the surface, negative below it, and the direction in which it grows.
    ///
    /// Beside the terrain its walls count; below it only the surface does, as particles leave upwards.
    pub fn signed_distance(&self, point: Vec3) -> (f32, Vec3) {
        if let Some((distance, wall)) = self.wall(point) {
            return (distance, wall.normal);
        }
        let place = Vec2::new(point.x, point.z).clamp(Vec2::ZERO, self.size());
        let height = self.height_at(point.x, point.z);
        let below = point.y < height && self.covers(point);
        let above = self.triangle_at(point.x, point.z);
        let upper_bound = point.distance(Vec3::new(place.x, height, place.y));
        let mut best = (upper_bound, if below { Vec3::Y } else { self.normal(above) });
        if let Some(away) = (point - Vec3::new(place.x, height, place.y)).try_normalize()
            && !below
        {
            best.1 = away;
        }
        self.visit_near(point, point, upper_bound, |triangle| {
            let away = point - self.corners(triangle).closest(point).0;
            let distance = away.length();
            if distance < best.0 {
                let normal = self.normal(triangle);
                let outward = if below { -away } else { away };
                best = (distance, outward.try_normalize().unwrap_or(normal));
            }
        });
        (if below { -best.0 } else { best.0 }, best.1)
    }

    /// Whether a ball overlaps the solid.
    pub fn contains(&self, point: Vec3, radius: f32) -> bool {
        if point.y - radius >= self.highest {
            return false;
        }
        if self.covers(point) && point.y < self.height_at(point.x, point.z) {
            return true;
        }
        if let Some((distance, _)) = self.wall(point) {
            return distance < radius;
        }
        let mut touched = false;
        self.visit_near(point, point, radius, |triangle| {
            touched = touched || self.corners(triangle).closest(point).0.distance(point) < radius;
        });
        touched
    }

    pub(super) fn contacts(&self, sweep: &Sweep, out: &mut Vec<SurfacePlane>) {
        if sweep.start.y.min(sweep.end.y) - sweep.reach() >= self.highest {
            return;
        }
        if self.covers(sweep.start) && sweep.start.y < self.height_at(sweep.start.x, sweep.start.z) {
            self.lift(sweep, out);
            return;
        }
        if let Some(plane) = self.wall_entered(sweep) {
            out.push(plane);
            return;
        }
        let first = out.len();
        // Below the rim the surface's border edge is part of the wall, not an edge to touch.
        let beside = self.wall(sweep.start).is_some() && self.wall(sweep.end).is_some();
        let rest = if beside {
            Some(sweep.end)
        } else {
            shell::follow(self, sweep, out)
        };
        let Some(rest) = rest else { return };
        match self.wall(rest) {
            Some((distance, plane)) if distance < sweep.reach() => {
                push_distinct(plane, sweep.radius, first, out);
            }
            Some(_) => {}
            None => shell::surroundings(self, sweep, rest, first, out),
        }
    }

    /// Brings a particle that is below the surface up, by the triangle straight above its end.
    fn lift(&self, sweep: &Sweep, out: &mut Vec<SurfacePlane>) {
        let triangle = self.triangle_at(sweep.end.x, sweep.end.z);
        let plane = SurfacePlane {
            point: self.vertex(self.indices(triangle)[0]),
            normal: self.normal(triangle),
        };
        let height = plane.height(sweep.end);
        if self.covers(sweep.end) && height < sweep.reach() {
            out.push(SurfacePlane {
                point: sweep.end - height * plane.normal,
                normal: plane.normal,
            });
        }
    }

    /// The nearest wall of the border to a point beside the terrain and below its rim.
    fn wall(&self, point: Vec3) -> Option<(f32, SurfacePlane)> {
        let place = Vec2::new(point.x, point.z);
        let border = place.clamp(Vec2::ZERO, self.size());
        let away = (place - border).try_normalize()?;
        let below_rim = point.y < self.height_at(border.x, border.y);
        below_rim.then(|| {
            let plane = SurfacePlane {
                point: Vec3::new(border.x, point.y, border.y),
                normal: Vec3::new(away.x, 0.0, away.y),
            };
            (place.distance(border), plane)
        })
    }

    /// The wall through which a path comes into the solid from beside it.
    fn wall_entered(&self, sweep: &Sweep) -> Option<SurfacePlane> {
        if self.covers(sweep.start) {
            return None;
        }
        let size = self.size();
        let along = sweep.end - sweep.start;
        let (mut enter, mut leave, mut normal) = (0.0_f32, 1.0_f32, Vec3::ZERO);
        for (axis, high) in [(0, size.x), (2, size.y)] {
            if along[axis] == 0.0 {
                if !(0.0..=high).contains(&sweep.start[axis]) {
                    return None;
                }
                continue;
            }
            let (a, b) = (
                -sweep.start[axis] / along[axis],
                (high - sweep.start[axis]) / along[axis],
            );
            if a.min(b) >= enter {
                enter = a.min(b);
                normal = Vec3::ZERO;
                normal[axis] = -along[axis].signum();
            }
            leave = leave.min(a.max(b));
        }
        let point = sweep.start + enter * along;
        let entered = enter <= leave && normal != Vec3::ZERO && point.y < self.height_at(point.x, point.z);
        entered.then_some(SurfacePlane { point, normal })
    }

    /// Extent along x and z, metres.
    fn size(&self) -> Vec2 {
        self.cell_size * Vec2::new((self.columns - 1) as f32, (self.rows - 1) as f32)
    }

    fn covers(&self, point: Vec3) -> bool {
        let size = self.size();
        (0.0..=size.x).contains(&point.x) && (0.0..=size.y).contains(&point.z)
    }

    /// The triangle straight above or below a place, the nearest one beyond the border.
    fn triangle_at(&self, x: f32, z: f32) -> u32 {
        let place = Vec2::new(x, z) / self.cell_size;
        let column = (place.x.max(0.0) as u32).min(self.columns - 2);
        let row = (place.y.max(0.0) as u32).min(self.rows - 2);
        let within = place - Vec2::new(column as f32, row as f32);
        let cell = column + (self.columns - 1) * row;
        2 * cell + u32::from(within.x > within.y)
    }

    /// The cells from the one that holds `from` to the one that holds `to`; empty when both lie beyond one end.
    fn cells(from: f32, to: f32, cell_size: f32, samples: u32) -> std::ops::Range<u32> {
        let last = (samples - 1) as f32;
        let (from, to) = (from / cell_size, to / cell_size);
        if !(from <= last && to >= 0.0) {
            return 0..0;
        }
        let first = (from.max(0.0) as u32).min(samples - 2);
        first..(to as u32).saturating_add(1).min(samples - 1)
    }
}

impl Shell for Heightfield {
    #[inline]
    fn indices(&self, triangle: u32) -> [u32; 3] {
        let cell = triangle / 2;
        let (column, row) = (cell % (self.columns - 1), cell / (self.columns - 1));
        let corner = column + self.columns * row;
        let opposite = corner + self.columns + 1;
        if triangle.is_multiple_of(2) {
            [corner, corner + self.columns, opposite]
        } else {
            [corner, opposite, corner + 1]
        }
    }

    #[inline]
    fn vertex(&self, index: u32) -> Vec3 {
        let (column, row) = (index % self.columns, index / self.columns);
        Vec3::new(
            column as f32 * self.cell_size.x,
            self.heights[index as usize],
            row as f32 * self.cell_size.y,
        )
    }

    #[inline]
    fn normal(&self, triangle: u32) -> Vec3 {
        let [a, b, c] = self.indices(triangle).map(|index| self.heights[index as usize]);
        let (rise_x, rise_z) = if triangle.is_multiple_of(2) {
            (c - b, b - a)
        } else {
            (c - a, b - c)
        };
        let slope = Vec3::new(-rise_x / self.cell_size.x, 1.0, -rise_z / self.cell_size.y);
        slope.try_normalize().unwrap_or(Vec3::Y)
    }

    fn visit_near(&self, start: Vec3, end: Vec3, reach: f32, mut visit: impl FnMut(u32)) {
        let (low, high) = (start.min(end) - reach, start.max(end) + reach);
        if low.y > self.highest || high.y < self.lowest {
            return;
        }
        let along = end - start;
        for row in Self::cells(low.z, high.z, self.cell_size.y, self.rows) {
            // Only the part of the path beside this row of cells matters to it.
            let slab = (
                row as f32 * self.cell_size.y - reach - start.z,
                (row + 1) as f32 * self.cell_size.y + reach - start.z,
            );
            let (mut left, mut right) = (low.x, high.x);
            if along.z != 0.0 {
                let (a, b) = (slab.0 / along.z, slab.1 / along.z);
                let (a, b) = (a.min(b).clamp(0.0, 1.0), a.max(b).clamp(0.0, 1.0));
                let (a, b) = (start.x + along.x * a, start.x + along.x * b);
                let slack = reach + 1e-3 * self.cell_size.x;
                (left, right) = (left.max(a.min(b) - slack), right.min(a.max(b) + slack));
            }
            for column in Self::cells(left, right, self.cell_size.x, self.columns) {
                let corner = (column + self.columns * row) as usize;
                let below = corner + self.columns as usize;
                let corners = [corner, corner + 1, below, below + 1].map(|i| self.heights[i]);
                if corners.iter().all(|&y| y < low.y) || corners.iter().all(|&y| y > high.y) {
                    continue;
                }
                let cell = column + (self.columns - 1) * row;
                visit(2 * cell);
                visit(2 * cell + 1);
            }
        }
    }

    #[inline]
    fn visit_fan(&self, vertex: u32, mut visit: impl FnMut(u32)) {
        let (column, row) = (vertex % self.columns, vertex / self.columns);
        for cell_row in row.saturating_sub(1)..(row + 1).min(self.rows - 1) {
            for cell_column in column.saturating_sub(1)..(column + 1).min(self.columns - 1) {
                let cell = cell_column + (self.columns - 1) * cell_row;
                for triangle in [2 * cell, 2 * cell + 1] {
                    if self.indices(triangle).contains(&vertex) {
                        visit(triangle);
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sweep(start: Vec3, end: Vec3) -> Sweep {
        Sweep {
            start,
            end,
            radius: 0.05,
            margin: 0.02,
        }
    }

    fn contacts(field: &Heightfield, start: Vec3, end: Vec3) -> Vec<SurfacePlane> {
        let mut out = Vec::new();
        field.contacts(&sweep(start, end), &mut out);
        out
    }

    /// 2 m by 2 m, with a ridge 1 m high and two cells wide along z.
    fn ridge() -> Heightfield {
        let heights = (0..21 * 21).map(|i| if i % 21 == 10 { 1.0 } else { 0.0 }).collect();
        Heightfield::new(21, 21, Vec2::splat(0.1), heights).expect("valid")
    }

    #[test]
    fn a_tilted_field_is_a_plane() {
        let heights = (0..12).map(|i| 0.5 * (i % 4) as f32 - 0.2 * (i / 4) as f32).collect();
        let field = Heightfield::new(4, 3, Vec2::new(1.0, 2.0), heights).expect("valid");
        let normal = Vec3::new(-0.5, 1.0, 0.1).normalize();
        for (x, z) in [(0.3, 0.2), (1.5, 1.5), (2.7, 3.9), (1.0, 2.0)] {
            let height = 0.5 * x - 0.1 * z;
            assert!((field.height_at(x, z) - height).abs() < 1e-5);
            for lift in [0.04, -0.04] {
                let point = Vec3::new(x, height, z) + lift * normal;
                let (distance, direction) = field.signed_distance(point);
                assert!((distance - lift).abs() < 1e-5);
                assert!(direction.distance(normal) < 1e-3);
            }
        }
        assert!(field.triangles().all(|[a, b, c]| {
            let [a, b, c] = [a, b, c].map(|index| field.vertex(index));
            (b - a).cross(c - a).normalize().distance(normal) < 1e-5
        }));
    }

    #[test]
    fn a_shot_through_a_steep_ridge_is_caught_before_it() {
        let planes = contacts(&ridge(), Vec3::new(0.2, 0.5, 1.03), Vec3::new(1.8, 0.5, 1.03));
        assert!(planes[0].normal.x < -0.9);
        assert!(planes[0].point.x < 1.0);
    }

    #[test]
    fn a_particle_below_is_brought_up() {
        let planes = contacts(&ridge(), Vec3::new(0.33, -3.0, 0.21), Vec3::new(0.33, -3.1, 0.21));
        assert_eq!(planes.len(), 1);
        assert_eq!(planes[0].normal, Vec3::Y);
        assert!(planes[0].point.y.abs() < 1e-6);
    }

    #[test]
    fn the_border_is_a_wall_below_the_rim() {
        let planes = contacts(&ridge(), Vec3::new(-0.5, -0.3, 1.0), Vec3::new(0.5, -0.3, 1.0));
        assert_eq!(planes.len(), 1);
        assert_eq!(planes[0].normal, Vec3::NEG_X);
        assert!(contacts(&ridge(), Vec3::new(-0.5, -0.3, 1.0), Vec3::new(-0.2, -0.3, 1.0)).is_empty());
        assert!(contacts(&ridge(), Vec3::new(-0.5, 0.3, 1.0), Vec3::new(0.5, 0.3, 1.0)).is_empty());
        assert!(ridge().contains(Vec3::new(-0.01, -5.0, 1.0), 0.02));
        assert!(!ridge().contains(Vec3::new(-0.03, -5.0, 1.0), 0.02));
    }

    #[test]
    fn bad_fields_are_refused_and_named() {
        let build = |columns, rows, heights| Heightfield::new(columns, rows, Vec2::ONE, heights).expect_err("bad");
        assert!(matches!(
            build(1, 2, vec![0.0; 2]),
            ShapeError::TooFew { field: "columns", .. }
        ));
        assert!(matches!(
            build(2, 2, vec![0.0; 5]),
            ShapeError::WrongCount { expected: 4, .. }
        ));
        assert!(matches!(build(u32::MAX, u32::MAX, vec![]), ShapeError::TooMany { .. }));
        assert!(matches!(
            build(2, 2, vec![0.0, 0.0, f32::NAN, 0.0]),
            ShapeError::NotFiniteAt { index: 2, .. }
        ));
        assert!(Heightfield::new(2, 2, Vec2::new(1.0, -1.0), vec![0.0; 4]).is_err());
    }
}
