//! Points of two bodies held together: the impulse that closes the gap between them, whatever mass and inertia resist
//! (Müller et al. 2020, eq. 2–9, for a whole point instead of one direction).
//!
//! Impulses act where the points were at the start of the sub-step and hold them together at its end, as in SHAKE (Ryckaert et
//! al. 1977): the step is then symplectic, and what swings on a joint keeps its energy. Acting where the points get to is
//! implicit Euler, which takes a tenth of the amplitude in each period of a second and a half at 1/120 s. But it is stable for
//! whatever swings faster than the step can follow, such as light links under a heavy load: there levers move to the end.

use glam::{Mat3, Quat, Vec3};

use super::axis::{BallLaw, Law};
use super::rigid::{turned, turned_by};
use super::spatial::Spatial;

/// Times that all attachments are gone through in each iteration, there and back again in turn, so that news travels along a
/// chain both ways and it holds a heavy ball.
pub const SWEEPS: u32 = 6;

/// Times that trees are joined again at the start of a sub-step, after some of their bodies were moved out of overlaps. A solve is
/// linear, and the levers of a tree that is stiff from end to end are long: what one leaves of the gaps would become speed.
pub const JOININGS: u32 = 4;

/// What is added to the mobility of two sides, compared with it, so that what cannot move at all has an inverse too.
pub const SURE: f32 = 1e-6;

/// The square of frequency times sub-step up to which impulses act at the start of a sub-step; levers move on to its end over
/// the next 1. Leapfrog is stable up to 4, with the tension that there is and not that of the sub-step before.
pub const SLOW_SWING: f32 = 0.5;

/// The turn in a sub-step, radians, up to which impulses act at its start; levers move on to its end over as much again. From
/// 1 on no impulse at the start can hold a point that is carried round.
pub const SLOW_TURN: f32 = 0.4;

/// Orders parts of a body that is not rigid by the squared distance of their middles from a point: the lowest holds it. Only the
/// first three digits count, so that rounding does not choose among parts that are equally near.
pub fn nearness(distance_squared: f32) -> u32 {
    distance_squared.to_bits() >> 12
}

/// One side of an attachment: a rigid body, or something that does not yield.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Side {
    /// Centre of mass, metres.
    pub center: Vec3,
    /// How far impulses have moved the centre, metres: exact, where the place of it is rounded.
    pub moved: Vec3,
    /// Rotation from the rest pose at the start of the sub-step.
    pub from: Quat,
    /// Where in the sub-step impulses find their lever, from 0 at its start to 1 at its end.
    pub lever: f32,
    /// Rotation from the rest pose.
    pub rotation: Quat,
    /// Angular momentum times the length of the sub-step, kg·m²: what leads from one rotation to the other.
    pub angular_impulse: Vec3,
    /// The point, from the centre of mass in the body's frame, metres.
    pub arm: Vec3,
    /// Inverse mass, 1/kg; 0 does not yield.
    pub inverse_mass: f32,
    /// Inverse inertia in the body's frame.
    pub inverse_inertia: Mat3,
}

impl Side {
    /// A point of the world.
    pub fn fixed(point: Vec3) -> Self {
        Self {
            center: point,
            moved: Vec3::ZERO,
            from: Quat::IDENTITY,
            lever: 0.0,
            rotation: Quat::IDENTITY,
            angular_impulse: Vec3::ZERO,
            arm: Vec3::ZERO,
            inverse_mass: 0.0,
            inverse_inertia: Mat3::ZERO,
        }
    }

    /// What an impulse at the point meets.
    fn lever(&self) -> Lever {
        let arm = self.rotation * self.arm;
        if self.inverse_inertia == Mat3::ZERO {
            return Lever {
                start: arm,
                arm,
                inverse_inertia: Mat3::ZERO,
            };
        }
        Lever {
            start: between(self.from, self.rotation, self.lever) * self.arm,
            arm,
            inverse_inertia: turned(&self.inverse_inertia, between(self.from, self.rotation, 0.5)),
        }
    }

    /// How far an impulse at the start of the lever moves the point at its end.
    fn mobility(&self, lever: &Lever) -> Mat3 {
        let turning = cross(lever.arm).transpose() * lever.inverse_inertia * cross(lever.start);
        Mat3::from_diagonal(Vec3::splat(self.inverse_mass)) + turning
    }

