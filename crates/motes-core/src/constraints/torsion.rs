//! Resistance against twisting (Müller & Chentanez 2011, §5.5).
//!
//! The paper turns both ends of an edge towards each other by slerp (eq. 22–23), as far as a number says that means something else in every
//! sub-step. Here an edge is a spring about its own direction, which leaves bending to shape matching: its torque on both ends is opposite, so
//! that angular momentum is kept, and it undoes the same share of a twist in a time whatever the sub-steps and iterations (XPBD).

use glam::{Quat, Vec3};

use super::orientation::between;

/// What is known of an edge at one moment of the solve.
#[derive(Clone, Copy, Debug)]
pub struct Twisted {
    /// How far both ends have turned from their rest pose.
    pub turned: [Quat; 2],
    /// Unit vector from the first to the second.
    pub along: Vec3,
    /// Inverse moments of inertia of both about it, as far as the edge may count on them, 1/(kg·m²); 0 of what does not turn.
    pub mobilities: [f32; 2],
}

impl Twisted {
    /// How far the second is twisted against the first, radians.
    #[inline]
    pub fn angle(&self) -> f32 {
        let [first, second] = self.turned;
        between(first, second).dot(self.along)
    }

    /// Inertia against which the ends turn, kg·m²; 0 if neither does.
    #[inline]
    fn inertia(&self) -> f32 {
        let yields = self.mobilities[0] + self.mobilities[1];
        if yields > 0.0 { 1.0 / yields } else { 0.0 }
    }

    /// The angular impulse, kg·m², that a sub-step begins with: what the twist at its start calls for.
    #[inline]
    pub fn start(&self, gain: f32) -> f32 {
        gain * self.inertia() * self.angle()
    }

    /// What the impulse changes by in an iteration of implicit Euler: positive turns the first the way in which the second is ahead.
    #[inline]
    pub fn change(&self, gain: f32, impulse: f32) -> f32 {
        (self.start(gain) - impulse) / (1.0 + gain)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn twisted(angle: f32, bend: f32) -> Twisted {
        Twisted {
            turned: [
                Quat::IDENTITY,
                Quat::from_rotation_y(bend) * Quat::from_rotation_x(angle),
            ],
            along: Vec3::X,
            mobilities: [3.0, 1.0],
        }
    }

    #[test]
    fn only_what_turns_about_the_edge_is_a_twist() {
        assert!((twisted(0.3, 0.0).angle() - 0.3).abs() < 1e-6);
        assert!((twisted(0.0, 0.3).angle()).abs() < 1e-6);
    }

    #[test]
    fn a_stiff_edge_brings_its_ends_together_at_once() {
        // Together they yield by 4 radians for each kg·m²: 0.3 of them take 0.075.
        let impulse = twisted(0.3, 0.0).change(1e9, 0.0);
        assert!((impulse - 0.075).abs() < 1e-6, "{impulse}");
        // Three quarters of that is the way of the first.
        assert!((3.0 * impulse - 0.225).abs() < 1e-6);
    }

    #[test]
    fn a_load_is_carried_at_the_same_twist_whatever_the_sub_steps() {
        // One end is held, a torque acts on the other: at rest the angle is the torque over the stiffness.
        let (rate, load) = (400.0, 2.0);
        for (substeps, iterations) in [(2, 4), (8, 1)] {
            let h = 1.0 / (60 * substeps) as f32;
            let gain = rate * h * h;
            let (mut angle, mut velocity) = (0.0f32, 0.0f32);
            let edge = |angle: f32| Twisted {
                mobilities: [0.0, 1.0],
                ..twisted(angle, 0.0)
            };
            for _ in 0..40 * 60 * substeps {
                let mut impulse = edge(angle).start(gain);
                let mut next = angle + h * velocity + load * h * h - impulse;
                for _ in 0..iterations {
                    let change = edge(next).change(gain, impulse);
                    impulse += change;
                    next -= change;
                }
                velocity = (next - angle) / h;
                angle = next;
            }
            assert!(
                (angle * rate / load - 1.0).abs() < 0.01,
                "{angle} at {substeps}×{iterations}"
            );
        }
    }

    #[test]
    fn what_cannot_turn_is_left_alone() {
        let held = Twisted {
            mobilities: [0.0; 2],
            ..twisted(0.3, 0.0)
        };
        assert_eq!(held.change(1.0, 0.0), 0.0);
    }
}
