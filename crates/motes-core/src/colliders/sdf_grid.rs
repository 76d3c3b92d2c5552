//! A solid given by signed distances on a regular grid, interpolated trilinearly.

use glam::{UVec3, Vec3};
use serde::{Deserialize, Serialize};

use super::{
    ShapeError, SurfacePlane, Sweep,
    error::{finite_points, finite_values, positive},
    sweep::{marched_hit, solid_contacts},
};
use crate::space::bounds::Bounds;

/// Signed distances, metres, negative inside, at the corners of cubic cells.
///
/// Outside the grid the distance is that to the grid's box plus the value where it is reached.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Data", into = "Data")]
pub struct SdfGrid {
    origin: Vec3,
    cell_size: f32,
    dims: UVec3,
    values: Vec<f32>,
    steepness: f32,
}

/// What is stored; the rest is rebuilt.
#[derive(Serialize, Deserialize)]
struct Data {
    origin: Vec3,
    cell_size: f32,
    dims: UVec3,
    values: Vec<f32>,
}

impl From<SdfGrid> for Data {
    fn from(grid: SdfGrid) -> Self {
        Self {
            origin: grid.origin,
            cell_size: grid.cell_size,
            dims: grid.dims,
            values: grid.values,
        }
    }
}

impl TryFrom<Data> for SdfGrid {
    type Error = ShapeError;

    fn try_from(data: Data) -> Result<Self, ShapeError> {
        Self::new(data.origin, data.cell_size, data.dims, data.values)
    }
}

impl SdfGrid {
    /// A grid of `dims` samples; sample `(x, y, z)` lies at `origin + cell_size * (x, y, z)` and is
    /// `values[x + dims.x * (y + dims.y * z)]`.
    pub fn new(origin: Vec3, cell_size: f32, dims: UVec3, values: Vec<f32>) -> Result<Self, ShapeError> {
        const SHAPE: &str = "sdf grid";
        finite_points(SHAPE, "origin", &[origin])?;
        positive(SHAPE, "cell_size", cell_size)?;
        if dims.min_element() < 2 {
            return Err(ShapeError::TooFew {
                shape: SHAPE,
                field: "dims",
                found: dims.min_element() as usize,
                at_least: 2,
            });
        }
        let expected = dims.to_array().map(u128::from).iter().product::<u128>();
        if expected > u128::from(u32::MAX) {
            return Err(ShapeError::TooMany {
                shape: SHAPE,
                field: "values",
                found: expected,
                at_most: u128::from(u32::MAX),
            });
        }
        if values.len() as u128 != expected {
            return Err(ShapeError::WrongCount {
                shape: SHAPE,
                field: "values",
                found: values.len(),
                expected: expected as usize,
            });
        }
        finite_values(SHAPE, "values", &values)?;
        let mut grid = Self {
            origin,
            cell_size,
            dims,
            values,
            steepness: 1.0,
        };
        positive(SHAPE, "cell_size * dims", grid.bounds().size().max_element())?;
        grid.steepness = grid.measure_steepness();
        Ok(grid)
    }

    /// Position of the first sample, metres.
    pub fn origin(&self) -> Vec3 {
        self.origin
    }

    /// Distance between samples, metres.
    pub fn cell_size(&self) -> f32 {
        self.cell_size
    }

    /// Number of samples along each axis.
    pub fn dims(&self) -> UVec3 {
        self.dims
    }

    /// The samples, x fastest.
    pub fn values(&self) -> &[f32] {
        &self.values
    }

    /// Most that the distance changes per metre inside the grid, at least 1.
    pub fn steepness(&self) -> f32 {
        self.steepness
    }

    /// The box of the grid.
    pub fn bounds(&self) -> Bounds {
        Bounds {
            min: self.origin,
            max: self.origin + self.cell_size * (self.dims - 1).as_vec3(),
        }
    }

    /// Interpolated distance and the direction in which it grows.
    pub fn signed_distance(&self, point: Vec3) -> (f32, Vec3) {
        let bounds = self.bounds();
        let inside = point.clamp(bounds.min, bounds.max);
        let (value, mut gradient) = self.sample(inside);
        let outside = point - inside;
        if let Some(away) = outside.try_normalize() {
            // The box's face stops the value from changing along it.
            gradient = Vec3::select(outside.cmpeq(Vec3::ZERO), gradient, Vec3::ZERO) + away;
        }
        let normal = gradient
            .try_normalize()
            .or_else(|| (point - bounds.center()).try_normalize())
            .unwrap_or(Vec3::Y);
        (value + outside.length(), normal)
    }

    /// How fast the distance changes at most: outside the box it grows along and across its faces at once.
    pub(super) fn steepest(&self) -> f32 {
        1.0_f32.hypot(self.steepness)
    }

