//! Contacts of grains that turn: friction acts where they touch, and a couple resists their rolling.
//!
//! How far a grain has turned in a sub-step is kept as the way of its rim, `t = r θ`, metres. Then radii drop out: an impulse p on
//! the first of two solid balls (inertia 2/5 m r²) turns either by `Δt = −5/2 w n × p`, and their surfaces slip by the way of their
//! centres less `(t₁ + t₂) × n`.
//!
//! Rolling resistance is a couple of opposite torques on both, of at most a coefficient times the load and the effective radius
//! r₁r₂/(r₁+r₂) (type C of Ai et al. 2011, *Assessment of rolling resistance models in discrete element simulations*, without its
//! spring: like friction, the couple is found by the solve, is bounded as a whole and warm-started, so that heaps rest). It acts against rolling and against
//! twisting alike. With the couple over that radius, kg·m, it is conjugate to `α t₁ − β t₂`, where α and β are the parts of the
//! radii r₂ and r₁ in their sum; for a collider 1 and 0.

use glam::Vec3;

use super::contact::{Pair, Terms, hold};

/// Inverse of the inertia of a solid ball over its mass and the square of its radius.
pub const TURNING: f32 = 2.5;

/// How much further friction is divided where grains turn, for each unit of effective inverse mass that turns. Alone, a contact of
/// solid balls would be divided by 7/2; with those around it, directions of friction and of turning are shared already.
pub const TURNING_ACROSS: f32 = 1.5;

/// How far rolling goes back at a time: contacts are counted by their normals, couples act in all three directions.
pub const ROLLING: f32 = 0.25;

/// How friction on a collider meets a single grain that turns: both its mass and its inertia yield.
pub const ALONE_ACROSS: f32 = 1.0 / (1.0 + TURNING);

/// What two grains do besides moving, at one moment of the solve.
#[derive(Clone, Copy, Debug)]
pub struct Turning {
    /// Ways of their rims in the sub-step, metres.
    pub turned: [Vec3; 2],
    /// Their effective inverse masses, 1/kg; 0 of what does not turn.
    pub mobilities: [f32; 2],
    /// α and β.
    pub parts: [f32; 2],
    /// Rolling resistance.
    pub resistance: f32,
}

impl Turning {
    /// The impulse on the first and the couple on it over the effective radius, both kg·m, after one more iteration.
    #[inline(always)]
    pub fn solve(&self, pair: &Pair, impulse: Vec3, couple: Vec3, terms: &Terms) -> (Vec3, Vec3) {
        let ([first, second], [a, b], [m, n]) = (self.turned, self.parts, self.mobilities);
        let across = terms.across * pair.step / (1.0 + TURNING_ACROSS * (m + n) * pair.step);
        let (pressed, load) = pair.press(impulse, (first + second).cross(pair.normal), across);
        let yields = TURNING * (a * a * m + b * b * n);
        let back = ROLLING / if yields > f32::MIN_POSITIVE { yields } else { 1.0 };
        let wanted = couple - (a * first - b * second) * back;
        (pressed, hold(wanted, load, self.resistance, self.resistance))
    }