    /// Moves the body by an impulse at the point, kg·m.
    fn push(&mut self, lever: &Lever, impulse: Vec3) {
        let moved = self.inverse_mass * impulse;
        self.center += moved;
        self.moved += moved;
        if lever.inverse_inertia != Mat3::ZERO {
            self.angular_impulse += lever.start.cross(impulse);
            self.rotation = turned_by(self.from, &self.inverse_inertia, self.angular_impulse);
        }
    }
}

impl Side {
    /// How far an impulse along or about a unit direction moves the point or turns the body that way.
    fn mobility_along(&self, direction: Spatial) -> f32 {
        let lever = self.lever();
        let Spatial { linear, angular } = direction;
        linear.dot(self.mobility(&lever) * linear) + angular.dot(lever.inverse_inertia * angular)
    }

    /// Moves the body by an impulse at the point and about it.
    fn act(&mut self, impulse: Spatial) {
        let lever = self.lever();
        if lever.inverse_inertia != Mat3::ZERO {
            self.angular_impulse += impulse.angular;
        }
        self.push(&lever, impulse.linear);
    }
}

/// The matrix of `arm × v`.
pub fn cross(arm: Vec3) -> Mat3 {
    Mat3::from_cols(arm.cross(Vec3::X), arm.cross(Vec3::Y), arm.cross(Vec3::Z))
}

/// A part of the way from one rotation to another near it.
pub fn between(from: Quat, to: Quat, part: f32) -> Quat {
    let to = if from.dot(to) < 0.0 { -to } else { to };
    (from * (1.0 - part) + to * part).normalize()
}

/// How much stiffer against turning an impulse at the end of an arm makes a body, kg·m²: what it pulls at, it straightens.
pub fn geometric_stiffness(arm: Vec3, impulse: Vec3) -> Mat3 {
    let [x, y, z] = (0.5 * arm).to_array();
    let [u, v, w] = (0.5 * impulse).to_array();
    let outer = Mat3::from_cols(arm * u, arm * v, arm * w) + Mat3::from_cols(impulse * x, impulse * y, impulse * z);
    Mat3::from_diagonal(Vec3::splat(arm.dot(impulse))) - outer
}

/// Whether an arm leads away from the line of a body that is a row of particles. Nothing turns such a body about its line, so
/// impulses there cannot rely on their lever.
pub fn is_beside(arm: Vec3, inertia: &Mat3, inverse_inertia: &Mat3) -> bool {
    let across = *inertia * *inverse_inertia;
    let rank = across.x_axis.x + across.y_axis.y + across.z_axis.z;
    rank < 2.5 && (across * arm).length() > 0.05 * arm.length()
}

/// Where in the sub-step impulses find their lever on a body with that inverse inertia, stiffness by its attachments in the
/// sub-step before, and chord of the turn about to be made.
pub fn lever(inverse_inertia: &Mat3, stiffness: &Mat3, turn: f32) -> f32 {
    let ratio = *inverse_inertia * *stiffness;
    let across = ratio.transpose();
    let square = ratio.x_axis.dot(across.x_axis) + ratio.y_axis.dot(across.y_axis) + ratio.z_axis.dot(across.z_axis);
    let swing = square.max(0.0).sqrt() - SLOW_SWING;
    swing.max(turn / SLOW_TURN - 1.0).clamp(0.0, 1.0)
}

/// The arm and the inverse inertia of a side, along the axes of the world.
struct Lever {
    /// The arm at the start of the sub-step, where impulses act.
    start: Vec3,
    /// The arm at its end, where the points are to meet.
    arm: Vec3,
    inverse_inertia: Mat3,
}

/// Brings the points of both sides together; returns the impulse on the first, kg·m.
pub fn solve(first: &mut Side, second: &mut Side) -> Vec3 {
    let (a, b) = (first.lever(), second.lever());
    let mobility = first.mobility(&a) + second.mobility(&b);
    let size = mobility.x_axis.x + mobility.y_axis.y + mobility.z_axis.z;
    if size <= 0.0 {
        return Vec3::ZERO;
    }
    // A little more than there is, so that what cannot move at all has an inverse too.
    let mobility = mobility + Mat3::from_diagonal(Vec3::splat(SURE * size));
    let impulse = mobility.inverse() * ((second.center + b.arm) - (first.center + a.arm));
    first.push(&a, impulse);
    second.push(&b, -impulse);
    impulse
}

