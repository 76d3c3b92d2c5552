//! A ball around the origin.

use glam::Vec3;
use serde::{Deserialize, Serialize};

use super::{ShapeError, error::positive};
use crate::space::bounds::Bounds;

/// A ball around the local origin.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Unchecked")]
pub struct Sphere {
    radius: f32,
}

#[derive(Deserialize)]
struct Unchecked {
    radius: f32,
}

impl TryFrom<Unchecked> for Sphere {
    type Error = ShapeError;

    fn try_from(data: Unchecked) -> Result<Self, ShapeError> {
        Self::new(data.radius)
    }
}

impl Sphere {
    /// A ball of this radius, metres.
    pub fn new(radius: f32) -> Result<Self, ShapeError> {
        Ok(Self {
            radius: positive("sphere", "radius", radius)?,
        })
    }

    /// Radius, metres.
    pub fn radius(&self) -> f32 {
        self.radius
    }

    /// The box around the ball.
    pub fn bounds(&self) -> Bounds {
        Bounds {
            min: Vec3::splat(-self.radius),
            max: Vec3::splat(self.radius),
        }
    }

    /// Distance to the surface and the direction away from the centre; upwards at the centre itself.
    #[inline]
    pub fn signed_distance(&self, point: Vec3) -> (f32, Vec3) {
        (point.length() - self.radius, point.try_normalize().unwrap_or(Vec3::Y))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn centre_has_a_unit_normal() {
        let sphere = Sphere::new(2.0).expect("valid");
        assert_eq!(sphere.signed_distance(Vec3::ZERO), (-2.0, Vec3::Y));
        assert_eq!(sphere.signed_distance(Vec3::new(0.0, 0.0, 5.0)), (3.0, Vec3::Z));
    }

    #[test]
    fn radius_must_be_positive() {
        for radius in [0.0, -1.0, f32::NAN, f32::INFINITY] {
            assert!(Sphere::new(radius).is_err());
        }
    }
}
