//! The camera as the rasteriser sees it: everything in camera space, where a ray is `(u, v, 1)` and its parameter is
//! the depth, metres.

use crate::Camera;
use glam::{Affine3A, Mat3, Vec2, Vec3, Vec3A, Vec4};
use std::f32::consts::{FRAC_PI_2, PI};

/// Samples from the first corner up to and without the second.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct SampleRect {
    pub(crate) min: [u32; 2],
    pub(crate) max: [u32; 2],
}

impl SampleRect {
    pub(crate) fn is_empty(&self) -> bool {
        self.min[0] >= self.max[0] || self.min[1] >= self.max[1]
    }

    pub(crate) fn intersection(&self, other: &SampleRect) -> SampleRect {
        SampleRect {
            min: [self.min[0].max(other.min[0]), self.min[1].max(other.min[1])],
            max: [self.max[0].min(other.max[0]), self.max[1].min(other.max[1])],
        }
    }
}

/// Camera space (right, up, forward) and the grid of samples in it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct View {
    origin: Vec3,
    to_camera: Mat3,
    /// Samples in a row and in a column.
    pub(crate) samples: [u32; 2],
    /// Change of `u` or `v` from one sample to the next.
    pub(crate) step: f32,
    /// Distance from the camera to its target, metres.
    pub(crate) focus: f32,
    /// Smallest depth that is drawn, metres.
    pub(crate) near: f32,
}

impl View {
    pub(crate) fn new(camera: &Camera, samples: [u32; 2]) -> Self {
        let finite = |v: Vec3| if v.is_finite() { v } else { Vec3::ZERO };
        let origin = finite(camera.position);
        let towards = finite(camera.target) - origin;
        let forward = towards.try_normalize().unwrap_or(Vec3::NEG_Z);
        let up = finite(camera.up).try_normalize().unwrap_or(Vec3::Y);
        let right = forward
            .cross(up)
            .try_normalize()
            .unwrap_or_else(|| forward.any_orthonormal_vector());
        let degrees = if camera.field_of_view.is_finite() {
            camera.field_of_view
        } else {
            45.0
        };
        let half_height = (degrees.clamp(0.1, 170.0).to_radians() * 0.5).tan();
        let focus = if towards.length() > 0.0 { towards.length() } else { 1.0 };
        Self {
            origin,
            to_camera: Mat3::from_cols(right, right.cross(forward), forward).transpose(),
            samples,
            step: 2.0 * half_height / samples[1] as f32,
            focus,
            near: focus * 1e-4,
        }
    }

    /// A world point in camera space.
    pub(crate) fn point(&self, world: Vec3) -> Vec3 {
        self.to_camera * (world - self.origin)
    }

    /// A transform to the world, followed by that to camera space.
    pub(crate) fn transform(&self, pose: &Affine3A) -> Affine3A {
        let translation = self.point(pose.translation.into());
        Affine3A::from_mat3_translation(self.to_camera * Mat3::from(pose.matrix3), translation)
    }

    /// A world direction in camera space.
    pub(crate) fn direction(&self, world: Vec3) -> Vec3 {
        self.to_camera * world
    }

    /// A camera-space point in the world.
    pub(crate) fn to_world(self, point: Vec3) -> Vec3 {
        self.to_camera.transpose() * point + self.origin
    }

    /// The ray `(u, v, 1)` through a place, given in samples.
    pub(crate) fn ray(&self, place: Vec2) -> Vec3A {
        Vec3A::new(self.u(place.x), self.v(place.y), 1.0)
    }

    /// `u` of a column; whole numbers are sample centres.
    pub(crate) fn u(&self, column: f32) -> f32 {
        (column + 0.5 - self.samples[0] as f32 * 0.5) * self.step
    }

    /// `v` of a row; whole numbers are sample centres.
    pub(crate) fn v(&self, row: f32) -> f32 {
        (self.samples[1] as f32 * 0.5 - row - 0.5) * self.step
    }

