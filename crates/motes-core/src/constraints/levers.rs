//! Contacts of ellipsoids that turn (Müller & Chentanez 2011, §4.2, eq. 16–21, at the level of positions and within Coulomb's cone).
//!
//! As in [`rolling`](super::rolling), but what touches is not straight below the centre: an impulse along the normal turns an ellipsoid too, until it lies on
//! its flat side. With the way of the rim `t = r θ`, a lever `a` from the centre to the contact over that radius r moves by `t × a`, and an
//! impulse p there turns by `Δt = w K (a × p)`; K is [`yields`](super::orientation::yields), 5/2 of a ball, whose lever is the normal reversed.

use glam::Vec3;

use super::contact::{Pair, Terms, hold};
use super::ellipsoid::Ellipsoid;
use super::rolling::{ROLLING, TURNING, TURNING_ACROSS};

/// What one side of a contact does besides moving.
#[derive(Clone, Copy, Debug, Default)]
pub struct Lever {
    /// From its centre to where it touches, in its radii.
    pub arm: Vec3,
    /// How it answers to torques.
    pub yields: Ellipsoid,
    /// The way of its rim in the sub-step, metres.
    pub turned: Vec3,
    /// Its effective inverse mass, 1/kg, as far as its turning moves the contact; 0 of what does not turn, or only together with others.
    pub mobility: f32,
}

impl Lever {
    /// How far its turning has moved the contact, metres.
    #[inline(always)]
    pub fn swung(&self) -> Vec3 {
        self.turned.cross(self.arm)
    }

    /// What turning adds to its effective inverse mass along a unit vector, as a part of that.
    #[inline(always)]
    pub fn along(&self, direction: Vec3) -> f32 {
        let torque = self.arm.cross(direction);
        torque.dot(self.yields.times(torque))
    }

    /// The same, on average over all directions across a normal.
    #[inline(always)]
    pub fn across(&self, normal: Vec3) -> f32 {
        let [x, y, z] = [Vec3::X, Vec3::Y, Vec3::Z].map(|axis| self.along(axis));
        let along = self.along(normal);
        0.5 * most(x + y + z - along, 0.0)
    }
}

/// Both sides of a contact.
#[derive(Clone, Copy, Debug)]
pub struct Levers {
    /// They.
    pub sides: [Lever; 2],
    /// The parts of their radii in the sum of both, each of the other.
    pub parts: [f32; 2],
    /// Rolling resistance.
    pub resistance: f32,
}

impl Levers {
    /// The impulse on the first and the couple on it over the effective radius, both kg·m, after one more iteration.
    #[inline(always)]
    pub fn solve(&self, pair: &Pair, impulse: Vec3, couple: Vec3, terms: &Terms) -> (Vec3, Vec3) {
        let ([first, second], [a, b]) = (&self.sides, self.parts);
        let (m, n) = (first.mobility, second.mobility);
        let straight = pair.step * (m * first.along(pair.normal) + n * second.along(pair.normal));
        let turns = m * first.across(pair.normal) + n * second.across(pair.normal);
        let across = terms.across * pair.step / (1.0 + TURNING_ACROSS / TURNING * turns * pair.step);
        // Friction looks at the surfaces, whose way apart does not count twice: the gap has it already.
        let swung = first.swung() - second.swung();
        let pair = Pair {
            moved: pair.moved + swung,
            step: pair.step / (1.0 + straight),
            ..*pair
        };
        let (pressed, load) = pair.press(impulse, Vec3::ZERO, across);
        let yields = TURNING * (a * a * m + b * b * n);
        let back = ROLLING / if yields > f32::MIN_POSITIVE { yields } else { 1.0 };
        let wanted = couple - (a * first.turned - b * second.turned) * back;
        (pressed, hold(wanted, load, self.resistance, self.resistance))
    }

    /// What an impulse along with a couple does to both, kg·m: their rims move by `w K` of it.
    #[inline(always)]
    pub fn twists(&self, impulse: Vec3, couple: Vec3) -> [Vec3; 2] {
        let ([first, second], [a, b]) = (&self.sides, self.parts);
        [
            first.arm.cross(impulse) + a * couple,
            impulse.cross(second.arm) - b * couple,
        ]
    }
}

