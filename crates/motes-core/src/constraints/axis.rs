//! What acts along or about the free axis of a joint: a spring, a damper, a motor, dry friction and limits, as one law.
//!
//! Over a sub-step the law gives the impulse for how far the joint moves. It falls as the joint moves on: slopes by springs and
//! dampers, jumps where a motor or friction changes its sign, walls at the limits. Where its graph meets the line of
//! what the bodies do under an impulse is the solution, whatever the stiffness; there is one, and [`Law::meet`] finds it.
//!
//! Springs act with the mean of three sub-steps, ¼ ½ ¼ (Newmark's β = ¼): they keep their energy, at any stiffness. Where
//! they swing faster than the step can show they act where the joint gets to, which damps them. Impulses are times time, in
//! kg·m, or in kg·m² about an axis.

use glam::Vec3;

/// The square of frequency times sub-step up to which springs keep their energy; they are implicit from four times that on.
pub const FAST_SPRING: f32 = 1.0;

/// Seconds in which a motor that goes to a place closes most of what is left, and a joint beyond its limits comes back.
pub const RESPONSE: f32 = 0.05;

/// Within which a limit is given in effect: further than any joint gets.
pub const UNLIMITED: f32 = 1e30;

/// The law of one axis in one sub-step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Law {
    /// Stiffness times the square of the sub-step.
    pub spring: f32,
    /// Damping times the sub-step.
    pub damping: f32,
    /// How far the joint is from where its spring rests, at the start.
    pub offset: f32,
    /// How far it moved in the sub-step before.
    pub before: f32,
    /// How far a motor wants to move it, and its largest impulse.
    pub motor: [f32; 2],
    /// The largest impulse of friction.
    pub friction: f32,
    /// How far it may move at least and at most.
    pub limits: [f32; 2],
}

/// A piece of the graph.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Piece {
    /// The joint moves so far, with whatever impulse that takes.
    Hold(f32),
    /// It moves on, and motor and friction do what they can.
    Slide(f32),
}

/// The slope of the law between its jumps: the impulse is `base − stiffness · displacement`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Slope {
    /// Without any displacement.
    pub base: f32,
    /// Per displacement.
    pub stiffness: f32,
}

impl Law {
    /// That of springs and dampers on a joint that moves by `mobility` under an impulse.
    pub fn slope(&self, mobility: f32) -> Slope {
        let fast = ((mobility * self.spring / FAST_SPRING - 1.0) / 3.0).clamp(0.0, 1.0);
        // From the mean of the velocities before and after on to that after, before a damper would overshoot.
        let late = (1.0 - 1.0 / (self.damping * mobility).max(1.0)).max(0.5);
        Slope {
            base: -self.spring * (self.offset - 0.25 * (1.0 - fast) * self.before)
                - self.damping * (1.0 - late) * self.before,
            stiffness: self.spring * (0.25 + 0.75 * fast) + self.damping * late,
        }
    }

    /// The piece of the graph that the joint is on once it has moved, and its impulse there: by `displacement` with
    /// `impulse`, and by `mobility` more for each that is added.
    pub fn meet(&self, displacement: f32, impulse: f32, mobility: f32) -> (Piece, f32) {
        let Slope { base, stiffness } = self.slope(mobility);
        // Where it gets to without any impulse.
        let free = displacement - mobility * impulse;
        let moved = |extra: f32| (free + mobility * (base + extra)) / (1.0 + mobility * stiffness);
        let needed = |target: f32| (target - free) / mobility;
        let jumps = match self.motor[0] < 0.0 {
            true => [self.motor, [0.0, self.friction]],
            false => [[0.0, self.friction], self.motor],
        };
        let mut extra = self.motor[1] + self.friction;
        let mut held = None;
        for [target, bound] in jumps {
            if bound <= 0.0 || moved(extra) < target {
                continue;
            }
            if needed(target) >= base - stiffness * target + extra - 2.0 * bound {
                held = Some(target);
                break;
            }
            extra -= 2.0 * bound;
        }
        let reached = held.unwrap_or_else(|| moved(extra));
        let [least, most] = self.limits;
        if reached < least || reached > most {
            let limit = reached.clamp(least, most.max(least));
            return (Piece::Hold(limit), needed(limit));
        }
        match held {
            Some(target) => (Piece::Hold(target), needed(target)),
            None => (Piece::Slide(extra), base - stiffness * reached + extra),
        }
    }
}

/// Dry friction and damping about all axes of a ball joint.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct BallLaw {
    /// The largest impulse of friction.
    pub friction: f32,
    /// Damping times the sub-step.
    pub damping: f32,
}

