//! Contact with friction and a little glue (Unified §6.1, eq. 22–25).
//!
//! The paper bounds the friction of an iteration by the overlap of that iteration. Here a contact between particles
//! adds up what it has done in the sub-step, its *impulse* (mass times displacement, kg·m), and friction is bounded by
//! the whole: the bound does not depend on the number of iterations, and dividing by h² gives the force in newtons.
//! Impulses are kept from one sub-step to the next as a first guess, so that a pile at rest is held by forces, not by
//! overlaps.
//!
//! Eq. 24 as printed leaves the sign open and eq. 25 applies the mass ratio twice; here both particles receive the
//! same friction, opposed to their relative slip, in shares `w/(wᵢ+wⱼ)` that add up to one, so momentum is kept.

use glam::Vec3;
use wide::f32x4;

use crate::lanes::Vec3x4;
use crate::material::PairCoefficients;

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

/// Normal impulses of four contacts after a change: a contact pushes, and pulls with `grip` at most.
#[inline(always)]
pub fn push4(impulse: f32x4, change: f32x4, grip: f32x4) -> f32x4 {
    (impulse + change).fast_max(-grip)
}

/// Friction impulses of four contacts, brought back into Coulomb's cone over their load (eq. 24): whole below the
/// static limit, else as large as the kinetic one.
#[inline(always)]
pub fn hold4(impulse: Vec3x4, load: f32x4, pairs: &Coefficients4) -> Vec3x4 {
    let length_squared = impulse.dot(impulse);
    let sticks = pairs.static_friction * load;
    let slides = pairs.kinetic_friction * load;
    let length = length_squared.sqrt().fast_max(f32x4::splat(f32::MIN_POSITIVE));
    let kept = length_squared
        .simd_le(sticks * sticks)
        .select(f32x4::ONE, (slides / length).fast_min(f32x4::ONE));
    impulse * kept
}

/// [`share`] for four contacts of one particle.
#[inline(always)]
pub fn share4(inverse_mass: f32x4, other_inverse_mass: f32x4, stack: f32x4) -> f32x4 {
    let limit = f32x4::splat(30.0);
    let other = other_inverse_mass * stack.fast_max(-limit).fast_min(limit).exp();
    let total = inverse_mass + other;
    total.simd_gt(f32x4::ZERO).select(inverse_mass / total, f32x4::ZERO)
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
    fn small_slip_is_taken_back_whole_and_large_slip_up_to_the_kinetic_limit() {
        let slip = |x: f32| friction(Vec3::Y, Vec3::new(x, 7.0, 0.0), 0.1, &ROUGH);
        assert_eq!(slip(0.049), Vec3::new(-0.049, 0.0, 0.0));
        assert!((slip(0.2) - Vec3::new(-0.04, 0.0, 0.0)).length() < 1e-7);
    }

    #[test]
    fn a_contact_only_pushes_unless_it_sticks() {
        let at = |impulse: f32, change: f32, grip: f32| {
            push4(f32x4::splat(impulse), f32x4::splat(change), f32x4::splat(grip)).to_array()[0]
        };
        assert_eq!(at(0.0, 0.2, 0.0), 0.2);
        assert_eq!(at(0.1, -0.3, 0.0), 0.0);
        assert_eq!(at(0.1, -0.3, 0.05), -0.05);
    }

    #[test]
    fn friction_stays_in_the_cone_of_the_whole_load() {
        let pairs = Coefficients4::new([&ROUGH; 4]);
        let held = |x: f32| {
            hold4(Vec3x4::splat(Vec3::new(x, 0.0, 0.0)), f32x4::splat(2.0), &pairs)
                .lane(0)
                .x
        };
        assert_eq!(held(0.9), 0.9);
        assert!((held(1.1) - 0.8).abs() < 1e-6);
        assert!((held(-5.0) + 0.8).abs() < 1e-6);
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
            let across = slip - slip.dot(normal) * normal;
            let one = friction(normal, slip, load, &ROUGH);
            let four = hold4(Vec3x4::splat(-across), f32x4::splat(load), &Coefficients4::new([&ROUGH; 4]));
            prop_assert!((four.lane(2) - one).length() < 1e-6);
            let four = share4(f32x4::splat(masses[0]), f32x4::splat(masses[1]), f32x4::splat(stack));
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
