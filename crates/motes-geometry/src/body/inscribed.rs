//! Balls within the shape that touch its surface from inside beside each particle: with these a rigid body rolls and rests
//! on colliders ([`motes_core::constraints::inscribed`]).

use glam::{Mat3, Vec3, Vec4};
use motes_core::constraints::inscribed::{InscribedBall, NO_BALL};
use rayon::prelude::*;

use crate::distance::MeshDistance;
use crate::tree::Recent;

/// How far a ball may stay below the surface point that it is for, in radii of the particles or, if that is more, of the ball:
/// meshes of what is round have edges, which no large ball could touch beside.
const TOLERANCE: f32 = 0.1;
const TOLERANCE_OF_BALL: f32 = 0.012;
/// Every how many particles one looks for a ball of its own, before the others look whether that does for them too.
const FIRST: usize = 16;
/// Corners that are further from their particle are brought nearer, in radii: contacts are looked for up to two from it.
const FARTHEST: f32 = 1.9;
/// How far from a corner it is seen whether it is one, in radii.
const BESIDE: f32 = 0.2;
/// Balls are not smaller than this, in radii: particles of what is very thin would get behind walls.
pub(super) const SMALLEST: f32 = 0.5;
/// How far from a particle it is seen whether the surface is flat, in radii of the particle and of its ball, and how much less than the ball it then
/// curves.
const FLAT_WITHIN: f32 = 2.5;
const FLAT_WITHIN_BALL: f32 = 0.8;
const FLATTER: f32 = 0.4;
/// How well the largest ball is looked for, in radii.
const PRECISION: f32 = 0.03;

/// A particle of the outermost layer.
#[derive(Clone, Copy, Debug)]
pub(super) struct Outer {
    pub(super) position: Vec3,
    /// Distance to the surface, metres, and the unit vector that leads there.
    pub(super) depth: f32,
    pub(super) out: Vec3,
    /// Normals of up to two more faces of an edge or a corner, and how far away they are (w); zero for none.
    pub(super) faces: [Vec4; 2],
}

/// A ball within the shape.
#[derive(Clone, Copy, Debug)]
struct Ball {
    center: Vec3,
    radius: f32,
}

/// The ball of each particle, of that radius; none for those that are not of the outermost layer.
pub(super) fn balls(particles: &[Option<Outer>], distance: &MeshDistance, radius: f32) -> Vec<InscribedBall> {
    let fit = Fit { distance, radius };
    let mut found: Vec<Ball> = Vec::new();
    for particle in particles.iter().flatten().step_by(FIRST) {
        if fit.corner(particle).is_none() && fit.shared(particle, &found).is_none() {
            found.push(fit.largest(particle));
        }
    }
    particles
        .par_iter()
        .map(|particle| {
            let Some(particle) = particle else { return NO_BALL };
            if let Some(corner) = fit.corner(particle) {
                return corner.extend(0.0);
            }
            let shared = fit.shared(particle, &found);
            let ball = shared.unwrap_or_else(|| fit.largest(particle));
            match ball.radius < SMALLEST * radius || fit.is_flat(particle, &ball) {
                true => Vec3::ZERO.extend(particle.depth.max(SMALLEST * radius)),
                false => (ball.center - particle.position).extend(ball.radius),
            }
        })
        .collect()
}

impl Outer {
    pub(super) fn surface(&self) -> Vec3 {
        self.position + self.depth * self.out
    }
}

struct Fit<'a> {
    distance: &'a MeshDistance,
    radius: f32,
}