impl BallLaw {
    /// What friction does once the joint has turned: `None` if it holds. By `turn` with `impulse`, and by `mobility` more for each
    /// that is added.
    pub fn meet(&self, turn: Vec3, impulse: Vec3, mobility: f32) -> Option<Vec3> {
        let needed = impulse - turn / mobility;
        let size = needed.length();
        (size > self.friction).then(|| needed * (self.friction / size))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn free() -> Law {
        Law {
            limits: [-UNLIMITED, UNLIMITED],
            ..Law::default()
        }
    }

    #[test]
    fn friction_holds_up_to_its_bound_and_slips_beyond() {
        let law = Law {
            friction: 2.0,
            ..free()
        };
        // With a mobility of 0.5 it takes 1.6 and 2.4 to undo these.
        assert_eq!(law.meet(0.8, 0.0, 0.5), (Piece::Hold(0.0), -1.6));
        assert_eq!(law.meet(1.2, 0.0, 0.5), (Piece::Slide(-2.0), -2.0));
        assert_eq!(law.meet(-1.2, 0.0, 0.5), (Piece::Slide(2.0), 2.0));
        // The same, part of the way there.
        assert_eq!(law.meet(0.3, -1.0, 0.5), (Piece::Hold(0.0), -1.6));
    }

    #[test]
    fn a_motor_reaches_its_speed_against_friction_or_stalls() {
        let law = Law {
            friction: 1.0,
            motor: [0.25, 3.0],
            ..free()
        };
        assert_eq!(law.meet(0.0, 0.0, 0.5), (Piece::Hold(0.25), 0.5));
        // A load of 2.5 leaves what friction and motor share: neither moves.
        assert_eq!(law.meet(-1.25, 0.0, 0.5), (Piece::Hold(0.0), 2.5));
        assert_eq!(law.meet(-2.5, 0.0, 0.5), (Piece::Slide(4.0), 4.0));
    }

    #[test]
    fn limits_bear_any_load_and_nothing_is_pulled_back_to_them() {
        let law = Law {
            limits: [-0.1, 0.2],
            ..free()
        };
        assert_eq!(law.meet(5.0, 0.0, 2.0), (Piece::Hold(0.2), -2.4));
        assert_eq!(law.meet(-1.1, 0.0, 2.0), (Piece::Hold(-0.1), 0.5));
        assert_eq!(
            law.meet(0.1875, -1.0, 0.0625),
            (Piece::Hold(0.2), (0.2 - 0.25) / 0.0625)
        );
        assert_eq!(law.meet(0.1, 0.0, 2.0), (Piece::Slide(0.0), 0.0));
    }

    /// Sub-steps of a mass on a spring.
    fn swing(stiffness: f32, damping: f32, h: f32, steps: usize) -> Vec<f32> {
        let (mut place, mut before, mobility) = (1.0_f32, 0.0, 2.0);
        (0..steps)
            .map(|_| {
                let law = Law {
                    spring: stiffness * h * h,
                    damping: damping * h,
                    offset: place,
                    before,
                    ..free()
                };
                let (_, impulse) = law.meet(before, 0.0, mobility);
                before += mobility * impulse;
                place += before;
                place
            })
            .collect()
    }

    #[test]
    fn springs_keep_their_energy_and_never_gain_any_at_any_stiffness() {
        // ω h of 0.14: the last of 20 periods is as wide as the first.
        let swung = swing(98.696, 0.0, 0.01, 20 * 45);
        let widest = swung[800..].iter().fold(0.0_f32, |most, place| most.max(place.abs()));
        assert!((0.99..1.01).contains(&widest), "{widest}");
        for stiffness in [1e3, 1e4, 1e5, 1e7, 1e9] {
            let most = swing(stiffness, 0.0, 0.01, 1000)
                .iter()
                .fold(0.0_f32, |most, place| most.max(place.abs()));
            assert!(most <= 1.2, "{stiffness}: {most}");
        }
    }

    #[test]
    fn dampers_stop_what_moves_without_turning_it_round() {
        for damping in [0.1, 10.0, 1e3, 1e6] {
            let law = |before| Law {
                damping: damping * 0.01,
                before,
                ..free()
            };
            let (_, impulse) = law(1.0).meet(1.0, 0.0, 2.0);
            let after = 1.0 + 2.0 * impulse;
            let exact = (-2.0 * damping * 0.01).exp();
            assert!(after >= 0.0 && after <= exact + 0.2, "{damping}: {after} {exact}");
        }
    }

    #[test]
    fn friction_of_a_ball_points_against_the_turn() {
        let law = BallLaw {
            friction: 1.0,
            damping: 0.0,
        };
        assert_eq!(law.meet(Vec3::new(0.1, 0.2, 0.0), Vec3::ZERO, 0.5), None);
        let slips = law.meet(Vec3::new(3.0, 0.0, 4.0), Vec3::ZERO, 0.5);
        assert_eq!(slips, Some(Vec3::new(-0.6, 0.0, -0.8)));
    }
}
