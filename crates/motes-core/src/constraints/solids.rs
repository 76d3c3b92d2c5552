//! Where particles of two rigid bodies touch: by the inscribed balls of both ([`inscribed`](super::inscribed)), not by the balls of
//! the particles, which make bumps of everything round or flat.
//!
//! Given a normal, the gap between two balls is that of their supports along it, and a contact acts where each is nearest to the other. So a
//! pair only has to choose its normal. A particle is of one of three kinds. *Round*: its ball has a middle of its own, and the surface around it curves as the ball
//! does. *Flat*: its ball is about the particle itself, and the surface is a plane with the normal that the particle knows. A *corner* or an edge: a ball of radius zero.
//! What is flat gives the normal to whatever lies on it; two that are round, or a round one on a corner, have the line between the middles of their balls.

use glam::{Vec3, Vec4};

use super::inscribed::{InscribedBall, NEAREST, WIDEST};
use super::surface::{EITHER_SIDE, SurfaceField};

/// How far apart, in distances at which they touch as balls, particles of two bodies with inscribed balls are neighbours: where surfaces touch, those beside the point of
/// contact may be as far as that from each other.
pub const REACH: f32 = 1.25;

/// How far along the surface two balls touch each other at most, in mean radii: further away, other particles are nearer.
pub const SIDEWAYS: f32 = 1.6;

/// Pairs that are further apart than this at the end of a sub-step, in mean radii, are left out: the impulses of a body are shared among all of
/// its contacts, and those that do not touch would have the others find theirs slowly.
pub const NEAR: f32 = 0.2;

/// Cosine between two faces above which they lie on each other.
pub const FACING: f32 = 0.5;

/// Normal of a contact, towards the first particle, and the gap between their surfaces, metres; `offset` leads from the second to the first and
/// is not zero. Fields and balls are turned as the bodies are.
#[inline(always)]
pub fn touch(offset: Vec3, fields: [SurfaceField; 2], balls: [InscribedBall; 2], radii: [f32; 2]) -> (Vec3, f32) {
    let [a, b] = balls;
    let out_first = facing(-fields[0].truncate(), fields[0].w, offset);
    let out_second = facing(fields[1].truncate(), fields[1].w, offset);
    let flat_first = a.truncate().length_squared() == 0.0;
    let flat_second = b.truncate().length_squared() == 0.0;
    let both_corners = (a.w == 0.0) & (b.w == 0.0);
    let both_faces = (flat_first & flat_second) | both_corners;
    let lie_on_each_other = out_first.dot(out_second) > FACING;
    let middles = offset + a.truncate() - b.truncate();
    let faces = choose(lie_on_each_other, out_first + out_second, offset);
    let one = choose(flat_first, out_first, choose(flat_second, out_second, middles));
    let way = choose(both_faces, faces, one);
    let normal = way * (1.0 / (way.length() + f32::MIN_POSITIVE));
    let first = seen(a, normal, radii[0]);
    let second = seen(b, -normal, radii[1]);
    let between = offset + first.truncate() - second.truncate();
    let along = between.dot(normal);
    let aside = (between - along * normal).length_squared();
    let wide = SIDEWAYS * 0.5 * (radii[0] + radii[1]);
    let is_beside = aside <= wide * wide;
    let distance = offset.length();
    let gap = along - first.w - second.w;
    (
        choose(is_beside, normal, offset * (1.0 / distance)),
        if is_beside {
            gap
        } else {
            distance - NEAREST * (radii[0] + radii[1])
        },
    )
}

/// [`inscribed::seen`](super::inscribed::seen) without branches.
#[inline(always)]
pub fn seen(ball: InscribedBall, normal: Vec3, radius: f32) -> InscribedBall {
    let center = ball.truncate();
    let height = center.dot(normal);
    let sideways = (center - height * normal).length_squared();
    let (nearest, widest) = (NEAREST * radius, WIDEST * radius);
    let is_far = (sideways > widest * widest) & (ball.w > 0.0);
    let is_small = is_far | (ball.w - height < nearest);
    choose(is_small, Vec3::ZERO, center).extend(if is_small { nearest } else { ball.w })
}

/// The way out of a surface that leads along `offset`, where either side is out.
#[inline(always)]
fn facing(out: Vec3, layer: f32, offset: Vec3) -> Vec3 {
    let is_behind = (layer <= EITHER_SIDE) & (out.dot(offset) < 0.0);
    out * if is_behind { -1.0 } else { 1.0 }
}

#[inline(always)]
fn choose(first: bool, a: Vec3, b: Vec3) -> Vec3 {
    let either = |a: f32, b: f32| if first { a } else { b };
    Vec3::new(either(a.x, b.x), either(a.y, b.y), either(a.z, b.z))
}

