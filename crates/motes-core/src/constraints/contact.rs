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
//!
//! The functions are written without branches, so that loops over many contacts become vector code.

use glam::Vec3;

use crate::settings::{FrictionModel, Settings};

/// A friction impulse brought back into Coulomb's cone over its load (eq. 24): whole below the static limit, else at
/// most as large as the kinetic one.
#[inline(always)]
pub fn hold(impulse: Vec3, load: f32, static_friction: f32, kinetic_friction: f32) -> Vec3 {
    let length_squared = impulse.dot(impulse);
    let sticks = static_friction * load;
    let slides = kinetic_friction * load;
    let kept = least(slides / most(length_squared.sqrt(), f32::MIN_POSITIVE), 1.0);
    impulse * if length_squared <= sticks * sticks { 1.0 } else { kept }
}

/// Two particles that are near each other, at one moment of the solve.
#[derive(Clone, Copy, Debug)]
pub struct Pair {
    /// Unit vector from the second particle to the first.
    pub normal: Vec3,
    /// Distance between their surfaces, metres; negative where they overlap.
    pub gap: f32,
    /// Furthest that an overlap from before the sub-step is undone in it, metres.
    pub separation: f32,
    /// Fraction of its impulse that is taken over into the next sub-step.
    pub memory: f32,
    /// How far the first has moved in the sub-step, relative to the second, metres.
    pub moved: Vec3,
    /// Sum of both inverse masses, 1/kg; not zero.
    pub mobility: f32,
    /// Impulse per distance of a correction, kg: less than the masses would allow, because others act on the same
    /// particles.
    pub step: f32,
    /// μs.
    pub static_friction: f32,
    /// μk.
    pub kinetic_friction: f32,
    /// Largest impulse by which the contact pulls, kg·m.
    pub grip: f32,
}

/// What all contacts of a sub-step have in common.
#[derive(Clone, Copy, Debug)]
pub struct Terms {
    /// Distance below which particles touch, metres.
    pub distance: f32,
    /// Over-relaxation ω of eq. 13.
    pub relaxation: f32,
    /// Furthest that an overlap from before the sub-step is undone in it, metres; and where a body is involved.
    pub separation: [f32; 2],
    /// How far friction goes at a time; 0 without friction.
    pub across: f32,
    /// Fraction of an impulse that is taken over into the next sub-step; and where a body is involved.
    pub memory: [f32; 2],
    /// Displacement by gravity in a sub-step, metres: times mass, the impulse that carries it.
    pub weight: f32,
}

/// Friction acts in two directions for every contact, normals in one: it goes half as far at a time.
pub const ACROSS: f32 = 0.5;

/// Particles this many contact distances apart still touch: corrected contacts sit a rounding error, or what convergence left
/// over, around one.
pub const IN_TOUCH: f32 = 1.01;

/// Most of `k·(h₂−h₁)` by which mass scaling tells two particles apart.
pub const STEEPEST: f32 = 30.0;

/// Most that contacts of bodies take over. What is good for grains, which rub against each other on all sides, lets a tall
/// stack of bodies swing up and down.
const BODY_MEMORY: f32 = 0.4;

impl Terms {
    /// Those of a sub-step of `h` seconds.
    pub fn new(settings: &Settings, h: f32) -> Self {
        Self {
            distance: settings.contact_distance(),
            relaxation: settings.relaxation,
            separation: [settings.separation_speed, settings.body_separation_speed].map(|speed| speed * h),
            across: match settings.friction {
                FrictionModel::Position => ACROSS,
                FrictionModel::Velocity => 0.0,
            },
            memory: [settings.contact_memory, settings.contact_memory.min(BODY_MEMORY)],
            weight: settings.gravity.length() * h * h,
        }
    }
}

impl Pair {
    /// The impulse on the first particle after one more iteration: no overlap, no slip within the cone.
    #[inline(always)]
    pub fn solve(&self, impulse: Vec3, terms: &Terms) -> Vec3 {
        let (normal, gap) = (self.normal, self.gap);
        let opened = self.moved.dot(normal);
        let error = most(gap, opened - self.separation);
        let along = impulse.dot(normal);
        let pushed = most(along - error * self.step, -self.grip);
        // Glue holds what touches; it does not reach out for what is further away than it could pull.
        let idle = (along == 0.0) & (gap >= self.grip * self.mobility);
        let pushed = if idle { 0.0 } else { pushed };
        let slip = self.moved - normal * opened;
        let wanted = (impulse - normal * along) - slip * (self.step * terms.across);
        let load = if idle { 0.0 } else { most(pushed + self.grip, 0.0) };
        normal * pushed + hold(wanted, load, self.static_friction, self.kinetic_friction)
    }

    /// The impulse that pushes overlapping particles apart, and does nothing else.
    #[inline(always)]
    pub fn push_apart(&self) -> Vec3 {
        self.normal * (most(-self.gap, 0.0) * self.step)
    }

    /// What a contact takes over of its impulse in the last sub-step, of which it had already taken over `carried` along
    /// the normal: the impulse, and what it now carries along the normal.
    ///
    /// What lasts may be taken over, growing from the weight of a grain to at most twice as much each time; the impulse
    /// of an impact may not, or it would act again as a rebound.
    #[inline(always)]
    pub fn recall(&self, impulse: Vec3, carried: f32, terms: &Terms) -> (Vec3, f32) {
        let along = impulse.dot(self.normal);
        let limit = carried + carried + terms.weight / self.mobility;
        let carries = least(most(along * self.memory, 0.0), limit);
        let fraction = if along > 0.0 { carries / along } else { 0.0 };
        (impulse * fraction, carries)
    }
}

