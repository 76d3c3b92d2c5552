//! The phase of a particle: which group it belongs to and what it may touch, packed into 32 bits (Unified §3).

use bytemuck::{Pod, Zeroable};
use serde::{Deserialize, Serialize};

/// Group, collision flags and collider channels of one particle.
///
/// Bits 0–19 hold the group, 20 self-collision, 21 ignore-rest-overlaps, 22 fluid, 23 gas, 24–31 the collider channels.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Pod, Zeroable, Serialize, Deserialize)]
#[repr(transparent)]
pub struct Phase(pub u32);

impl Phase {
    /// Most groups a world can hold.
    pub const MAX_GROUPS: u32 = 1 << 20;
    /// Particles of the same group collide with each other.
    pub const SELF_COLLIDE: u32 = 1 << 20;
    /// Particles of the same group whose rest positions are nearer than their contact distance do not collide, nor do those
    /// that just touch at rest; all others of the group do if it has [`Self::SELF_COLLIDE`]. For cloth, nets and rods:
    /// see [`rest`](crate::particles::rest).
    pub const IGNORE_REST_OVERLAPS: u32 = 1 << 21;
    /// The particle is fluid: it has a density, to which everything within the smoothing radius counts, and does not touch
    /// other fluid. See [`Self::touches`] and [`Self::is_summed`].
    pub const FLUID: u32 = 1 << 22;
    /// The fluid is a gas: [`smoke`](crate::smoke) goes with it, and it is no part of liquids' surfaces and foam. A gas is [`Self::FLUID`]
    /// too.
    pub const GAS: u32 = 1 << 23;
    /// Every collider channel.
    pub const ALL_CHANNELS: u8 = 0xff;

    /// The bits of the group.
    pub const GROUP_MASK: u32 = Self::MAX_GROUPS - 1;
    /// The lowest bit of the collider channels.
    pub const CHANNEL_SHIFT: u32 = 24;

    /// Grains: particles of a group that collide with everything, themselves included.
    pub fn grains(group: u32) -> Self {
        Self::new(group, Self::SELF_COLLIDE, Self::ALL_CHANNELS)
    }

    /// A phase from its parts; `flags` is a union of the flag constants.
    pub fn new(group: u32, flags: u32, channels: u8) -> Self {
        Self(
            (group & Self::GROUP_MASK)
                | (flags & (Self::SELF_COLLIDE | Self::IGNORE_REST_OVERLAPS | Self::FLUID | Self::GAS))
                | (u32::from(channels) << Self::CHANNEL_SHIFT),
        )
    }

    /// Index of the group.
    pub fn group(self) -> u32 {
        self.0 & Self::GROUP_MASK
    }

    /// Collider channels the particle reacts to.
    pub fn channels(self) -> u8 {
        (self.0 >> Self::CHANNEL_SHIFT) as u8
    }

    /// Whether all the flags are set.
    pub fn has(self, flags: u32) -> bool {
        self.0 & flags == flags
    }

    /// Whether it is a fluid and no gas.
    #[inline]
    pub fn is_liquid(self) -> bool {
        self.0 & (Self::FLUID | Self::GAS) == Self::FLUID
    }

    /// Whether two particles touch: are contacts of each other, which push and rub.
    ///
    /// | | of one group | of two groups |
    /// |---|---|---|
    /// | fluid and fluid | summed | summed |
    /// | fluid and solid | touch if [`Self::SELF_COLLIDE`], summed | touch, summed |
    /// | solid and solid | touch if [`Self::SELF_COLLIDE`] | touch |
    ///
    /// Those of one group that overlap at rest do not touch if it has [`Self::IGNORE_REST_OVERLAPS`].
    ///
    /// All of them may be listed as near each other: listing is not colliding. `lib/phase.wgsl` has the same table for the
    /// GPU engine.
    #[inline]
    pub fn touches(self, other: Self) -> bool {
        let meet = (self.0 ^ other.0) & Self::GROUP_MASK != 0 || self.0 & Self::SELF_COLLIDE != 0;
        meet && self.0 & other.0 & Self::FLUID == 0
    }

    /// Whether two particles count in sums over neighbours: in the density, viscosity and cohesion of either, if it is
    /// fluid.
    #[inline]
    pub fn is_summed(self, other: Self) -> bool {
        (self.0 | other.0) & Self::FLUID != 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_come_back_as_given() {
        let phase = Phase::new(123_456, Phase::SELF_COLLIDE | Phase::FLUID, 0b1010_0001);
        assert_eq!(phase.group(), 123_456);
        assert_eq!(phase.channels(), 0b1010_0001);
        assert!(phase.has(Phase::SELF_COLLIDE) && phase.has(Phase::FLUID));
        assert!(!phase.has(Phase::IGNORE_REST_OVERLAPS));
    }

    #[test]
    fn a_gas_is_a_fluid_and_no_liquid() {
        let gas = Phase::new(7, Phase::FLUID | Phase::GAS, Phase::ALL_CHANNELS);
        assert!(gas.has(Phase::FLUID) && gas.has(Phase::GAS) && !gas.is_liquid());
        assert_eq!((gas.group(), gas.channels()), (7, Phase::ALL_CHANNELS));
        assert!(Phase::new(7, Phase::FLUID, 0).is_liquid());
    }

    #[test]
    fn a_group_without_self_collision_still_meets_others() {
        let body = Phase::new(1, 0, 0xff);
        let other = Phase::new(2, 0, 0xff);
        assert!(!body.touches(body));
        assert!(body.touches(other));
        assert!(Phase::grains(1).touches(Phase::grains(1)));
    }

    #[test]
    fn fluids_are_summed_and_touch_only_solids() {
        let water = Phase::new(1, Phase::FLUID | Phase::SELF_COLLIDE, 0xff);
        let oil = Phase::new(2, Phase::FLUID, 0xff);
        let sand = Phase::grains(3);
        let body = Phase::new(4, 0, 0xff);
        // Touches and is summed.
        let table = [
            (water, water, false, true),
            (water, oil, false, true),
            (oil, oil, false, true),
            (water, sand, true, true),
            (oil, body, true, true),
            (sand, sand, true, false),
            (sand, body, true, false),
            (body, body, false, false),
        ];
        for (a, b, touches, summed) in table {
            assert_eq!((a.touches(b), b.touches(a)), (touches, touches), "{a:?} {b:?}");
            assert_eq!((a.is_summed(b), b.is_summed(a)), (summed, summed), "{a:?} {b:?}");
        }
    }
}