/// Whether two particles come near enough to each other for their bodies to deal with it.
#[inline(always)]
pub fn come_near(offset: Vec3, fields: [SurfaceField; 2], balls: [InscribedBall; 2], radii: [f32; 2]) -> bool {
    touch(offset, fields, balls, radii).1 <= NEAR * 0.5 * (radii[0] + radii[1])
}

/// Whether two particles touch with inscribed balls.
#[inline(always)]
pub fn are_solid(balls: [Vec4; 2]) -> bool {
    (balls[0].w >= 0.0) & (balls[1].w >= 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    const R: f32 = 0.05;
    const UP: SurfaceField = Vec4::new(0.0, 1.0, 0.0, -R);
    const DOWN: SurfaceField = Vec4::new(0.0, -1.0, 0.0, -R);
    const FACE: InscribedBall = Vec4::new(0.0, 0.0, 0.0, R);

    fn at(place: Vec3, center: Vec3, radius: f32) -> (SurfaceField, InscribedBall) {
        let out = (place - center).normalize();
        (out.extend(-R), (center - place).extend(radius))
    }

    #[test]
    fn particles_of_two_spheres_touch_as_the_spheres_do() {
        let centers = [Vec3::new(0.0, 0.41, 0.0), Vec3::ZERO];
        for (x, z) in [(0.0, 0.0), (0.05, 0.02), (-0.04, 0.06)] {
            let lower = Vec3::new(x, 0.14, z);
            let upper = Vec3::new(-z, 0.41 - 0.14, x);
            let (a, b) = (at(upper, centers[0], 0.2), at(lower, centers[1], 0.2));
            let (normal, gap) = touch(upper - lower, [a.0, b.0], [a.1, b.1], [R; 2]);
            assert!(
                (normal - Vec3::Y).length() < 1e-5 && (gap - 0.01).abs() < 1e-6,
                "{normal} {gap}"
            );
        }
    }

    #[test]
    fn what_lies_on_a_face_touches_its_plane() {
        let offset = Vec3::new(0.06, 0.1, 0.0);
        let (normal, gap) = touch(offset, [DOWN, UP], [FACE; 2], [R; 2]);
        assert!((normal - Vec3::Y).length() < 1e-6 && gap.abs() < 1e-6);
        let sphere = at(Vec3::ZERO, Vec3::new(-0.03, 0.34, 0.0), 0.4);
        let (normal, gap) = touch(offset, [sphere.0, UP], [sphere.1, FACE], [R; 2]);
        assert!((normal - Vec3::Y).length() < 1e-6 && (gap - (0.1 + 0.34 - 0.4 - R)).abs() < 1e-6);
        let corner = Vec4::new(-R, -R, 0.0, 0.0);
        let (normal, gap) = touch(offset, [DOWN, UP], [corner, FACE], [R; 2]);
        assert!((normal - Vec3::Y).length() < 1e-6 && gap.abs() < 1e-6);
    }

    #[test]
    fn corners_on_corners_take_the_faces_that_lie_on_each_other() {
        let corners = [Vec4::new(-R, -R, 0.0, 0.0), Vec4::new(-R, R, 0.0, 0.0)];
        let (normal, gap) = touch(Vec3::new(0.02, 0.11, 0.0), [DOWN, UP], corners, [R; 2]);
        assert!((normal - Vec3::Y).length() < 1e-6 && (gap - 0.01).abs() < 1e-6);
    }

    #[test]
    fn either_side_sees_the_same_contact() {
        let sphere = at(Vec3::ZERO, Vec3::new(0.03, 0.34, 0.1), 0.4);
        let corner = (Vec4::new(0.6, 0.0, 0.8, -R), Vec4::new(-R, R, 0.01, 0.0));
        let things = [sphere, corner, (UP, FACE)];
        let offset = Vec3::new(0.02, 0.08, 0.03);
        for a in things {
            for b in things {
                let there = touch(offset, [a.0, b.0], [a.1, b.1], [R; 2]);
                let back = touch(-offset, [b.0, a.0], [b.1, a.1], [R; 2]);
                assert!((there.0 + back.0).length() < 1e-6 && (there.1 - back.1).abs() < 1e-7);
            }
        }
    }

    #[test]
    fn what_touches_elsewhere_only_keeps_its_distance() {
        let offset = Vec3::new(0.12, 0.05, 0.0);
        let (normal, gap) = touch(offset, [DOWN, UP], [FACE; 2], [R; 2]);
        assert!((normal - offset.normalize()).length() < 1e-6);
        assert!((gap - (0.13 - 0.4 * R)).abs() < 1e-6);
    }
}
