//! An octopus on its eight curling arms.

use std::f32::consts::{PI, TAU};

use glam::{Quat, Vec2, Vec3};

use super::Sculpture;
use super::brush::{Curve, ball, cut, ellipsoid, join, limb, mirrored, ramp, turned_ellipsoid};

/// Reach, sideways sweep, and turns of the curl of each arm; a curl that lifts off the ground where `lifts`.
struct Arm {
    angle: f32,
    reach: f32,
    sweep: f32,
    turns: f32,
    lifts: bool,
}

const ARMS: [Arm; 8] = [
    arm(0.42, 0.36, 0.9, 1.25, false),
    arm(1.18, 0.40, -0.6, 1.35, true),
    arm(1.95, 0.38, 0.8, 1.30, false),
    arm(2.72, 0.38, -0.7, 1.25, true),
    arm(3.52, 0.40, 0.7, 1.30, false),
    arm(4.30, 0.37, -0.9, 1.30, true),
    arm(5.08, 0.40, 0.7, 1.35, false),
    arm(5.86, 0.37, -0.8, 1.25, true),
];

const fn arm(angle: f32, reach: f32, sweep: f32, turns: f32, lifts: bool) -> Arm {
    Arm {
        angle,
        reach,
        sweep,
        turns,
        lifts,
    }
}

/// Radius of an arm at a fraction of its length, metres.
fn thickness(place: f32) -> f32 {
    0.014 + 0.064 * (1.0 - place).powf(1.35)
}

impl Arm {
    /// Points along the arm: down from the head, out over the ground, and into a spiral.
    fn curve(&self) -> Curve {
        const OUTWARD: usize = 5;
        const CURL: usize = 14;
        let total = (OUTWARD + CURL) as f32;
        let mut points = Vec::new();
        let bend = |t: f32| 0.09 * self.sweep * t * t;
        for index in 0..=OUTWARD {
            let t = index as f32 / OUTWARD as f32;
            let radius = thickness(index as f32 / total);
            let height = radius + 0.20 * (1.0 - ramp(0.0, 0.85, t));
            points.push((Vec3::new(0.07 + (self.reach - 0.07) * t, height, bend(t)), radius));
        }
        let heading = Vec2::new(self.reach - 0.07, 2.0 * 0.09 * self.sweep).normalize();
        let start = points[OUTWARD].0;
        let side = -self.sweep.signum();
        let across = if self.lifts {
            Vec3::Y
        } else {
            Vec3::new(-heading.y, 0.0, heading.x) * side
        };
        let ahead = Vec3::new(heading.x, 0.0, heading.y);
        let (wide, narrow) = (0.115, 0.026);
        let mut place = start;
        let mut angle = 0.0f32;
        for index in 1..=CURL {
            let t = index as f32 / CURL as f32;
            let step = self.turns * TAU / CURL as f32;
            let bow = wide + (narrow - wide) * t.powf(0.8);
            angle += step;
            let direction = (angle - 0.5 * step).cos() * ahead + (angle - 0.5 * step).sin() * across;
            place += bow * step * direction;
            let radius = thickness((OUTWARD as f32 + index as f32) / total);
            place.y = place.y.max(radius);
            points.push((place, radius));
        }
        let turn = Quat::from_rotation_y(-self.angle);
        let points: Vec<_> = points
            .into_iter()
            .map(|(point, radius)| (turn * point, radius))
            .collect();
        Curve::through(&points, 3)
    }
}

pub(super) fn sculpture() -> Sculpture {
    let arms = ARMS.map(|arm| arm.curve());
    Box::new(move |point| {
        let side = mirrored(point);
        let mut solid = head(point, side);
        for arm in &arms {
            solid = join(solid, suckered(arm, point), 0.055);
        }
        solid = eyes(side, solid);
        solid.max(-point.y)
    })
}

/// An arm with a row of suckers along its underside.
fn suckered(arm: &Curve, point: Vec3) -> f32 {
    let near = arm.nearest(point);
    let under = (-near.from_middle.y / (near.radius + 1e-3)).clamp(-1.0, 1.0);
    let row = (near.place * 30.0 * PI).cos();
    near.distance - 0.16 * near.radius * ramp(0.1, 0.8, under) * ramp(-0.2, 0.6, row)
}

fn head(point: Vec3, side: Vec3) -> f32 {
    let mantle = turned_ellipsoid(
        point,
        Vec3::new(-0.13, 0.60, 0.0),
        Vec3::new(0.215, 0.29, 0.205),
        Quat::from_rotation_z(0.42),
    );
    let neck = ellipsoid(point, Vec3::new(0.015, 0.34, 0.0), Vec3::new(0.165, 0.17, 0.165));
    let web = ellipsoid(point, Vec3::new(0.0, 0.19, 0.0), Vec3::new(0.235, 0.13, 0.235));
    let brow = ball(side, Vec3::new(0.102, 0.435, 0.102), 0.086);
    join(join(join(mantle, neck, 0.10), web, 0.14), brow, 0.05)
}

fn eyes(side: Vec3, solid: f32) -> f32 {
    let center = Vec3::new(0.124, 0.452, 0.130);
    let facing = Vec3::new(0.62, 0.26, 0.76).normalize();
    let socket = ball(side, center + 0.046 * facing, 0.053);
    let mut solid = cut(solid, socket, 0.010);
    let eye = ball(side, center, 0.066);
    let level = facing.cross(Vec3::Y).normalize();
    let front = center + 0.066 * facing;
    let pupil = limb(side, front - 0.026 * level, front + 0.026 * level, 0.016, 0.016);
    solid = join(solid, cut(eye, pupil, 0.005), 0.003);
    solid
}
