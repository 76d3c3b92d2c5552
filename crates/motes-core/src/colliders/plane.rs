//! A half space, solid behind a plane.

use glam::Vec3;
use serde::{Deserialize, Serialize};

use super::{ShapeError, SurfacePlane, Sweep};

/// The half space `normal · x < offset` is solid.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Unchecked")]
pub struct Plane {
    normal: Vec3,
    offset: f32,
}

#[derive(Deserialize)]
struct Unchecked {
    normal: Vec3,
    offset: f32,
}

impl TryFrom<Unchecked> for Plane {
    type Error = ShapeError;

    fn try_from(data: Unchecked) -> Result<Self, ShapeError> {
        // A normal that is already unit keeps its bytes, so that saving and restoring changes nothing.
        if data.normal.is_normalized() && data.offset.is_finite() {
            return Ok(Self {
                normal: data.normal,
                offset: data.offset,
            });
        }
        Self::new(data.normal, data.offset)
    }
}

impl Plane {
    /// A plane with this normal (any length), `offset` metres from the origin along it.
    pub fn new(normal: Vec3, offset: f32) -> Result<Self, ShapeError> {
        let Some(unit) = normal.try_normalize() else {
            return Err(ShapeError::NoDirection {
                shape: "plane",
                field: "normal",
                found: normal,
            });
        };
        if !offset.is_finite() {
            return Err(ShapeError::NotFinite {
                shape: "plane",
                field: "offset",
                found: offset,
            });
        }
        Ok(Self { normal: unit, offset })
    }

    /// Unit normal, out of the solid.
    pub fn normal(&self) -> Vec3 {
        self.normal
    }

    /// Distance from the origin along the normal, metres.
    pub fn offset(&self) -> f32 {
        self.offset
    }

    /// Height above the plane and its normal.
    #[inline]
    pub fn signed_distance(&self, point: Vec3) -> (f32, Vec3) {
        (self.normal.dot(point) - self.offset, self.normal)
    }

    #[inline]
    pub(super) fn contacts(&self, sweep: &Sweep, out: &mut Vec<SurfacePlane>) {
        let (distance, normal) = self.signed_distance(sweep.end);
        if distance < sweep.reach() {
            out.push(SurfacePlane {
                point: sweep.end - distance * normal,
                normal,
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn normal_is_made_unit() {
        let plane = Plane::new(Vec3::new(0.0, 3.0, 0.0), 1.0).expect("valid");
        assert_eq!(plane.signed_distance(Vec3::new(5.0, 3.0, 2.0)), (2.0, Vec3::Y));
    }

    #[test]
    fn zero_and_nan_normals_are_refused() {
        assert!(Plane::new(Vec3::ZERO, 0.0).is_err());
        assert!(Plane::new(Vec3::NAN, 0.0).is_err());
        assert!(Plane::new(Vec3::Y, f32::INFINITY).is_err());
    }

    #[test]
    fn only_particles_within_reach_get_the_plane() {
        let plane = Plane::new(Vec3::Y, 0.0).expect("valid");
        let mut out = Vec::new();
        let mut sweep = Sweep {
            start: Vec3::Y,
            end: Vec3::new(1.0, 0.2, 0.0),
            radius: 0.1,
            margin: 0.05,
        };
        plane.contacts(&sweep, &mut out);
        assert!(out.is_empty());
        sweep.end.y = -7.0;
        plane.contacts(&sweep, &mut out);
        assert_eq!(
            out,
            [SurfacePlane {
                point: Vec3::X,
                normal: Vec3::Y
            }]
        );
    }
}
