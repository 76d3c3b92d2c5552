//! Meshes that are bodies of revolution, or have a rim that is: about which axis, and balls that are the same all around it
//! ([`motes_core::constraints::revolution`]).

use glam::{Quat, Vec3};
use motes_core::constraints::inscribed::{InscribedBall, is_inscribed};
use motes_core::constraints::revolution::Revolution;
use motes_core::constraints::rigid::eigen;

use super::MassProperties;
use super::inscribed::{Outer, SMALLEST as SMALLEST_BALL};
use crate::distance::MeshDistance;

/// At how many angles the surface is looked at: a number that segments of meshes seldom are a multiple of, so that facets are met
/// everywhere.
const ANGLES: u32 = 13;
/// How far the surface may be from its circles, in radii of the particles or, if that is more, of the circle: meshes of what is round have edges.
const TOLERANCE: f32 = 0.1;
const TOLERANCE_OF_CIRCLE: f32 = 0.012;
/// How much two moments of inertia may differ, of the largest.
const EQUAL: f32 = 1e-3;
/// Circles that are smaller, in radii of the particles, are points of the axis.
const SMALLEST: f32 = 0.2;
/// How far below the surface balls of what would be taken for a face all around the axis have their middles, in radii.
const BELOW: f32 = 0.5;
/// Cosine between the axis and the normal of a face across it.
const ACROSS: f32 = 0.9;
/// Sine of the angle by which what faces the axis does so at least.
const FACING: f32 = 0.3;
/// How far from the outermost circle the rim reaches inwards, in radii: that much has to be the same all around, and the spokes need not.
const RIM: f32 = 1.0;

/// What a mesh or its rim revolves about, if it does. The balls of its particles then become the same all around, and those of
/// spokes, which are not, are about the particles themselves, so that nothing takes them along a circle.
pub(super) fn find(
    particles: &[Option<Outer>],
    balls: &mut [InscribedBall],
    distance: &MeshDistance,
    properties: &MassProperties,
    radius: f32,
) -> Option<Revolution> {
    let lathe = |axis: Vec3| Lathe {
        distance,
        revolution: Revolution {
            point: properties.center.as_vec3(),
            axis,
        },
        radius,
    };
    let with_balls = |balls: &[InscribedBall]| -> Vec<(usize, Outer)> {
        let all = particles.iter().zip(balls).enumerate();
        all.filter_map(|(index, (particle, ball))| Some((index, (*particle)?)).filter(|_| is_inscribed(*ball)))
            .collect()
    };
    let outer = with_balls(balls);
    let found = candidates(properties)
        .into_iter()
        .map(lathe)
        .find(|lathe| lathe.turns(&outer, balls))?;
    for (index, particle) in &outer {
        let ball = &mut balls[*index];
        *ball = match found.is_even(particle, *ball) {
            true => found.evened(particle, *ball),
            false => about_itself(particle, radius),
        };
    }
    Some(found.revolution)
}

/// The ball of a particle that touches with nothing but itself.
fn about_itself(particle: &Outer, radius: f32) -> InscribedBall {
    Vec3::ZERO.extend(particle.depth.max(SMALLEST_BALL * radius))
}

/// The axes of the mesh's frame, and that of an inertia which has one.
fn candidates(properties: &MassProperties) -> Vec<Vec3> {
    let mut all = vec![Vec3::X, Vec3::Y, Vec3::Z];
    let (values, axes) = eigen(&properties.inertia.as_mat3());
    let equal = |a: usize, b: usize| (values[a] - values[b]).abs() <= EQUAL * values.max_element();
    for (axis, others) in [(0, [1, 2]), (1, [2, 0]), (2, [0, 1])] {
        if equal(others[0], others[1]) {
            all.push(axes.col(axis).normalize());
        }
    }
    all
}

struct Lathe<'a> {
    distance: &'a MeshDistance,
    revolution: Revolution,
    radius: f32,
}

