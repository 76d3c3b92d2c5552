//! Where rigid bodies touch colliders, and with what they touch each other ([`solids`](super::solids)): not with the balls of their particles, which make bumps of everything round or flat,
//! but with balls that lie within their true shape.
//!
//! Each particle of the surface has an *inscribed ball*, fixed in the body, which touches the surface beside the particle from
//! within: as large as the shape allows, so that all particles of a sphere have the sphere itself; of radius zero at a corner
//! or on an edge. A contact with a plane then acts where the ball touches the plane. What a contact does is
//! still noted at its particle, and its *arm* leads from there to where it acts.
//!
//! Bodies are linear in what acts on them, so a contact needs no more than an arm: its plane is shifted so that the particle's own
//! ball touches it when the inscribed one touches the true plane, and its travel so that the particle moves against it as
//! the point of contact moves against the true one.

use glam::{Quat, Vec3, Vec4};

use super::revolution::Place;

/// Where the ball of a particle is, from the particle and in its body's frame (xyz), and its radius (w), both in metres; a
/// radius below zero for none.
pub type InscribedBall = Vec4;

/// The ball of a particle that has none, and touches colliders with its own.
pub const NO_BALL: InscribedBall = Vec4::new(0.0, 0.0, 0.0, -1.0);

/// How far along the surface a contact acts from its particle at most, in radii of the particle. Where a ball touches further away,
/// other particles are nearer to what is flat, and the plane that was found at this one may not be the surface of the collider there.
pub const WIDEST: f32 = 1.75;

/// How near a particle comes to a plane at least, in its radii, whatever its ball: what has got behind a wall would be pushed out on
/// the other side, and an edge of a collider may have nobody else to touch.
pub const NEAREST: f32 = 0.2;

/// Contacts that are further away than this at both ends of a sub-step, in radii of their particle, are left out: the impulses of a
/// body are shared among all of its contacts, and those that do not touch would have the others find theirs slowly.
pub const NEAR: f32 = 0.1;

/// How much of an overlap with a collider the stabilisation undoes at a time. Where it has several iterations, those after the first
/// do not see how far the body has turned.
pub const UNDONE: f32 = 0.25;

/// How far all contacts of a body together may overshoot, compared with as far as they should go: they do not converge beyond
/// twice that.
pub const OVERSHOOT: f32 = 1.5;

/// Whether a particle has an inscribed ball.
#[inline]
pub fn is_inscribed(ball: InscribedBall) -> bool {
    ball.w >= 0.0
}

/// What a contact with a plane that has this normal sees of an inscribed ball, turned as the body is, of a particle with that
/// radius: a small one about the particle itself where the ball does not touch beside it.
#[inline]
pub fn seen(ball: InscribedBall, normal: Vec3, radius: f32) -> InscribedBall {
    let center = ball.truncate();
    let height = center.dot(normal);
    let sideways = (center - height * normal).length();
    let nearest = NEAREST * radius;
    let is_far = sideways > WIDEST * radius && ball.w > 0.0;
    match is_far || ball.w - height < nearest {
        true => Vec3::ZERO.extend(nearest),
        false => ball,
    }
}

/// The way from a particle to where what is seen of its ball touches a plane with that normal.
#[inline]
pub fn arm(seen: InscribedBall, normal: Vec3) -> Vec3 {
    seen.truncate() - seen.w * normal
}

/// A plane of a collider at the end of a sub-step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plane {
    /// A point of it, metres.
    pub point: Vec3,
    /// Its unit normal.
    pub normal: Vec3,
    /// How far it moves in the sub-step, metres.
    pub travel: Vec3,
}

impl Plane {
    /// The plane that a particle of that radius has to stay above so that what is `seen` of its ball stays above this one. The
    /// body is about to turn by `turn`, axis times angle, to where the ball is given; it may roll along a circle of it.
    #[inline]
    pub fn shifted(&self, seen: InscribedBall, radius: f32, turn: Vec3, rolls_at: Option<&Place>) -> Self {
        let back = Quat::from_scaled_axis(-turn);
        let (normal, center) = (self.normal, seen.truncate());
        let arm = arm(seen, normal);
        // What is round rolls over what it touches: the middle of the ball comes closer, a point of its surface slips.
        let slipped = arm - back * arm;
        let closer = match rolls_at {
            Some(place) => place.closer(center, normal, turn),
            None => (center - back * center).dot(normal),
        };
        let height = arm.dot(normal);
        Self {
            point: self.point + arm - (2.0 * height + radius) * normal,
            normal,
            travel: self.travel - slipped + (slipped.dot(normal) - closer) * normal,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RADIUS: f32 = 0.05;

    /// The inscribed ball of a particle at the end of `arm` from the middle of a sphere with a radius of half a metre.
    fn of_sphere(arm: Vec3) -> InscribedBall {
        (-arm).extend(0.5)
    }

    fn ground(travel: Vec3) -> Plane {
        Plane {
            point: Vec3::new(0.0, 0.1, 0.0),
            normal: Vec3::Y,
            travel,
        }
    }

    #[test]
    fn all_particles_of_a_sphere_touch_at_the_same_point() {
        for x in [-0.06, 0.0, 0.07] {
            let place = Vec3::new(x, -0.44, 0.01);
            let ball = seen(of_sphere(place), Vec3::Y, RADIUS);
            assert!((place + arm(ball, Vec3::Y) - Vec3::new(0.0, -0.5, 0.0)).length() < 1e-6);
        }
    }

    #[test]
    fn no_contact_acts_far_from_its_particle() {
        let at = |x: f32| {
            let place = Vec3::new(x, -f32::sqrt(0.45 * 0.45 - x * x), 0.0);
            seen(of_sphere(place), Vec3::Y, RADIUS)
        };
        assert_eq!(at(0.08).w, 0.5);
        assert_eq!(at(0.09), Vec3::ZERO.extend(NEAREST * RADIUS));
    }

    #[test]
    fn no_particle_comes_very_near_to_a_plane() {
        let behind = Vec4::new(RADIUS, RADIUS, 0.0, 0.0);
        assert_eq!(
            seen(behind, Vec3::Y, RADIUS),
            Vec4::new(0.0, 0.0, 0.0, NEAREST * RADIUS)
        );
        assert_eq!(seen(behind, Vec3::NEG_Y, RADIUS), behind);
    }

    #[test]
    fn the_shifted_plane_is_as_far_from_the_particle_as_the_true_one_from_the_ball() {
        let (place, corner) = (Vec3::new(0.3, 0.2, 0.0), Vec4::new(0.05, -0.06, 0.05, 0.0));
        let plane = ground(Vec3::ZERO).shifted(corner, RADIUS, Vec3::ZERO, None);
        let gap = (place - plane.point).dot(Vec3::Y) - RADIUS;
        assert!((gap - (0.2 - 0.06 - 0.1)).abs() < 1e-6, "{gap}");
        assert_eq!(plane.travel, Vec3::ZERO);
    }

    #[test]
    fn what_rolls_neither_slips_nor_comes_closer() {
        let turn = Vec3::new(0.0, 0.0, -0.1);
        let rolled = Vec3::X * 0.05;
        let end = Vec3::new(0.05, -0.44, 0.0);
        let start = Quat::from_scaled_axis(-turn) * end;
        let plane = ground(Vec3::ZERO).shifted(of_sphere(end), RADIUS, turn, None);
        let moved = rolled + end - start - plane.travel;
        assert!(moved.length() < 1e-4, "{moved}");
    }
}
