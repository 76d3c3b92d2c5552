//! Wheels and other bodies of revolution: the inscribed balls of their particles lie on circles about the axis, as many as there are particles, and a
//! wheel that touches with these alone rolls on as many corners.
//!
//! So the ball of a particle that has a contact is taken along its circle to where the circle is nearest to the plane, if that is not far; and when the body spins about its axis, the circle comes no closer.

use glam::{Quat, Vec3};
use serde::{Deserialize, Serialize};

use super::inscribed::InscribedBall;

/// How far along its circle a ball is taken, in radii of its particle: more than halfway to the next one. Those further away stay where they are, and
/// the body has sunk in before they touch.
pub const ALONG: f32 = 1.5;

/// Sine of the angle between axis and normal below which balls are taken less far: what lies on its flat side touches all around.
pub const UPRIGHT: f32 = 0.1;

/// Circles that are smaller than this, in radii of the particle, are points of the axis.
pub const SMALLEST: f32 = 1e-3;

/// Sine of that angle below which nothing is nearest.
pub const LEAST_SINE: f32 = 1e-6;

/// What a body of revolution revolves about, in its frame.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Revolution {
    /// A point of the axis, metres.
    pub point: Vec3,
    /// The axis, a unit vector.
    pub axis: Vec3,
}

impl Revolution {
    /// Where a particle is that has this place in the body's frame, in a body that is turned so.
    #[inline]
    pub fn place(&self, rest: Vec3, rotation: Quat) -> Place {
        Place {
            arm: rotation * (rest - self.point),
            axis: rotation * self.axis,
        }
    }
}

/// A particle of a body of revolution.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Place {
    /// The way to it from a point of the axis, metres.
    pub arm: Vec3,
    /// The axis, a unit vector.
    pub axis: Vec3,
}

/// The ball of a particle, taken to where it is nearest to a plane.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Faced {
    /// The ball.
    pub ball: InscribedBall,
    /// Whether it was near enough: it then stays there while the body spins.
    pub rolls: bool,
}

impl Place {
    /// Takes the ball of the particle, of that radius, to where its circle is nearest to a plane with that normal.
    pub fn face(&self, ball: InscribedBall, normal: Vec3, radius: f32) -> Faced {
        let center = self.arm + ball.truncate();
        let out = center - center.dot(self.axis) * self.axis;
        let down = normal.dot(self.axis) * self.axis - normal;
        let (circle, sine) = (out.length(), down.length());
        // A ball about the particle itself is a face, which is the same everywhere.
        let is_face = ball.truncate() == Vec3::ZERO;
        if is_face || circle <= SMALLEST * radius || sine <= LEAST_SINE {
            return Faced { ball, rolls: false };
        }
        let beside = self.axis.cross(out);
        let turned = down.dot(beside) / (sine * circle);
        let most = ALONG * radius * (sine / UPRIGHT).min(1.0);
        if down.dot(out) <= 0.0 || turned.abs() * circle > most {
            return Faced { ball, rolls: false };
        }
        let moved = out * ((1.0 - turned * turned).max(0.0).sqrt() - 1.0) + turned * beside;
        Faced {
            ball: ball + moved.extend(0.0),
            rolls: true,
        }
    }

    /// How much closer to a plane with that normal the middle of a ball that rolls comes than its particle does, when the body turns
    /// by `turn`, axis times angle, to where both are given.
    pub fn closer(&self, center: Vec3, normal: Vec3, turn: Vec3) -> f32 {
        let tilt = turn - turn.dot(self.axis) * self.axis;
        let by = |turn: Vec3, arm: Vec3| (arm - Quat::from_scaled_axis(-turn) * arm).dot(normal);
        by(tilt, self.arm + center) - by(turn, self.arm)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec4;

    const RADIUS: f32 = 0.05;

    /// A particle near the rim of a wheel of 0.4 m about z, by its angle from the lowest point, and its ball, of 0.1 m.
    fn on_rim(angle: f32) -> (Place, InscribedBall) {
        let out = Vec3::new(angle.sin(), -angle.cos(), 0.0);
        let place = Place {
            arm: 0.35 * out + 0.02 * Vec3::Z,
            axis: Vec3::Z,
        };
        (place, (-0.05 * out).extend(0.1))
    }

    #[test]
    fn all_around_a_wheel_its_lowest_point_touches() {
        for angle in [-0.18, -0.05, 0.0, 0.1, 0.2] {
            let (place, ball) = on_rim(angle);
            let faced = place.face(ball, Vec3::Y, RADIUS);
            let lowest = place.arm + faced.ball.truncate() - faced.ball.w * Vec3::Y;
            assert!(
                faced.rolls && (lowest - Vec3::new(0.0, -0.4, 0.02)).length() < 1e-6,
                "{lowest}"
            );
        }
    }

    #[test]
    fn no_ball_leaves_its_particle_far_behind() {
        for angle in [0.26, 0.5, 2.0, -3.0] {
            let (place, ball) = on_rim(angle);
            assert_eq!(place.face(ball, Vec3::Y, RADIUS), Faced { ball, rolls: false });
        }
    }

    #[test]
    fn what_lies_on_its_side_touches_all_around() {
        let (place, ball) = on_rim(0.3);
        assert_eq!(place.face(ball, Vec3::Z, RADIUS).ball, ball);
        let leaning = Vec3::new(0.0, 0.01, 1.0).normalize();
        let moved = place.face(ball, leaning, RADIUS).ball - ball;
        assert!(moved.length() < 0.11 * ALONG * RADIUS, "{moved}");
    }

    #[test]
    fn a_wheel_that_spins_comes_no_closer_and_one_that_tips_does() {
        let (place, ball) = on_rim(0.1);
        let center = place.face(ball, Vec3::Y, RADIUS).ball.truncate();
        let spun = |turn: Vec3| {
            let back = Quat::from_scaled_axis(-turn);
            place.closer(center, Vec3::Y, turn) + (place.arm - back * place.arm).y
        };
        assert!(spun(Vec3::Z * 0.2).abs() < 1e-7);
        // About x, the lowest point beside the middle goes down by how far it is beside it.
        assert!((spun(Vec3::X * 0.01) + 0.02 * 0.01).abs() < 2e-5);
    }

    #[test]
    fn balls_on_the_axis_stay_where_they_are() {
        let place = Place {
            arm: Vec3::new(0.1, -0.3, 0.0),
            axis: Vec3::Z,
        };
        let ball = Vec4::new(-0.1, 0.3, 0.05, 0.4);
        assert_eq!(place.face(ball, Vec3::Y, RADIUS).ball, ball);
    }
}