impl Lathe<'_> {
    /// The way to a point from the axis, across it.
    fn out(&self, point: Vec3) -> Vec3 {
        let Revolution { point: on_axis, axis } = self.revolution;
        (point - on_axis).reject_from_normalized(axis)
    }

    /// A point all around the axis.
    fn around(&self, point: Vec3) -> impl Iterator<Item = Vec3> {
        let Revolution { point: on_axis, axis } = self.revolution;
        (0..ANGLES).map(move |k| {
            let angle = std::f32::consts::TAU * k as f32 / ANGLES as f32;
            on_axis + Quat::from_axis_angle(axis, angle) * (point - on_axis)
        })
    }

    /// The point of the surface that the ball of a particle is for.
    fn touched(particle: &Outer, ball: InscribedBall) -> Vec3 {
        match ball.w == 0.0 {
            true => particle.position + ball.truncate(),
            false => particle.surface(),
        }
    }

    /// Whether the surface beside a particle is the same all around.
    fn is_even(&self, particle: &Outer, ball: InscribedBall) -> bool {
        let point = Self::touched(particle, ball);
        let tolerance = (TOLERANCE * self.radius).max(TOLERANCE_OF_CIRCLE * self.out(point).length());
        self.around(point)
            .all(|point| self.distance.unsigned(point, 2.0 * tolerance) <= tolerance)
    }

    /// Whether the outermost surface is the same all around, and there is any circle at all.
    fn turns(&self, particles: &[(usize, Outer)], balls: &[InscribedBall]) -> bool {
        let reach = |(index, particle): &(usize, Outer)| self.out(Self::touched(particle, balls[*index])).length();
        let rim = particles.iter().map(reach).fold(0.0, f32::max) - RIM * self.radius;
        // What faces the axis is between the spokes.
        let is_outside = |found: &&(usize, Outer)| reach(found) > rim && self.faces_away(&found.1);
        let is_circle = |(index, particle): &(usize, Outer)| {
            self.out(particle.position + balls[*index].truncate()).length() > SMALLEST * self.radius
        };
        let is_round =
            |found: &(usize, Outer)| is_circle(found) && found.1.out.dot(self.revolution.axis).abs() <= ACROSS;
        let mut outside = particles.iter().filter(is_outside);
        outside.clone().any(is_round) && outside.all(|found| self.is_even(&found.1, balls[found.0]))
    }

    fn faces_away(&self, particle: &Outer) -> bool {
        particle.out.dot(self.out(particle.position)) >= -FACING * self.out(particle.position).length()
    }

    /// A ball that touches the surface on average all around.
    fn evened(&self, particle: &Outer, ball: InscribedBall) -> InscribedBall {
        let Revolution { axis, .. } = self.revolution;
        let is_across = particle.out.dot(axis).abs() > ACROSS;
        let ball = match ball.truncate() == Vec3::ZERO && !is_across {
            true => (-BELOW * self.radius * particle.out).extend(ball.w + BELOW * self.radius),
            false => ball,
        };
        let center = particle.position + ball.truncate();
        let circle = self.out(center);
        if ball.truncate() == Vec3::ZERO {
            return ball;
        }
        if circle.length() <= SMALLEST * self.radius {
            return (ball.truncate() - circle).extend(ball.w);
        }
        let beside = axis.cross(circle.normalize());
        let upright = |normal: Vec3| normal.reject_from_normalized(beside).normalize_or_zero();
        // At an edge of two faces, the one that faces away from the axis, a little away from the other.
        let (mut way, mut inwards) = (upright(particle.out), Vec3::ZERO);
        if ball.w == 0.0 {
            let normals = [particle.out, particle.faces[0].truncate(), particle.faces[1].truncate()];
            let side = |normal: Vec3| normal.dot(circle);
            let most = normals.into_iter().reduce(|a, b| if side(b) > side(a) { b } else { a });
            way = upright(most.unwrap_or(particle.out));
            let others = normals.into_iter().map(upright).filter(|normal| normal.dot(way) < 0.7);
            inwards = -0.5 * self.radius * others.sum::<Vec3>().normalize_or_zero();
        }
        let point = center + ball.w * way + inwards;
        let above = self.around(point).map(|point| self.distance.signed_distance(point));
        let above = above.sum::<f32>() / ANGLES as f32;
        (ball.truncate() - above * way).extend(ball.w)
    }
}
