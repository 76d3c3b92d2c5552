//! Contact with friction and a little glue (Unified §6.1, eq. 22–25).
//!
//! Eq. 24 as printed leaves the sign open and eq. 25 applies the mass ratio twice; here both particles receive the
//! same friction, opposed to their relative slip, in shares `w/(wᵢ+wⱼ)` that add up to one, so momentum is kept.

use glam::Vec3;
use wide::f32x4;

use crate::lanes::Vec3x4;
use crate::material::PairCoefficients;

/// Distance by which a contact moves its sides apart (eq. 22), and the load that bounds its friction, metres. `None`
/// when they do not touch.
///
/// `gap` is the distance between the surfaces, negative when they overlap; `pull` the distance that cohesion can close
/// in an iteration: the contact holds up to there, and friction feels it as additional load.
#[inline]
pub fn separate(gap: f32, pull: f32) -> Option<(f32, f32)> {
    (gap < pull).then(|| ((-gap).max(-pull), pull - gap))
}

/// Displacement against the slip across the normal: all of it below the static limit, else up to the kinetic one.
#[inline]
pub fn friction(normal: Vec3, slip: Vec3, load: f32, pair: &PairCoefficients) -> Vec3 {
    let across = slip - slip.dot(normal) * normal;
    let length_squared = across.length_squared();
    let sticks = pair.static_friction * load;
    if length_squared < sticks * sticks {
        return -across;
    }
    let slides = pair.kinetic_friction * load;
    if length_squared <= slides * slides {
        return -across;
    }
    across * (-slides / length_squared.sqrt())
}

/// Coefficients of four contacts.
#[derive(Clone, Copy, Debug)]
pub struct Coefficients4 {
    /// μs of each.
    pub static_friction: f32x4,
    /// μk of each.
    pub kinetic_friction: f32x4,
    /// Tensile stress of each, pascals.
    pub cohesion: f32x4,
}

impl Coefficients4 {
    /// Gathers the coefficients of four pairs.
    pub fn new(pairs: [&PairCoefficients; 4]) -> Self {
        Self {
            static_friction: f32x4::new(pairs.map(|pair| pair.static_friction)),
            kinetic_friction: f32x4::new(pairs.map(|pair| pair.kinetic_friction)),
            cohesion: f32x4::new(pairs.map(|pair| pair.cohesion)),
        }
    }
}

/// [`friction`] for four contacts.
#[inline(always)]
pub fn friction4(normal: Vec3x4, slip: Vec3x4, load: f32x4, pairs: &Coefficients4) -> Vec3x4 {
    let across = slip - normal * slip.dot(normal);
    let length_squared = across.dot(across);
    let sticks = pairs.static_friction * load;
    let slides = pairs.kinetic_friction * load;
    let length = length_squared.sqrt().fast_max(f32x4::splat(f32::MIN_POSITIVE));
    let taken = length_squared
        .simd_lt(sticks * sticks)
        .select(f32x4::ONE, (slides / length).fast_min(f32x4::ONE));
    across * -taken
}

/// [`share`] for four contacts of one particle.
#[inline(always)]
pub fn share4(inverse_mass: f32x4, other_inverse_mass: f32x4, stack: Option<f32x4>) -> f32x4 {
    let other = match stack {
        None => other_inverse_mass,
        Some(stack) => {
            let limit = f32x4::splat(30.0);
            other_inverse_mass * stack.fast_max(-limit).fast_min(limit).exp()
        }
    };
    let total = inverse_mass + other;
    total
        .simd_gt(f32x4::ZERO)
        .select(inverse_mass / total, f32x4::ZERO)
}

