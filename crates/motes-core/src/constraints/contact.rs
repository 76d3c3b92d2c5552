//! Contact with friction and a little glue (Unified §6.1, eq. 22–25).
//!
//! The paper bounds the friction of an iteration by the overlap of that iteration. Here a contact between particles
//! adds up what it has done in the sub-step, its *impulse* (mass times displacement, kg·m), and friction is bounded by
//! the whole: the bound does not depend on the number of iterations, and dividing by h² gives the force in newtons.
//!
//! Two rules let piles rest. Every contact starts from its whole impulse of the sub-step before (warm starting): what is
//! forgotten would have to be found again by iterations, of which there are few, and piles would creep. And an overlap from
//! before the sub-step asks for nothing: particles must not come closer than they were. If the solve undid overlaps, it would
//! leave the particles with the speed that this took, and piles would ring. Overlaps are left to the stabilisation, which
//! moves positions and no velocities.
//!
//! Eq. 24 as printed leaves the sign open and eq. 25 applies the mass ratio twice; here both particles receive the
//! same friction, opposed to their relative slip, in shares `w/(wᵢ+wⱼ)` that add up to one, so momentum is kept.
//!
//! The functions are written without branches, so that loops over many contacts become vector code.

use glam::Vec3;

use crate::settings::{FrictionModel, Settings};

/// A friction impulse projected onto Coulomb's cone over its load (eq. 24): whole below the static limit, else at
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
    /// Distance between their centres at which they touch, metres.
    pub contact: f32,
    /// Whether one of them belongs to a body.
    pub has_body: bool,
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
    /// How far friction goes at a time; 0 without friction.
    pub across: f32,
    /// Fraction of its last impulse that a contact is warm-started with.
    pub memory: f32,
    /// Relative motion in a sub-step below which particles are at rest with each other, metres.
    pub calm: f32,
    /// What is left after a sub-step of how far overlaps of bodies at rest are undone.
    pub fading: f32,
}

/// Friction acts in two directions for every contact, normals in one: it goes half as far at a time.
pub const ACROSS: f32 = 0.5;

/// Particles this many contact distances apart still touch: corrected contacts sit a rounding error, or what convergence left
/// over, around one.
pub const IN_TOUCH: f32 = 1.01;

/// Overlap that the stabilisation leaves, in distances at which particles touch: contacts that it opened would have to be
/// found again.
pub const SLOP: f32 = 0.01;

/// How fast the stabilisation moves particles of bodies that are not rigid, in their radii per second at most. It puts such a body out of
/// shape, of which the shape makes speed: slowly enough, the body gets out of the way as a whole.
pub const UNBENDING: f32 = 2.0;

/// Time in which the stabilisation gives up overlaps of bodies that are at rest with each other, seconds. Bodies that are
/// caught in each other are pushed one way here and the other way there; without an end they would walk.
const GIVING_UP: f32 = 0.1;

/// Times that rebounds of rigid bodies are worked out: each contact sees what the others made of the body. One finds nearly
/// nine tenths of a rebound on a face.
pub const REBOUNDS: u32 = 4;

/// Most of `k·(h₂−h₁)` by which mass scaling tells two particles apart.
pub const STEEPEST: f32 = 30.0;

impl Terms {
    /// Those of a sub-step of `h` seconds after one of `h_before`.
    pub fn new(settings: &Settings, h: f32, h_before: f32) -> Self {
        // The same force takes an impulse that grows with the square of the sub-step.
        let longer = if h_before > 0.0 { h / h_before } else { 1.0 };
        Self {
            distance: settings.contact_distance(),
            relaxation: settings.relaxation,
            across: match settings.friction {
                FrictionModel::Position => ACROSS,
                FrictionModel::Velocity => 0.0,
            },
            memory: settings.contact_memory * longer * longer,
            calm: settings.restitution_threshold * h,
            fading: (-h / GIVING_UP).exp(),
        }
    }
}

impl Pair {
    /// The impulse on the first particle after one more iteration: they come no closer than they were, or than they touch,
    /// and do not slip within the cone.
    #[inline(always)]
    pub fn solve(&self, impulse: Vec3, terms: &Terms) -> Vec3 {
        self.press(impulse, Vec3::ZERO, self.step * terms.across).0
    }

    /// The same of surfaces that have gone by `spun` on their own, with friction that goes as far as `across` at a time, kg; and
    /// the load of the contact, kg·m.
    #[inline(always)]
    pub(super) fn press(&self, impulse: Vec3, spun: Vec3, across: f32) -> (Vec3, f32) {
        let (normal, gap) = (self.normal, self.gap);
        let opened = self.moved.dot(normal);
        let error = most(gap, opened);
        let along = impulse.dot(normal);
        let pushed = most(along - error * self.step, -self.grip);
        // Glue holds what touches; it does not reach out for what is further away than it could pull.
        let idle = (along == 0.0) & (gap >= self.grip * self.mobility);
        let pushed = if idle { 0.0 } else { pushed };
        let slip = self.moved - normal * opened - spun;
        let wanted = (impulse - normal * along) - slip * across;
        let load = if idle { 0.0 } else { most(pushed + self.grip, 0.0) };
        let held = hold(wanted, load, self.static_friction, self.kinetic_friction);
        (normal * pushed + held, load)
    }