    /// `u` of four columns.
    pub(crate) fn us(&self, columns: Vec4) -> Vec4 {
        (columns + 0.5 - self.samples[0] as f32 * 0.5) * self.step
    }

    /// `v` of four rows.
    pub(crate) fn vs(&self, rows: Vec4) -> Vec4 {
        (self.samples[1] as f32 * 0.5 - rows - 0.5) * self.step
    }

    /// The samples whose centres lie between the given slopes, with a margin for rounding.
    #[inline(always)]
    fn rect(&self, u: [f32; 2], v: [f32; 2]) -> SampleRect {
        const MARGIN: f32 = 0.02;
        let column = |u: f32| u / self.step + self.samples[0] as f32 * 0.5 - 0.5;
        let row = |v: f32| self.samples[1] as f32 * 0.5 - 0.5 - v / self.step;
        let first = |place: f32| (place - MARGIN).ceil().max(0.0) as u32;
        let last = |place: f32, count: u32| ((place + MARGIN).floor() + 1.0).clamp(0.0, count as f32) as u32;
        SampleRect {
            min: [first(column(u[0])), first(row(v[1]))],
            max: [last(column(u[1]), self.samples[0]), last(row(v[0]), self.samples[1])],
        }
    }

    /// The samples a sphere may cover; empty if it is behind the camera or not finite.
    pub(crate) fn sphere_rect(&self, center: Vec3, radius: f32) -> SampleRect {
        // Written so that a NaN leads to the empty rectangle.
        if !(center.is_finite() && radius.is_finite() && center.z + radius > self.near) {
            return SampleRect::default();
        }
        let slopes = |side: f32| {
            let tangent = (side * side + center.z * center.z - radius * radius).sqrt();
            let scale = 1.0 / (center.z * center.z - radius * radius);
            [
                (side * center.z - radius * tangent) * scale,
                (side * center.z + radius * tangent) * scale,
            ]
        };
        if center.z <= radius * 1.01 {
            return match (
                wide_slopes(center.x, center.z, radius),
                wide_slopes(center.y, center.z, radius),
            ) {
                (Some(u), Some(v)) => self.rect(u, v),
                _ => SampleRect::default(),
            };
        }
        self.rect(slopes(center.x), slopes(center.y))
    }

    /// The samples a triangle may cover; empty if it is behind the camera or not finite.
    #[inline(always)]
    pub(crate) fn triangle_rect(&self, corners: &[Vec3; 3]) -> SampleRect {
        if corners.iter().any(|corner| !corner.is_finite()) || corners.iter().all(|corner| corner.z < self.near) {
            return SampleRect::default();
        }
        if corners.iter().any(|corner| corner.z < self.near) {
            return self.cut_triangle_rect(corners);
        }
        let slopes = corners.map(|corner| corner / corner.z);
        let min = slopes[0].min(slopes[1]).min(slopes[2]);
        let max = slopes[0].max(slopes[1]).max(slopes[2]);
        self.rect([min.x, max.x], [min.y, max.y])
    }

    /// The samples that the part of a triangle beyond the near plane may cover.
    fn cut_triangle_rect(&self, corners: &[Vec3; 3]) -> SampleRect {
        let [mut min, mut max] = [Vec3::INFINITY, Vec3::NEG_INFINITY];
        let mut include = |point: Vec3| {
            min = min.min(point / point.z);
            max = max.max(point / point.z);
        };
        for (i, &corner) in corners.iter().enumerate() {
            let next = corners[(i + 1) % 3];
            if corner.z >= self.near {
                include(corner);
            }
            if (corner.z >= self.near) != (next.z >= self.near) {
                let cut = corner.lerp(next, (self.near - corner.z) / (next.z - corner.z));
                include(cut.truncate().extend(self.near));
            }
        }
        // What rounding may have moved the cuts by.
        let largest = corners
            .iter()
            .fold(0.0, |largest: f32, corner| largest.max(corner.abs().max_element()));
        let slack = 4.0 * f32::EPSILON * largest / self.near;
        self.rect([min.x - slack, max.x + slack], [min.y - slack, max.y + slack])
    }
}