/// Share of a correction that falls to particle `i`: `wᵢ*/(wᵢ*+wⱼ*)` with masses scaled by stack height (eq. 21).
///
/// Only the ratio `e^(k·(hⱼ−hᵢ))` of the two scale factors enters, so the height needs no reference plane and no
/// particle is too high up to be told from the next. `stack` is `k·(hⱼ−hᵢ)`.
#[inline]
pub fn share(inverse_mass: f32, other_inverse_mass: f32, stack: f32) -> f32 {
    let other = if stack == 0.0 {
        other_inverse_mass
    } else {
        other_inverse_mass * stack.clamp(-30.0, 30.0).exp()
    };
    let total = inverse_mass + other;
    if total > 0.0 { inverse_mass / total } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const ROUGH: PairCoefficients = PairCoefficients {
        static_friction: 0.5,
        kinetic_friction: 0.4,
        restitution: 0.0,
        cohesion: 0.0,
    };

    #[test]
    fn overlap_is_undone_and_loads_the_contact() {
        assert_eq!(separate(-0.02, 0.0), Some((0.02, 0.02)));
    }

    #[test]
    fn small_slip_is_taken_back_whole_and_large_slip_up_to_the_kinetic_limit() {
        let slip = |x: f32| friction(Vec3::Y, Vec3::new(x, 7.0, 0.0), 0.1, &ROUGH);
        assert_eq!(slip(0.049), Vec3::new(-0.049, 0.0, 0.0));
        assert!((slip(0.2) - Vec3::new(-0.04, 0.0, 0.0)).length() < 1e-7);
    }

    #[test]
    fn separated_surfaces_feel_nothing_unless_they_stick() {
        assert_eq!(separate(0.01, 0.0), None);
        assert_eq!(separate(0.01, 0.03).map(|(along, _)| along), Some(-0.01));
        assert_eq!(separate(0.04, 0.03), None);
    }

    #[test]
    fn the_lower_particle_of_a_stack_acts_heavier() {
        let lower = share(1.0, 1.0, 0.7);
        let upper = share(1.0, 1.0, -0.7);
        assert!(lower < 0.4 && upper > 0.6);
        assert!((lower + upper - 1.0).abs() < 1e-6);
        assert_eq!(share(0.0, 0.0, 0.0), 0.0);
        assert_eq!(share(0.0, 1.0, 1e9), 0.0);
    }

    proptest! {
        #[test]
        fn four_contacts_at_a_time_come_to_the_same(
            load in 0.0f32..0.1, slip in prop::array::uniform3(-0.1f32..0.1),
            normal in prop::array::uniform3(-1.0f32..1.0), masses in prop::array::uniform2(0.0f32..10.0),
            stack in -3.0f32..3.0,
        ) {
            let (normal, slip) = (Vec3::from(normal).normalize_or(Vec3::Y), Vec3::from(slip));
            let one = friction(normal, slip, load, &ROUGH);
            let four = friction4(
                Vec3x4::splat(normal), Vec3x4::splat(slip), f32x4::splat(load), &Coefficients4::new([&ROUGH; 4]),
            );
            prop_assert!((four.lane(2) - one).length() < 1e-6);
            let four = share4(f32x4::splat(masses[0]), f32x4::splat(masses[1]), Some(f32x4::splat(stack)));
            prop_assert!((four.to_array()[0] - share(masses[0], masses[1], stack)).abs() < 1e-5);
        }

        #[test]
        fn shares_add_up_to_one(a in 0.0f32..1e6, b in 1e-6f32..1e6, stack in -40.0f32..40.0) {
            let sum = share(a, b, stack) + share(b, a, -stack);
            prop_assert!((sum - 1.0).abs() < 1e-5);
        }

        #[test]
        fn friction_opposes_slip_and_never_exceeds_it(
            slip in prop::array::uniform3(-1.0f32..1.0), load in 0.0f32..1.0
        ) {
            let slip = Vec3::from(slip);
            let delta = friction(Vec3::Y, slip, load, &ROUGH);
            let across = slip - slip.y * Vec3::Y;
            prop_assert!(delta.dot(across) <= 0.0);
            prop_assert!(delta.length() <= across.length() * 1.0001);
            prop_assert!(delta.length() <= 0.5 * load * 1.0001 + 1e-7);
        }
    }
}
