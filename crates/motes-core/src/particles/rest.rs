//! Rest positions: where particles are in the undeformed shape of what they belong to, a piece of cloth, a net or a rod.
//!
//! Such things are sampled more closely than their particles are thick, so that nothing slips through, and collide with
//! themselves all the same ("Unified Particle Physics" §8): particles that overlap at rest must not push each other apart,
//! all others must. Groups say so with [`Phase::IGNORE_REST_OVERLAPS`].

use glam::{Vec3, Vec4, Vec4Swizzles};

use super::Particles;
use super::phase::Phase;

/// The name of the property.
pub const REST_POSITIONS: &str = "rest_positions";

/// How near rest positions have to be, in contact distances. A hair more than one: particles that just touch at rest
/// overlap or not as rounding has it.
pub const REST_REACH: f32 = 1.001;

/// A rest position as it is kept.
pub fn packed(rest_position: Option<Vec3>) -> Vec4 {
    rest_position.map_or(Vec4::ZERO, |position| position.extend(1.0))
}

/// Whether two rest positions, if there are both, are nearer than particles may be that touch at `distance`.
#[inline]
pub fn overlap(a: Vec4, b: Vec4, distance: f32) -> bool {
    let reach = REST_REACH * distance;
    a.w * b.w > 0.0 && (a - b).xyz().length_squared() < reach * reach
}

/// What the search for pairs leaves out.
#[derive(Clone, Copy)]
pub(crate) struct RestOverlaps<'a> {
    pub(crate) particles: &'a Particles,
    /// Distance at which particles of one size touch, metres.
    pub(crate) distance: f32,
    /// Radius of each particle, metres, where they are of several sizes; else empty.
    pub(crate) radii: &'a [f32],
}

impl<'a> RestOverlaps<'a> {
    /// `None` where no particle has a rest position.
    pub(crate) fn new(particles: &'a Particles, distance: f32, radii: &'a [f32]) -> Option<Self> {
        particles.rest_positions.is_stored().then_some(Self {
            particles,
            distance,
            radii,
        })
    }

    /// Whether two particles do not collide because they overlap at rest.
    #[inline]
    pub(crate) fn contains(&self, i: usize, j: usize) -> bool {
        let [a, b] = [i, j].map(|slot| self.particles.rest_positions.get(slot));
        let distance = match self.radii {
            [] => self.distance,
            radii => radii[i] + radii[j],
        };
        self.particles.phases[i].ignores_rest_overlaps(self.particles.phases[j]) && overlap(a, b, distance)
    }
}

impl Particles {
    /// Where the particle in a slot is in the undeformed shape of its group, metres, if it was told.
    pub fn rest_position(&self, slot: usize) -> Option<Vec3> {
        let kept = self.rest_positions.get(slot);
        (kept.w > 0.0).then_some(kept.xyz())
    }
}

impl Phase {
    /// Whether two particles leave each other alone if they overlap at rest: those of one group, if it says so.
    #[inline]
    pub fn ignores_rest_overlaps(self, other: Self) -> bool {
        (self.0 ^ other.0) & Self::GROUP_MASK == 0 && self.0 & other.0 & Self::IGNORE_REST_OVERLAPS != 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rest_positions_overlap_below_the_contact_distance_and_only_if_both_are_known() {
        let at = |x: f32| packed(Some(Vec3::new(x, 0.0, 0.0)));
        assert!(overlap(at(0.0), at(0.19), 0.2));
        assert!(overlap(at(0.0), at(0.2), 0.2), "as near as rounding has it");
        assert!(!overlap(at(0.0), at(0.201), 0.2));
        assert!(!overlap(at(0.0), packed(None), 0.2) && !overlap(packed(None), packed(None), 0.2));
    }

    #[test]
    fn the_property_has_its_name() {
        let none = Particles::default();
        assert!(none.optional().iter().any(|(name, _)| *name == REST_POSITIONS));
    }

    #[test]
    fn only_groups_that_say_so_leave_out_what_overlaps_at_rest() {
        let cloth = |group| Phase::new(group, Phase::SELF_COLLIDE | Phase::IGNORE_REST_OVERLAPS, 0xff);
        assert!(cloth(1).ignores_rest_overlaps(cloth(1)));
        assert!(!cloth(1).ignores_rest_overlaps(cloth(2)));
        assert!(!cloth(1).ignores_rest_overlaps(Phase::grains(1)));
    }
}