/// How far an impulse moves each of two particles, compared to what their masses say, when masses are scaled by height
/// (eq. 21). `stack` is k·(h₂−h₁).
///
/// Only the ratio `e^(k·(h₂−h₁))` of the two scale factors enters, so the height needs no reference plane and no
/// particle is too high up to be told from the next. The relative displacement stays what it was.
pub fn stack_shares(inverse_masses: [f32; 2], stack: f32) -> [f32; 2] {
    let ratio = stack.clamp(-STEEPEST, STEEPEST).exp();
    let [first, second] = inverse_masses;
    let total = first + second * ratio;
    if total > 0.0 {
        let share = (first + second) / total;
        [share, share * ratio]
    } else {
        [1.0; 2]
    }
}

/// The larger, without the detour by which `f32::max` respects NaN.
#[inline(always)]
fn most(a: f32, b: f32) -> f32 {
    if a > b { a } else { b }
}

#[inline(always)]
fn least(a: f32, b: f32) -> f32 {
    if a < b { a } else { b }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const TERMS: Terms = Terms {
        distance: 1.0,
        relaxation: 1.0,
        separation: [f32::INFINITY; 2],
        across: 1.0,
        memory: [0.5; 2],
        weight: 0.1,
    };

    /// Two particles of 1 kg, the first above the second.
    fn pair(offset: f32, moved: Vec3, grip: f32) -> Pair {
        Pair {
            normal: Vec3::Y,
            gap: offset - TERMS.distance,
            separation: f32::INFINITY,
            memory: 0.5,
            moved,
            mobility: 2.0,
            step: 0.5,
            static_friction: 0.5,
            kinetic_friction: 0.4,
            grip,
        }
    }

    #[test]
    fn small_slip_is_taken_back_whole_and_large_slip_up_to_the_kinetic_limit() {
        let held = |x: f32| hold(Vec3::new(x, 0.0, 0.0), 0.1, 0.5, 0.4).x;
        assert_eq!(held(0.049), 0.049);
        assert!((held(0.2) - 0.04).abs() < 1e-7);
    }

    #[test]
    fn a_contact_only_pushes_unless_it_sticks() {
        let at =
            |offset: f32, impulse: f32, grip: f32| pair(offset, Vec3::ZERO, grip).solve(impulse * Vec3::Y, &TERMS).y;
        assert!(
            (at(0.6, 0.0, 0.0) - 0.2).abs() < 1e-6,
            "an overlap of 0.4 m takes 0.2 kg·m"
        );
        assert_eq!(at(1.6, 0.1, 0.0), 0.0);
        assert_eq!(at(1.6, 0.1, 0.05), -0.05);
        assert_eq!(at(1.2, 0.0, 0.05), 0.0, "out of reach of the glue");
    }

    #[test]
    fn friction_is_bounded_by_the_whole_load() {
        let slides = |x: f32| pair(0.6, Vec3::new(x, 0.0, 0.0), 0.0).solve(Vec3::ZERO, &TERMS).x;
        assert!((slides(0.1) + 0.05).abs() < 1e-6, "half of the slip falls to each");
        assert!((slides(1.0) + 0.4 * 0.2).abs() < 1e-6);
    }

    #[test]
    fn an_impact_is_not_carried_over_but_weight_is() {
        let resting = pair(1.0, Vec3::ZERO, 0.0).recall(0.08 * Vec3::Y, 0.04, &TERMS);
        assert!((resting.1 - 0.04).abs() < 1e-6);
        let impact = pair(1.0, Vec3::ZERO, 0.0).recall(Vec3::new(3.0, 10.0, 0.0), 0.0, &TERMS);
        assert!((impact.1 - 0.05).abs() < 1e-6, "at most the weight of a grain at first");
        assert!((impact.0 - Vec3::new(0.015, 0.05, 0.0)).length() < 1e-6);
    }

    #[test]
    fn the_lower_particle_of_a_stack_acts_heavier() {
        let [lower, upper] = stack_shares([1.0, 1.0], 0.7);
        assert!(lower < 0.8 && upper > 1.2);
        assert_eq!(stack_shares([0.0, 0.0], 0.0), [1.0; 2]);
        assert_eq!(stack_shares([2.0, 2.0], 0.0), [1.0; 2]);
    }

    proptest! {
        #[test]
        fn mass_scaling_keeps_the_relative_displacement(
            a in 0.0f32..1e6, b in 1e-6f32..1e6, stack in -20.0f32..20.0
        ) {
            let [first, second] = stack_shares([a, b], stack);
            prop_assert!(((a * first + b * second) / (a + b) - 1.0).abs() < 1e-4);
        }

        #[test]
        fn friction_keeps_its_direction_and_stays_within_the_cone(
            wanted in prop::array::uniform3(-1.0f32..1.0), load in 0.0f32..1.0
        ) {
            let wanted = Vec3::from(wanted);
            let held = hold(wanted, load, 0.5, 0.4);
            prop_assert!(held.dot(wanted) >= 0.0 && held.cross(wanted).length() < 1e-6);
            prop_assert!(held.length() <= wanted.length() * 1.0001);
            prop_assert!(held.length() <= 0.5 * load * 1.0001 + 1e-7);
        }
    }
}
