//! A ball swept along a piece of the local y axis.

use glam::Vec3;
use serde::{Deserialize, Serialize};

use super::{ShapeError, error::positive};
use crate::space::bounds::Bounds;

/// All points within `radius` of the segment from `-half_length` to `half_length` on the local y axis.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Unchecked")]
pub struct Capsule {
    half_length: f32,
    radius: f32,
}

#[derive(Deserialize)]
struct Unchecked {
    half_length: f32,
    radius: f32,
}

impl TryFrom<Unchecked> for Capsule {
    type Error = ShapeError;

    fn try_from(data: Unchecked) -> Result<Self, ShapeError> {
        Self::new(data.half_length, data.radius)
    }
}

impl Capsule {
    /// A capsule; `half_length` is half the straight part, metres.
    pub fn new(half_length: f32, radius: f32) -> Result<Self, ShapeError> {
        Ok(Self {
            half_length: positive("capsule", "half_length", half_length)?,
            radius: positive("capsule", "radius", radius)?,
        })
    }

    /// Half the length of the straight part, metres.
    pub fn half_length(&self) -> f32 {
        self.half_length
    }

    /// Radius, metres.
    pub fn radius(&self) -> f32 {
        self.radius
    }

    /// The box around the capsule.
    pub fn bounds(&self) -> Bounds {
        let half = Vec3::new(self.radius, self.half_length + self.radius, self.radius);
        Bounds { min: -half, max: half }
    }

    /// Distance to the surface and the direction away from the axis; along x on the axis itself.
    #[inline]
    pub fn signed_distance(&self, point: Vec3) -> (f32, Vec3) {
        let on_axis = Vec3::new(0.0, point.y.clamp(-self.half_length, self.half_length), 0.0);
        let away = point - on_axis;
        (away.length() - self.radius, away.try_normalize().unwrap_or(Vec3::X))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_worked_out_by_hand() {
        let capsule = Capsule::new(1.0, 0.5).expect("valid");
        assert_eq!(capsule.signed_distance(Vec3::new(2.0, 0.3, 0.0)), (1.5, Vec3::X));
        assert_eq!(capsule.signed_distance(Vec3::new(0.0, -4.0, 0.0)), (2.5, Vec3::NEG_Y));
        assert_eq!(capsule.signed_distance(Vec3::ZERO), (-0.5, Vec3::X));
    }

    #[test]
    fn lengths_must_be_positive() {
        assert!(Capsule::new(f32::NAN, 1.0).is_err());
        assert!(Capsule::new(1.0, -1.0).is_err());
    }
}