impl Fit<'_> {
    /// The way to where the faces at an edge or a corner meet, if they do so on the surface nearby.
    fn corner(&self, particle: &Outer) -> Option<Vec3> {
        let [second, third] = particle.faces;
        if second == Vec4::ZERO {
            return None;
        }
        let first = particle.out.extend(particle.depth);
        let way = if third == Vec4::ZERO {
            None
        } else {
            meet_three(first, second, third)
        }
        .filter(|&way| self.protrudes(particle.position + way, &[first, second, third]));
        let way = way.or_else(|| {
            Some(meet_two(first, second)).filter(|&way| self.protrudes(particle.position + way, &[first, second]))
        })?;
        (way.length() < 4.0 * self.radius).then(|| way.clamp_length_max(FARTHEST * self.radius))
    }

    /// Whether some faces meet at a point of the surface, and beyond any of them is the outside: they would else be those of a
    /// notch.
    fn protrudes(&self, corner: Vec3, faces: &[Vec4]) -> bool {
        let all: Vec3 = faces.iter().map(|face| face.truncate()).sum();
        self.distance.unsigned(corner, self.radius) < TOLERANCE * self.radius
            && faces.iter().all(|face| {
                let beyond = 2.0 * face.truncate() - all;
                !self.distance.is_inside(corner + BESIDE * self.radius * beyond)
            })
    }

    /// Whether the surface beside a particle does not curve away from its plane in any direction, as the ball below it does.
    fn is_flat(&self, particle: &Outer, ball: &Ball) -> bool {
        let surface = particle.surface();
        let away = (FLAT_WITHIN * self.radius).min(FLAT_WITHIN_BALL * ball.radius);
        let curved = (ball.radius * ball.radius + away * away).sqrt() - ball.radius;
        let (one, other) = particle.out.any_orthonormal_pair();
        let diagonals = [one + other, one - other].map(|way| way * std::f32::consts::FRAC_1_SQRT_2);
        [one, other, diagonals[0], diagonals[1]].into_iter().all(|way| {
            let above = |side: f32| self.distance.signed_distance(surface + side * away * way);
            0.5 * (above(1.0) + above(-1.0)) < FLATTER * curved
        })
    }

    /// Whether a ball of that radius whose middle is so far from a point of the surface touches the surface there.
    fn touches(&self, away: f32, radius: f32) -> bool {
        away - radius <= self.tolerance(radius)
    }

    /// How far off a surface a ball of some radius may be and still touch it, metres.
    fn tolerance(&self, radius: f32) -> f32 {
        (TOLERANCE * self.radius).max(TOLERANCE_OF_BALL * radius)
    }

    /// The largest of some balls that touches the surface where a particle is nearest to it, if any does and is not smaller than the
    /// one around the particle.
    fn shared(&self, particle: &Outer, balls: &[Ball]) -> Option<Ball> {
        let surface = particle.surface();
        let touching = balls
            .iter()
            .filter(|ball| ball.radius >= particle.depth && self.touches(ball.center.distance(surface), ball.radius));
        touching.max_by(|a, b| a.radius.total_cmp(&b.radius)).copied()
    }

    /// The largest ball that touches the surface where a particle is nearest to it: first straight in from there, then in any
    /// direction that has it grow.
    fn largest(&self, particle: &Outer) -> Ball {
        let surface = particle.surface();
        let mut best = Ball {
            center: particle.position,
            radius: particle.depth,
        };
        // What was in the way of one ball mostly is in the way of the next.
        let mut recent = Recent::default();
        let mut grown = |center: Vec3, than: &Ball| {
            let away = center.distance(surface);
            let limit = 1.01 * away;
            // Nearer than this it does not touch, or is no larger.
            let enough = than.radius.max(away - self.tolerance(limit));
            let radius = self.distance.unsigned_or_enough(center, limit, enough, &mut recent);
            (radius > than.radius && self.touches(away, radius)).then_some(Ball { center, radius })
        };
        let precision = PRECISION * self.radius;
        let mut step = self.radius;
        while step > precision {
            match grown(best.center - step * particle.out, &best) {
                Some(ball) => {
                    best = ball;
                    step *= 1.5;
                }
                None => step *= 0.5,
            }
        }
        let (one, other) = particle.out.any_orthonormal_pair();
        let mut step = 0.25 * best.radius;
        while step > precision {
            let ways = [one, -one, other, -other, particle.out, -particle.out];
            match ways.iter().find_map(|&way| grown(best.center + step * way, &best)) {
                Some(ball) => best = ball,
                None => step *= 0.5,
            }
        }
        best
    }
}

/// The nearest point to the origin on two planes, of unit normals at a distance (w).
fn meet_two(a: Vec4, b: Vec4) -> Vec3 {
    let (first, second) = (a.truncate(), b.truncate());
    let cosine = first.dot(second);
    let scale = 1.0 / (1.0 - cosine * cosine).max(1e-6);
    ((a.w - cosine * b.w) * first + (b.w - cosine * a.w) * second) * scale
}

/// The point of three planes.
fn meet_three(a: Vec4, b: Vec4, c: Vec4) -> Option<Vec3> {
    let normals = Mat3::from_cols(a.truncate(), b.truncate(), c.truncate()).transpose();
    (normals.determinant().abs() > 0.1).then(|| normals.inverse() * Vec3::new(a.w, b.w, c.w))
}
