//! Regions of space: where a field acts, where particles are removed.

use glam::Vec3;
use serde::{Deserialize, Serialize};

/// A region of space.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub enum Volume {
    /// All of space.
    #[default]
    Everywhere,
    /// An axis-aligned box, metres.
    Box {
        /// Lower corner.
        min: Vec3,
        /// Upper corner.
        max: Vec3,
    },
    /// A ball, metres.
    Sphere {
        /// Its centre.
        center: Vec3,
        /// Its radius.
        radius: f32,
    },
    /// Everything on the side of a plane that its normal points away from.
    Below {
        /// A point of the plane, metres.
        point: Vec3,
        /// Normal of the plane.
        normal: Vec3,
    },
    /// Everything that another region leaves out.
    Outside(Box<Volume>),
}

impl Volume {
    /// Whether the region contains the point.
    pub fn contains(&self, point: Vec3) -> bool {
        match self {
            Self::Everywhere => true,
            Self::Box { min, max } => point.cmpge(*min).all() && point.cmple(*max).all(),
            Self::Sphere { center, radius } => *radius >= 0.0 && point.distance_squared(*center) <= radius * radius,
            Self::Below { point: on, normal } => (point - on).dot(*normal) < 0.0,
            Self::Outside(inner) => !inner.contains(point),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outside_is_the_opposite() {
        let ball = Volume::Sphere {
            center: Vec3::X,
            radius: 1.0,
        };
        let outside = Volume::Outside(Box::new(ball.clone()));
        for point in [Vec3::ZERO, Vec3::X, Vec3::splat(5.0)] {
            assert_ne!(ball.contains(point), outside.contains(point));
        }
    }
}