    pub(super) fn contacts(&self, sweep: &Sweep, out: &mut Vec<SurfacePlane>) {
        let steepness = self.steepest();
        let bounds = self.bounds();
        let distance = |point| self.signed_distance(point);
        solid_contacts(distance, steepness, sweep, out, |start, end, radius| {
            let step = 0.25 * self.cell_size;
            marched_hit(distance, &bounds, (start, end), radius, (steepness, step))
        });
    }

    /// Value and gradient of the trilinear interpolant at a point in the box.
    #[inline]
    fn sample(&self, point: Vec3) -> (f32, Vec3) {
        let place = (point - self.origin) / self.cell_size;
        let cell = place.max(Vec3::ZERO).as_uvec3().min(self.dims - 2);
        let f = (place - cell.as_vec3()).clamp(Vec3::ZERO, Vec3::ONE);
        let stride_y = self.dims.x as usize;
        let stride_z = stride_y * self.dims.y as usize;
        let base = cell.x as usize + stride_y * cell.y as usize + stride_z * cell.z as usize;
        let row = |offset: usize| {
            let (a, b) = (self.values[base + offset], self.values[base + offset + 1]);
            (a + (b - a) * f.x, b - a)
        };
        let lerp = |a: (f32, f32), b: (f32, f32), t: f32| (a.0 + (b.0 - a.0) * t, a.1 + (b.1 - a.1) * t);
        let (v00, v10) = (row(0), row(stride_y));
        let (v01, v11) = (row(stride_z), row(stride_z + stride_y));
        let (near, far) = (lerp(v00, v10, f.y), lerp(v01, v11, f.y));
        let (value, slope_x) = lerp(near, far, f.z);
        let slope_y = (v10.0 - v00.0) * (1.0 - f.z) + (v11.0 - v01.0) * f.z;
        let slope_z = far.0 - near.0;
        (value, Vec3::new(slope_x, slope_y, slope_z) / self.cell_size)
    }

    /// A bound on the interpolant's gradient: the largest difference between neighbours along each axis.
    fn measure_steepness(&self) -> f32 {
        let dims = self.dims.to_array().map(|n| n as usize);
        let strides = [1, dims[0], dims[0] * dims[1]];
        let mut largest = Vec3::ZERO;
        for axis in 0..3 {
            for (index, pair) in self
                .values
                .iter()
                .zip(self.values.iter().skip(strides[axis]))
                .enumerate()
            {
                if (index / strides[axis]) % dims[axis] + 1 < dims[axis] {
                    largest[axis] = largest[axis].max((pair.1 - pair.0).abs());
                }
            }
        }
        (largest / self.cell_size).length().max(1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_linear_field_is_reproduced_with_its_gradient() {
        let slope = Vec3::new(0.6, 0.0, 0.8);
        let dims = UVec3::new(3, 4, 5);
        let values = (0..60).map(|i| slope.dot(UVec3::new(i % 3, i / 3 % 4, i / 12).as_vec3()) - 1.0);
        let grid = SdfGrid::new(Vec3::ZERO, 1.0, dims, values.collect()).expect("valid");
        let point = Vec3::new(1.3, 0.4, 2.9);
        let (distance, normal) = grid.signed_distance(point);
        assert!((distance - (slope.dot(point) - 1.0)).abs() < 1e-5);
        assert!(normal.distance(slope) < 1e-5);
        assert!((grid.steepness - 1.0).abs() < 1e-5);
    }

    #[test]
    fn beyond_the_grid_the_distance_to_its_box_is_added() {
        let grid = SdfGrid::new(Vec3::ZERO, 1.0, UVec3::splat(2), vec![0.25; 8]).expect("valid");
        assert_eq!(grid.signed_distance(Vec3::new(3.0, 0.5, 0.5)), (2.25, Vec3::X));
    }

    #[test]
    fn bad_grids_are_refused_and_named() {
        let build = |cell_size, dims, values| SdfGrid::new(Vec3::ZERO, cell_size, dims, values).expect_err("bad");
        let two = UVec3::splat(2);
        assert!(matches!(build(0.0, two, vec![0.0; 8]), ShapeError::NotPositive { .. }));
        assert!(matches!(
            build(1.0, UVec3::ONE, vec![0.0]),
            ShapeError::TooFew { found: 1, .. }
        ));
        assert!(matches!(
            build(1.0, two, vec![0.0; 7]),
            ShapeError::WrongCount { expected: 8, .. }
        ));
        assert!(matches!(build(1.0, UVec3::MAX, vec![]), ShapeError::TooMany { .. }));
        let mut values = vec![0.0; 8];
        values[6] = f32::NAN;
        assert!(matches!(
            build(1.0, two, values),
            ShapeError::NotFiniteAt { index: 6, .. }
        ));
    }
}
