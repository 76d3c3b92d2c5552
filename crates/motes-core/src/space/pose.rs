//! Where a collider stands: a rotation and a translation, interpolated between frames.

use glam::{Affine3A, Quat, Vec3};
use serde::{Deserialize, Serialize};

/// A rigid placement in the world: rotate, then translate.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Pose {
    /// Origin of the local frame, metres.
    pub position: Vec3,
    /// Unit rotation from local to world.
    pub rotation: Quat,
}

impl Default for Pose {
    fn default() -> Self {
        Self::IDENTITY
    }
}

impl Pose {
    /// No rotation, at the origin.
    pub const IDENTITY: Self = Self {
        position: Vec3::ZERO,
        rotation: Quat::IDENTITY,
    };

    /// A pose without rotation.
    pub fn at(position: Vec3) -> Self {
        Self {
            position,
            rotation: Quat::IDENTITY,
        }
    }

    /// Whether its position is finite and its rotation a unit quaternion.
    pub fn is_sound(&self) -> bool {
        self.position.is_finite() && self.rotation.is_normalized()
    }

    /// World position of a local point.
    pub fn point(&self, local: Vec3) -> Vec3 {
        self.rotation * local + self.position
    }

    /// World direction of a local direction.
    pub fn direction(&self, local: Vec3) -> Vec3 {
        self.rotation * local
    }

    /// Local position of a world point.
    pub fn local_point(&self, world: Vec3) -> Vec3 {
        self.rotation.conjugate() * (world - self.position)
    }

    /// The pose a fraction of the way to `other`, along the shorter arc.
    pub fn lerp(&self, other: &Self, fraction: f32) -> Self {
        Self {
            position: self.position.lerp(other.position, fraction),
            rotation: self.rotation.slerp(other.rotation, fraction),
        }
    }

    /// The same pose as a matrix.
    pub fn to_affine(&self) -> Affine3A {
        Affine3A::from_rotation_translation(self.rotation, self.position)
    }
}