    /// The impulse that pushes overlapping particles apart, and does nothing else, of a contact that is as fresh as
    /// [`recall`](Self::recall) says.
    #[inline(always)]
    pub fn push_apart(&self, freshness: f32) -> Vec3 {
        self.normal * (most(-self.gap - SLOP * self.contact, 0.0) * self.step * freshness)
    }

    /// What a contact starts from: its impulse in the sub-step before, if it pushed and the particles do not part; and how
    /// fresh it is, which is 1 for all but bodies that have been at rest with each other.
    #[inline(always)]
    pub fn recall(&self, impulse: Vec3, freshness: f32, terms: &Terms) -> (Vec3, f32) {
        let pushes = impulse.dot(self.normal) > 0.0;
        let parts = self.moved.dot(self.normal) > terms.calm;
        let kept = if pushes & !parts { terms.memory } else { 0.0 };
        let rests = pushes & self.has_body & (self.moved.dot(self.moved) < terms.calm * terms.calm);
        (impulse * kept, if rests { freshness * terms.fading } else { 1.0 })
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
        across: 1.0,
        memory: 1.0,
        calm: 0.01,
        fading: 0.5,
    };

    /// Two particles of 1 kg, the first above the second.
    fn pair(offset: f32, moved: Vec3, grip: f32) -> Pair {
        Pair {
            normal: Vec3::Y,
            gap: offset - TERMS.distance,
            contact: TERMS.distance,
            has_body: false,
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

    /// Moved towards the second particle, from a distance at which they touched.
    fn sunk(depth: f32, across: f32) -> Pair {
        pair(1.0 - depth, Vec3::new(across, -depth, 0.0), 0.0)
    }

    #[test]
    fn a_contact_only_pushes_unless_it_sticks() {
        assert!(
            (sunk(0.4, 0.0).solve(Vec3::ZERO, &TERMS).y - 0.2).abs() < 1e-6,
            "an overlap of 0.4 m takes 0.2 kg·m"
        );
        let at =
            |offset: f32, impulse: f32, grip: f32| pair(offset, Vec3::ZERO, grip).solve(impulse * Vec3::Y, &TERMS).y;
        assert_eq!(at(1.6, 0.1, 0.0), 0.0);
        assert_eq!(at(1.6, 0.1, 0.05), -0.05);
        assert_eq!(at(1.2, 0.0, 0.05), 0.0, "out of reach of the glue");
    }

    #[test]
    fn an_overlap_from_before_the_sub_step_asks_for_nothing() {
        let inside = |moved: f32| pair(0.6, moved * Vec3::Y, 0.0).solve(0.1 * Vec3::Y, &TERMS).y;
        assert_eq!(inside(0.0), 0.1);
        assert!((inside(-0.02) - 0.11).abs() < 1e-6, "but nobody comes closer");
        assert!((inside(0.02) - 0.09).abs() < 1e-6, "and nothing drives them apart");
        assert!((pair(0.6, Vec3::ZERO, 0.0).push_apart(1.0).y - 0.195).abs() < 1e-6);
    }

    #[test]
    fn friction_is_bounded_by_the_whole_load() {
        let slides = |x: f32| sunk(0.4, x).solve(Vec3::ZERO, &TERMS).x;
        assert!((slides(0.1) + 0.05).abs() < 1e-6, "half of the slip falls to each");
        assert!((slides(1.0) + 0.4 * 0.2).abs() < 1e-6);
    }

    #[test]
    fn what_pushed_starts_from_there_unless_it_parts() {
        let impulse = Vec3::new(0.03, 0.1, 0.0);
        assert_eq!(pair(1.0, Vec3::ZERO, 0.0).recall(impulse, 1.0, &TERMS), (impulse, 1.0));
        assert_eq!(
            pair(1.0, 0.02 * Vec3::Y, 0.0).recall(impulse, 1.0, &TERMS).0,
            Vec3::ZERO
        );
        assert_eq!(pair(1.0, Vec3::ZERO, 0.0).recall(-impulse, 1.0, &TERMS).0, Vec3::ZERO);
    }

    #[test]
    fn overlaps_of_bodies_at_rest_are_given_up() {
        let body = |moved: Vec3| Pair {
            has_body: true,
            ..pair(0.9, moved, 0.0)
        };
        assert_eq!(body(Vec3::ZERO).recall(Vec3::Y, 0.5, &TERMS).1, 0.25);
        assert_eq!(body(0.02 * Vec3::X).recall(Vec3::Y, 0.5, &TERMS).1, 1.0);
        assert_eq!(body(Vec3::ZERO).recall(Vec3::ZERO, 0.5, &TERMS).1, 1.0);
        assert_eq!(pair(0.9, Vec3::ZERO, 0.0).recall(Vec3::Y, 0.5, &TERMS).1, 1.0);
    }

    #[test]
    fn a_force_that_lasts_takes_a_larger_impulse_in_a_longer_sub_step() {
        let settings = Settings::default();
        assert_eq!(Terms::new(&settings, 0.02, 0.01).memory, 4.0);
        assert_eq!(Terms::new(&settings, 0.02, 0.0).memory, 1.0);
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