#[inline(always)]
fn most(a: f32, b: f32) -> f32 {
    if a > b { a } else { b }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::constraints::ellipsoid::touch;
    use crate::constraints::orientation::{turned, yields};
    use crate::constraints::rolling::Turning;
    use crate::settings::Settings;
    use glam::Quat;
    use proptest::prelude::*;

    /// Two ellipsoids that touch, of those masses, turned and on their way.
    struct Two {
        masses: [f32; 2],
        radii: [Vec3; 2],
        rotations: [Quat; 2],
        places: [Vec3; 2],
        moved: [Vec3; 2],
        turned: [Vec3; 2],
    }

    const RADIUS: f32 = 0.2;

    impl Two {
        fn solve(&mut self, iterations: usize) -> f32 {
            let terms = Terms::new(&Settings::default(), 0.01, 0.01);
            let shapes = [0, 1].map(|k: usize| Ellipsoid::new(self.rotations[k], self.radii[k]));
            let answers = [0, 1].map(|k: usize| yields(self.rotations[k], self.radii[k], RADIUS));
            let start = self.places[0] - self.places[1];
            let (normal, gap) = touch(start, &shapes[0], &shapes[1]);
            let arms = [-shapes[0].point(normal) / RADIUS, shapes[1].point(normal) / RADIUS];
            let mobility = 1.0 / self.masses[0] + 1.0 / self.masses[1];
            let (mut impulse, mut couple) = (Vec3::ZERO, Vec3::ZERO);
            for _ in 0..iterations {
                let levers = Levers {
                    sides: [0, 1].map(|k: usize| Lever {
                        arm: arms[k],
                        yields: answers[k],
                        turned: self.turned[k],
                        mobility: 1.0 / self.masses[k],
                    }),
                    parts: [0.5; 2],
                    resistance: 0.0,
                };
                let moved = self.moved[0] - self.moved[1];
                let swung = levers.sides[0].swung() - levers.sides[1].swung();
                let pair = Pair {
                    normal,
                    gap: gap + (moved + swung).dot(normal),
                    contact: 2.0 * RADIUS,
                    has_body: false,
                    moved,
                    mobility,
                    step: 1.0 / mobility,
                    static_friction: 0.5,
                    kinetic_friction: 0.5,
                    grip: 0.0,
                };
                let (pressed, held) = levers.solve(&pair, impulse, couple, &terms);
                let twists = levers.twists(pressed - impulse, held - couple);
                for k in 0..2 {
                    self.moved[k] += (pressed - impulse) * [1.0, -1.0][k] / self.masses[k];
                    self.turned[k] += answers[k].times(twists[k]) / self.masses[k];
                }
                (impulse, couple) = (pressed, held);
            }
            impulse.dot(normal)
        }

        fn spin(&self, k: usize) -> Vec3 {
            let own = self.rotations[k].conjugate() * (self.turned[k] / RADIUS);
            self.masses[k] * (self.rotations[k] * (crate::constraints::orientation::inertia(self.radii[k]) * own))
        }

        fn angular_momentum(&self) -> Vec3 {
            let of = |k: usize| self.places[k].cross(self.masses[k] * self.moved[k]) + self.spin(k);
            of(0) + of(1)
        }

        fn energy(&self) -> f32 {
            let of =
                |k: usize| self.masses[k] * self.moved[k].length_squared() + self.spin(k).dot(self.turned[k] / RADIUS);
            of(0) + of(1)
        }
    }

    #[test]
    fn balls_do_what_grains_that_turn_do() {
        let terms = Terms::new(&Settings::default(), 0.01, 0.01);
        let normal = Vec3::new(0.6, 0.8, 0.0);
        let pair = Pair {
            normal,
            gap: -0.01,
            contact: 0.4,
            has_body: false,
            moved: Vec3::new(0.02, -0.03, 0.01),
            mobility: 1.5,
            step: 0.5,
            static_friction: 0.5,
            kinetic_friction: 0.4,
            grip: 0.0,
        };
        let turned = [Vec3::new(0.01, 0.02, -0.01), Vec3::new(-0.02, 0.0, 0.01)];
        let ball = |k: usize| Lever {
            arm: [-1.0, 1.0][k] * normal,
            yields: yields(Quat::IDENTITY, Vec3::splat(RADIUS), RADIUS),
            turned: turned[k],
            mobility: [1.0, 0.5][k],
        };
        let levers = Levers {
            sides: [ball(0), ball(1)],
            parts: [0.5; 2],
            resistance: 0.1,
        };
        let grains = Turning {
            turned,
            mobilities: [1.0, 0.5],
            parts: [0.5; 2],
            resistance: 0.1,
        };
        let (pressed, held) = levers.solve(&pair, Vec3::ZERO, Vec3::ZERO, &terms);
        let (expected, couple) = grains.solve(&pair, Vec3::ZERO, Vec3::ZERO, &terms);
        assert!((pressed - expected).length() < 1e-6, "{pressed} {expected}");
        assert!((held - couple).length() < 1e-6);
        let twists = levers.twists(pressed, held);
        let others = grains.twists(normal, pressed, held);
        assert!((0..2).all(|k| (twists[k] - others[k]).length() < 1e-6));
    }

    #[test]
    fn what_is_hit_beside_its_centre_turns() {
        // A rod at a slant, hit from below to the left of its centre by something very heavy.
        let mut two = Two {
            masses: [1.0, 1e9],
            radii: [Vec3::new(0.2, 0.1, 0.1), Vec3::splat(0.1)],
            rotations: [Quat::IDENTITY; 2],
            places: [Vec3::ZERO, Vec3::new(-0.1, -0.18, 0.0)],
            moved: [Vec3::new(0.0, -0.02, 0.0), Vec3::ZERO],
            turned: [Vec3::ZERO; 2],
        };
        two.solve(50);
        // Its left end is pushed up, and its centre goes on down, though more slowly.
        assert!(two.turned[0].z < -0.002, "{}", two.turned[0]);
        assert!(two.moved[0].y < -0.001 && two.moved[0].y > -0.02, "{}", two.moved[0]);
    }

    proptest! {
        #[test]
        fn momentum_is_kept_and_energy_never_grows(
            masses in prop::array::uniform2(0.1f32..10.0),
            radii in prop::array::uniform2(prop::array::uniform3(0.1f32..0.2)),
            turns in prop::array::uniform2(prop::array::uniform3(-1.0f32..1.0)),
            direction in prop::array::uniform3(-1.0f32..1.0),
            moved in prop::array::uniform2(prop::array::uniform3(-0.01f32..0.01)),
            spins in prop::array::uniform2(prop::array::uniform3(-0.01f32..0.01)),
            iterations in 1usize..20,
        ) {
            let direction = Vec3::from(direction);
            prop_assume!(direction.length() > 0.1);
            let rotations = turns.map(|turn| turned(Quat::IDENTITY, turn.into()));
            let radii = radii.map(Vec3::from);
            let shapes = [0, 1].map(|k: usize| Ellipsoid::new(rotations[k], radii[k]));
            let normal = direction.normalize();
            let apart = shapes[0].point(normal) + shapes[1].point(normal);
            let mut two = Two {
                masses, radii, rotations,
                places: [apart, Vec3::ZERO],
                moved: moved.map(Vec3::from),
                turned: spins.map(Vec3::from),
            };
            let momentum = |two: &Two| two.masses[0] * two.moved[0] + two.masses[1] * two.moved[1];
            let before = (momentum(&two), two.angular_momentum(), two.energy());
            two.solve(iterations);
            prop_assert!((momentum(&two) - before.0).length() < 1e-6);
            prop_assert!((two.angular_momentum() - before.1).length() < 1e-3 * (before.1.length() + 0.01));
            prop_assert!(two.energy() <= before.2 * 1.001, "{} {}", two.energy(), before.2);
        }
    }
}
