//! Spins: how fast grains turn that do, those of materials with a rolling resistance.
//!
//! A grain is a solid ball: its inertia is 2/5 m r². Which way it points is nothing that acts on anything, and is not kept.

use bytemuck::{Pod, Zeroable};
use glam::{Vec3, Vec4, Vec4Swizzles};

use super::Particles;

/// The name of the property.
pub const SPINS: &str = "spins";

/// How a particle turns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable, serde::Serialize, serde::Deserialize)]
#[repr(C)]
pub struct Spin {
    /// Angular velocity (xyz, rad/s), and 1 (w) if it turns.
    pub velocity: Vec4,
    /// The couple that colliders resisted its rolling with in the last sub-step, over its radius (xyz, kg·m).
    pub couple: Vec4,
}

impl Spin {
    /// Of particles that do not turn.
    pub const NONE: Self = Self {
        velocity: Vec4::ZERO,
        couple: Vec4::ZERO,
    };

    /// With an angular velocity, rad/s; none for particles that do not turn.
    pub fn new(velocity: Option<Vec3>) -> Self {
        Self {
            velocity: velocity.map_or(Vec4::ZERO, |velocity| velocity.extend(1.0)),
            couple: Vec4::ZERO,
        }
    }

    /// Whether it turns.
    #[inline]
    pub fn turns(&self) -> bool {
        self.velocity.w > 0.0
    }
}

impl Particles {
    /// Angular velocity of the particle in a slot, rad/s, if it turns.
    pub fn spin(&self, slot: usize) -> Option<Vec3> {
        let spin = self.spins.get(slot);
        spin.turns().then_some(spin.velocity.xyz())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_property_has_its_name() {
        let none = Particles::default();
        assert!(none.optional().iter().any(|(name, _)| *name == SPINS));
    }
}
