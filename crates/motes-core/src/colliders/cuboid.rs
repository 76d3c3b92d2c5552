//! A box around the origin.

use glam::Vec3;
use serde::{Deserialize, Serialize};

use super::{ShapeError, error::positive};
use crate::space::bounds::Bounds;

/// A box around the local origin, along its axes.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Unchecked")]
pub struct Cuboid {
    half_size: Vec3,
}

#[derive(Deserialize)]
struct Unchecked {
    half_size: Vec3,
}

impl TryFrom<Unchecked> for Cuboid {
    type Error = ShapeError;

    fn try_from(data: Unchecked) -> Result<Self, ShapeError> {
        Self::new(data.half_size)
    }
}

impl Cuboid {
    /// A box with these half edge lengths, metres.
    pub fn new(half_size: Vec3) -> Result<Self, ShapeError> {
        positive("cuboid", "half_size.x", half_size.x)?;
        positive("cuboid", "half_size.y", half_size.y)?;
        positive("cuboid", "half_size.z", half_size.z)?;
        Ok(Self { half_size })
    }

    /// Half the edge lengths, metres.
    pub fn half_size(&self) -> Vec3 {
        self.half_size
    }

    /// The box itself.
    pub fn bounds(&self) -> Bounds {
        Bounds {
            min: -self.half_size,
            max: self.half_size,
        }
    }

    /// Distance to the surface; the normal inside is that of the nearest face.
    #[inline]
    pub fn signed_distance(&self, point: Vec3) -> (f32, Vec3) {
        let beyond = point.abs() - self.half_size;
        let outside = beyond.max(Vec3::ZERO) * Vec3::ONE.copysign(point);
        if let Some(normal) = outside.try_normalize() {
            return (outside.length(), normal);
        }
        let axis = beyond.max_position();
        let mut normal = Vec3::ZERO;
        normal[axis] = 1.0_f32.copysign(point[axis]);
        (beyond[axis], normal)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_worked_out_by_hand() {
        let cuboid = Cuboid::new(Vec3::new(1.0, 2.0, 3.0)).expect("valid");
        assert_eq!(cuboid.signed_distance(Vec3::new(-0.9, 0.0, 0.0)).1, Vec3::NEG_X);
        assert_eq!(cuboid.signed_distance(Vec3::new(0.0, -5.0, 0.0)), (3.0, Vec3::NEG_Y));
        let (distance, normal) = cuboid.signed_distance(Vec3::new(4.0, 6.0, 3.0));
        assert!((distance - 5.0).abs() < 1e-6);
        assert!(normal.distance(Vec3::new(0.6, 0.8, 0.0)) < 1e-6);
    }

    #[test]
    fn points_on_corners_edges_and_the_centre_have_unit_normals() {
        let cuboid = Cuboid::new(Vec3::ONE).expect("valid");
        for point in [Vec3::ONE, Vec3::new(1.0, 1.0, 0.0), Vec3::ZERO, Vec3::X * (1.0 + 1e-30)] {
            assert!(cuboid.signed_distance(point).1.is_normalized());
        }
    }

    #[test]
    fn sizes_must_be_positive() {
        let error = Cuboid::new(Vec3::new(1.0, 0.0, 1.0)).expect_err("flat");
        assert!(error.to_string().contains("half_size.y"));
    }
}