/// Brings the point of the first side to the line through that of the second along a unit direction; returns the impulse on the
/// first, kg·m. Both sides meet it where the first has its point.
pub fn slide(first: &mut Side, second: &mut Side, direction: Vec3) -> Vec3 {
    let place = first.center + first.rotation * first.arm;
    let gap = (second.center + second.rotation * second.arm) - place;
    second.arm = second.rotation.conjugate() * (place - second.center);
    let (a, b) = (first.lever(), second.lever());
    let across = Mat3::IDENTITY
        - Mat3::from_cols(
            direction * direction.x,
            direction * direction.y,
            direction * direction.z,
        );
    let mobility = first.mobility(&a) + second.mobility(&b);
    let size = mobility.x_axis.x + mobility.y_axis.y + mobility.z_axis.z;
    if size <= 0.0 {
        return Vec3::ZERO;
    }
    let held = across * mobility * across + Mat3::from_diagonal(Vec3::splat((1.0 + SURE) * size)) - across * size;
    let impulse = across * (held.inverse() * (across * gap));
    first.push(&a, impulse);
    second.push(&b, -impulse);
    impulse
}

/// What acts on the axis of a joint, its sides moved by it: the direction in which the first moves, the law, how far it has moved
/// and with which impulse. Returns what is added to that impulse, kg·m or kg·m².
pub fn act(first: &mut Side, second: &mut Side, direction: Spatial, law: &Law, so_far: [f32; 2]) -> f32 {
    let mobility = first.mobility_along(direction) + second.mobility_along(direction);
    if mobility <= 0.0 {
        return 0.0;
    }
    let [displacement, impulse] = so_far;
    let more = law.meet(displacement, impulse, mobility).1 - impulse;
    first.act(direction.scaled(more));
    second.act(direction.scaled(-more));
    more
}

/// Friction and damping of a ball joint, likewise: how far it has turned and with which impulse. Returns what is added to that,
/// kg·m².
pub fn rub(first: &mut Side, second: &mut Side, law: &BallLaw, [turn, impulse]: [Vec3; 2]) -> Vec3 {
    let both = first.lever().inverse_inertia + second.lever().inverse_inertia;
    let mobility = (both.x_axis.x + both.y_axis.y + both.z_axis.z) / 3.0;
    if mobility <= 0.0 {
        return Vec3::ZERO;
    }
    let more = match law.meet(turn, impulse, mobility) {
        None => -turn / mobility,
        Some(friction) => (friction - impulse - law.damping * turn) / (1.0 + law.damping * mobility),
    };
    let angular = |angular: Vec3| Spatial {
        linear: Vec3::ZERO,
        angular,
    };
    first.act(angular(more));
    second.act(angular(-more));
    more
}

#[cfg(test)]
mod tests {
    use super::*;

    fn point(side: &Side) -> Vec3 {
        side.center + side.rotation * side.arm
    }

    fn ball(center: Vec3, arm: Vec3) -> Side {
        Side {
            center,
            arm,
            inverse_mass: 0.5,
            inverse_inertia: Mat3::from_diagonal(Vec3::splat(10.0)),
            ..Side::fixed(Vec3::ZERO)
        }
    }

    #[test]
    fn a_gap_along_the_arms_is_closed_at_once_and_shared_by_mass() {
        let mut first = ball(Vec3::ZERO, Vec3::X);
        let mut second = ball(Vec3::new(3.0, 0.0, 0.0), -Vec3::X);
        solve(&mut first, &mut second);
        assert!((point(&first) - point(&second)).length() < 1e-4);
        assert!((first.center.x - 0.5).abs() < 1e-4 && (second.center.x - 2.5).abs() < 1e-4);
    }

    #[test]
    fn equally_near_is_as_near_as_rounding_tells() {
        let near: f32 = 0.0123;
        assert_eq!(nearness(near), nearness(near.next_up()));
        assert!(nearness(near) < nearness(1.001 * near) && nearness(0.0) < nearness(1e-12));
    }

    #[test]
    fn repeated_it_closes_any_gap_to_something_fixed() {
        let mut body = ball(Vec3::new(0.2, -0.4, 0.1), Vec3::new(0.0, 0.3, 0.1));
        let mut nail = Side::fixed(Vec3::new(0.1, 0.1, 0.0));
        for _ in 0..6 {
            solve(&mut body, &mut nail);
        }
        assert!((point(&body) - point(&nail)).length() < 1e-5);
        assert_eq!(nail.center, Vec3::new(0.1, 0.1, 0.0));
    }
}
