//! Points of two bodies held together: the impulse that closes the gap between them, whatever mass and inertia resist
//! (Müller et al. 2020, eq. 2–9, for a whole point instead of one direction).

use glam::{Mat3, Quat, Vec3};

use super::rigid::turned;

/// Times that all attachments are gone through in each iteration, there and back again in turn, so that news travels along a
/// chain both ways and it holds a heavy ball.
pub const SWEEPS: u32 = 6;

/// What is added to the mobility of two sides, compared with it, so that what cannot move at all has an inverse too.
pub const SURE: f32 = 1e-6;

/// Orders particles of a body that is not rigid by their squared distance from a point: the lowest holds it. Only the first
/// three digits count, so that rounding does not choose among particles that are equally near.
pub fn nearness(distance_squared: f32) -> u32 {
    distance_squared.to_bits() >> 12
}

/// One side of an attachment: a rigid body, or something that does not yield.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Side {
    /// Centre of mass, metres.
    pub center: Vec3,
    /// Rotation from the rest pose.
    pub rotation: Quat,
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
            rotation: Quat::IDENTITY,
            arm: Vec3::ZERO,
            inverse_mass: 0.0,
            inverse_inertia: Mat3::ZERO,
        }
    }

    /// What an impulse at the point meets.
    fn lever(&self) -> Lever {
        Lever {
            arm: self.rotation * self.arm,
            inverse_inertia: if self.inverse_mass > 0.0 {
                turned(&self.inverse_inertia, self.rotation)
            } else {
                Mat3::ZERO
            },
        }
    }

    /// How far an impulse moves the point.
    fn mobility(&self, lever: &Lever) -> Mat3 {
        let arm = lever.arm;
        let cross = Mat3::from_cols(arm.cross(Vec3::X), arm.cross(Vec3::Y), arm.cross(Vec3::Z));
        let turning = cross.transpose() * lever.inverse_inertia * cross;
        Mat3::from_diagonal(Vec3::splat(self.inverse_mass)) + turning
    }

    /// Moves the body by an impulse at the point, kg·m.
    fn push(&mut self, lever: &Lever, impulse: Vec3) {
        if self.inverse_mass > 0.0 {
            let turn = lever.inverse_inertia * lever.arm.cross(impulse);
            self.center += self.inverse_mass * impulse;
            self.rotation = (Quat::from_scaled_axis(turn) * self.rotation).normalize();
        }
    }
}

/// The arm and the inverse inertia of a side, along the axes of the world.
struct Lever {
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

#[cfg(test)]
mod tests {
    use super::*;

    fn point(side: &Side) -> Vec3 {
        side.center + side.rotation * side.arm
    }

    fn ball(center: Vec3, arm: Vec3) -> Side {
        Side {
            center,
            rotation: Quat::IDENTITY,
            arm,
            inverse_mass: 0.5,
            inverse_inertia: Mat3::from_diagonal(Vec3::splat(10.0)),
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