/// The slopes between which a sphere that reaches beside the camera or behind it may be seen, along one axis, given where
/// its centre lies on that axis and its depth; nothing if it is not before the camera.
fn wide_slopes(side: f32, depth: f32, radius: f32) -> Option<[f32; 2]> {
    // What rounding may do to the angles.
    const SLACK: f32 = 1e-3;
    let distance = side.hypot(depth);
    if distance <= radius * 1.01 {
        return Some([f32::NEG_INFINITY, f32::INFINITY]);
    }
    let (middle, half) = (side.atan2(depth), (radius / distance).asin() + SLACK);
    let (least, most) = (middle - half, middle + half);
    // A sphere right behind the camera may be seen on either side.
    let wraps = most > 2.0 * PI - FRAC_PI_2 || least < FRAC_PI_2 - 2.0 * PI;
    let tangent = |angle: f32, beyond: f32| if angle.abs() < FRAC_PI_2 { angle.tan() } else { beyond };
    if wraps {
        Some([f32::NEG_INFINITY, f32::INFINITY])
    } else if least >= FRAC_PI_2 || most <= -FRAC_PI_2 {
        None
    } else {
        Some([tangent(least, f32::NEG_INFINITY), tangent(most, f32::INFINITY)])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn view() -> View {
        let camera = Camera {
            position: Vec3::ZERO,
            target: Vec3::NEG_Z,
            up: Vec3::Y,
            field_of_view: 90.0,
        };
        View::new(&camera, [100, 100])
    }

    #[test]
    fn a_triangle_through_the_plane_of_the_camera_covers_only_the_side_it_is_on() {
        let above = [
            Vec3::new(0.0, 2.0, -1.0),
            Vec3::new(-1.0, 2.0, 1.0),
            Vec3::new(1.0, 2.0, 1.0),
        ];
        assert!(view().triangle_rect(&above).is_empty());
        let below = [
            Vec3::new(0.0, -2.0, -1.0),
            Vec3::new(-4.0, -2.0, 4.0),
            Vec3::new(4.0, -2.0, 4.0),
        ];
        let rect = view().triangle_rect(&below);
        assert!((73..=75).contains(&rect.min[1]), "{rect:?}");
        assert_eq!((rect.min[0], rect.max), (0, [100, 100]));
    }

    #[test]
    fn a_sphere_beside_the_camera_covers_only_the_samples_that_may_see_it() {
        let view = view();
        assert!(view.sphere_rect(Vec3::new(3.0, 0.0, 0.2), 0.5).is_empty());
        let places = (0..4000).map(|i| {
            let [x, y, z] = [7, 11, 13].map(|step: u32| (i * step % 101) as f32 / 50.0 - 1.0);
            (Vec3::new(x, y, 0.6 * z), 0.05 + 0.6 * (i % 17) as f32 / 17.0)
        });
        let mut narrow = 0;
        for (center, radius) in places.filter(|(center, radius)| center.z <= radius * 1.01) {
            let rect = view.sphere_rect(center, radius);
            narrow += u32::from(rect.max[0].saturating_sub(rect.min[0]) < 60);
            for sample in 0..100 * 100 {
                let (column, row) = (sample % 100, sample / 100);
                let ray = view.ray(Vec2::new(column as f32, row as f32));
                let middle = ray.dot(center.into()) / ray.length_squared();
                let is_seen = middle > 0.0 && (ray * middle - Vec3A::from(center)).length() < radius;
                let is_inside =
                    (rect.min[0]..rect.max[0]).contains(&column) && (rect.min[1]..rect.max[1]).contains(&row);
                assert!(
                    is_inside || !is_seen,
                    "{center} {radius}: {rect:?} lacks {column}, {row}"
                );
            }
        }
        assert!(narrow > 100, "{narrow}");
    }
}
