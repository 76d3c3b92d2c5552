//! Spins: how fast grains turn that do, those of materials with a rolling resistance.
//!
//! A grain is a solid ball: its inertia is 2/5 m r². Which way it points is nothing that acts on anything, and is not kept.

use glam::{Vec3, Vec4, Vec4Swizzles};

use super::Particles;

/// The name of the property.
pub const SPINS: &str = "spins";

/// A spin as it is kept; nothing for particles that do not turn.
pub fn packed(spin: Option<Vec3>) -> Vec4 {
    spin.map_or(Vec4::ZERO, |spin| spin.extend(1.0))
}

impl Particles {
    /// Angular velocity of the particle in a slot, rad/s, if it turns.
    pub fn spin(&self, slot: usize) -> Option<Vec3> {
        let kept = self.spins.get(slot);
        (kept.w > 0.0).then_some(kept.xyz())
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