    /// What an impulse along with a couple does to both, kg·m: their rims move by this times [`TURNING`] and their inverse mass.
    #[inline(always)]
    pub fn twists(&self, normal: Vec3, impulse: Vec3, couple: Vec3) -> [Vec3; 2] {
        let twist = impulse.cross(normal);
        let [a, b] = self.parts;
        [twist + a * couple, twist - b * couple]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::Settings;
    use proptest::prelude::*;

    /// Two balls of those masses and radii, the first above the second, that have moved and turned.
    struct Balls {
        masses: [f32; 2],
        radii: [f32; 2],
        moved: [Vec3; 2],
        turned: [Vec3; 2],
        resistance: f32,
    }

    impl Balls {
        fn parts(&self) -> [f32; 2] {
            let [a, b] = self.radii;
            [b / (a + b), a / (a + b)]
        }

        fn pair(&self) -> Pair {
            let mobility = self.masses.map(|mass| 1.0 / mass).iter().sum::<f32>();
            let moved = self.moved[0] - self.moved[1];
            Pair {
                normal: Vec3::Y,
                gap: moved.y,
                contact: self.radii.iter().sum(),
                has_body: false,
                moved,
                mobility,
                step: 1.0 / mobility,
                static_friction: 0.5,
                kinetic_friction: 0.5,
                grip: 0.0,
            }
        }

        /// Solves their contact for so many iterations.
        fn solve(&mut self, iterations: usize) -> (Vec3, Vec3) {
            let terms = Terms::new(&Settings::default(), 0.01, 0.01);
            let (mut impulse, mut couple) = (Vec3::ZERO, Vec3::ZERO);
            for _ in 0..iterations {
                let turning = Turning {
                    turned: self.turned,
                    mobilities: self.masses.map(|mass| 1.0 / mass),
                    parts: self.parts(),
                    resistance: self.resistance,
                };
                let (pressed, held) = turning.solve(&self.pair(), impulse, couple, &terms);
                let (change, rolled) = (pressed - impulse, held - couple);
                let twists = turning.twists(Vec3::Y, change, rolled);
                for k in 0..2 {
                    self.moved[k] += change * [1.0, -1.0][k] / self.masses[k];
                    self.turned[k] += TURNING * twists[k] / self.masses[k];
                }
                (impulse, couple) = (pressed, held);
            }
            (impulse, couple)
        }

        fn energy(&self) -> f32 {
            let of = |k: usize| {
                let turning = self.turned[k].length_squared() / TURNING;
                self.masses[k] * (self.moved[k].length_squared() + turning)
            };
            of(0) + of(1)
        }

        /// About the middle of the second, times time; the first is above it.
        fn angular_momentum(&self) -> Vec3 {
            let spin = |k: usize| self.masses[k] * self.radii[k] / TURNING * self.turned[k];
            let arm = (self.radii[0] + self.radii[1]) * Vec3::Y;
            arm.cross(self.masses[0] * self.moved[0]) + spin(0) + spin(1)
        }
    }

    fn vector(values: [f32; 3]) -> Vec3 {
        Vec3::from(values)
    }

    #[test]
    fn a_ball_that_slides_on_a_heavy_one_keeps_five_sevenths_of_its_speed() {
        let mut balls = Balls {
            masses: [1.0, 1e9],
            radii: [0.1; 2],
            moved: [Vec3::new(0.01, -0.1, 0.0), Vec3::ZERO],
            turned: [Vec3::ZERO; 2],
            resistance: 0.0,
        };
        balls.solve(50);
        assert!((balls.moved[0].x - 0.01 * 5.0 / 7.0).abs() < 1e-5, "{}", balls.moved[0]);
        assert!((balls.turned[0].z + balls.moved[0].x).abs() < 1e-5, "it rolls");
    }

    #[test]
    fn resistance_stops_what_rolls_slowly_and_slows_what_rolls_fast() {
        let rolling = |speed: f32| {
            let mut balls = Balls {
                masses: [1.0, 1e9],
                radii: [0.1, 0.1],
                moved: [Vec3::new(speed, -0.1, 0.0), Vec3::ZERO],
                turned: [Vec3::new(0.0, 0.0, -speed), Vec3::ZERO],
                resistance: 0.2,
            };
            balls.solve(200);
            balls.moved[0].x
        };
        assert!(rolling(0.005).abs() < 1e-4, "{}", rolling(0.005));
        // The torque 0.2 · 0.1 m/2 · 0.1 kg·m acts on a mass that is 7/5 of itself about the contact.
        let slowed = 0.2 * 0.5 * 0.1 / 1.4;
        assert!((rolling(0.05) - (0.05 - slowed)).abs() < 1e-4, "{}", rolling(0.05));
    }

    proptest! {
        #[test]
        fn momentum_is_kept_and_energy_never_grows(
            masses in prop::array::uniform2(0.1f32..10.0),
            radii in prop::array::uniform2(0.05f32..0.2),
            moved in prop::array::uniform2(prop::array::uniform3(-0.01f32..0.01)),
            turned in prop::array::uniform2(prop::array::uniform3(-0.01f32..0.01)),
            resistance in 0.0f32..1.0,
            iterations in 1usize..20,
        ) {
            let mut balls = Balls {
                masses, radii, resistance, moved: moved.map(vector), turned: turned.map(vector),
            };
            let momentum = |balls: &Balls| balls.masses[0] * balls.moved[0] + balls.masses[1] * balls.moved[1];
            let before = (momentum(&balls), balls.angular_momentum(), balls.energy());
            balls.solve(iterations);
            prop_assert!((momentum(&balls) - before.0).length() < 1e-6);
            prop_assert!((balls.angular_momentum() - before.1).length() < 1e-6);
            prop_assert!(balls.energy() <= before.2 * 1.0001);
        }
    }
}
