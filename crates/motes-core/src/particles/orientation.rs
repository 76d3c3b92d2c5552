//! Orientations: which way particles point that are ellipsoids, and their radii. See [`creature`](crate::creature).

use bytemuck::{Pod, Zeroable};
use glam::{Quat, Vec3, Vec4, Vec4Swizzles};

use super::Particles;

/// The name of the property.
pub const ORIENTATIONS: &str = "orientations";

/// The shape of a particle that is an ellipsoid, and which way it points.
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable, serde::Serialize, serde::Deserialize)]
#[repr(C)]
pub struct Orientation {
    /// Unit quaternion from its principal axes to the world.
    pub rotation: Vec4,
    /// Radii along its axes (xyz, metres), and 1 (w) if it has an orientation.
    pub radii: Vec4,
}

impl Orientation {
    /// Of balls, which point nowhere.
    pub const NONE: Self = Self {
        rotation: Vec4::W,
        radii: Vec4::ZERO,
    };

    /// Of an ellipsoid with radii along its axes, metres.
    pub fn new(rotation: Quat, radii: Vec3) -> Self {
        Self {
            rotation: rotation.into(),
            radii: radii.extend(1.0),
        }
    }

    /// Whether it is an ellipsoid.
    #[inline]
    pub fn is_oriented(&self) -> bool {
        self.radii.w > 0.0
    }

    /// From its axes to the world.
    #[inline]
    pub fn quaternion(&self) -> Quat {
        Quat::from_vec4(self.rotation)
    }
}

impl Particles {
    /// From the principal axes of the particle in a slot to the world, and its radii, metres, if it is an ellipsoid.
    pub fn orientation(&self, slot: usize) -> Option<(Quat, Vec3)> {
        let found = self.orientations.get(slot);
        found.is_oriented().then(|| (found.quaternion(), found.radii.xyz()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_property_has_its_name() {
        let none = Particles::default();
        assert!(none.optional().iter().any(|(name, _)| *name == ORIENTATIONS));
    }
}
