//! A fish with spread fins.

use glam::{Quat, Vec2, Vec3, Vec3Swizzles};

use super::Sculpture;
use super::brush::{ball, cut, ellipsoid, join, limb, mirrored, plate, polygon, ramp};

/// Height of the middle of the body above the ground, metres.
const HEIGHT: f32 = 0.289;

const fn at(x: f32, y: f32) -> Vec2 {
    Vec2::new(x, y)
}

const DORSAL: [Vec2; 8] = [
    at(0.17, 0.14),
    at(0.09, 0.245),
    at(0.0, 0.295),
    at(-0.10, 0.285),
    at(-0.20, 0.245),
    at(-0.275, 0.20),
    at(-0.24, 0.11),
    at(-0.10, 0.10),
];
const TAIL: [Vec2; 9] = [
    at(-0.33, 0.03),
    at(-0.44, 0.13),
    at(-0.555, 0.245),
    at(-0.60, 0.255),
    at(-0.555, 0.10),
    at(-0.535, 0.0),
    at(-0.555, -0.10),
    at(-0.60, -0.255),
    at(-0.44, -0.13),
];
const ANAL: [Vec2; 5] = [
    at(-0.09, -0.12),
    at(-0.15, -0.225),
    at(-0.235, -0.245),
    at(-0.275, -0.17),
    at(-0.22, -0.06),
];
const PELVIC: [Vec2; 5] = [
    at(0.13, -0.12),
    at(0.05, -0.285),
    at(-0.005, -0.30),
    at(-0.015, -0.22),
    at(0.02, -0.12),
];
const PECTORAL: [Vec2; 6] = [
    at(0.02, 0.025),
    at(-0.12, 0.075),
    at(-0.21, 0.055),
    at(-0.225, 0.0),
    at(-0.13, -0.055),
    at(0.02, -0.03),
];

pub(super) fn sculpture() -> Sculpture {
    Box::new(|world| {
        let point = world - Vec3::Y * HEIGHT;
        let side = mirrored(point);
        let mut solid = body(point, side);
        solid = join(solid, fins(point, side), 0.028);
        face(point, side, solid)
    })
}

fn body(point: Vec3, side: Vec3) -> f32 {
    let trunk = ellipsoid(point, Vec3::new(0.06, 0.0, 0.0), Vec3::new(0.345, 0.185, 0.118));
    let stem = limb(
        point * Vec3::new(1.0, 1.0, 1.35),
        Vec3::new(-0.10, 0.0, 0.0),
        Vec3::new(-0.40, 0.0, 0.0),
        0.115,
        0.048,
    );
    let head = ellipsoid(point, Vec3::new(0.25, -0.012, 0.0), Vec3::new(0.185, 0.125, 0.095));
    let smooth = join(join(trunk, stem, 0.10), head, 0.06);
    if smooth.abs() > 0.03 {
        return smooth;
    }
    // Rows of scales, each a little shifted against the next, behind the gills and fading towards the tail.
    let fade = ramp(0.13, 0.07, point.x) * ramp(-0.42, -0.30, point.x);
    let pitch = 0.052;
    let column = point.x / pitch;
    let row = side.y / (0.78 * pitch);
    let scale = |row_index: f32| {
        let shifted = column + 0.5 * row_index.rem_euclid(2.0);
        let height = |column_index: f32| {
            let from = Vec2::new(shifted - column_index + 0.22, 0.9 * (row - row_index));
            1.0 - (from.length() / 0.80).min(1.0)
        };
        height(shifted.floor()).max(height(shifted.floor() + 1.0))
    };
    let scale = scale(row.floor()).max(scale(row.floor() + 1.0));
    smooth - 0.011 * fade * scale
}

/// A fin in a plane: thick at its foot, thin at its rim, with rays that spread from a point.
fn fin(place: Vec2, height: f32, outline: &[Vec2], rays_from: Vec2) -> f32 {
    let flat = polygon(place, outline) - 0.016;
    if flat > 0.08 {
        return flat;
    }
    let from = place - rays_from;
    let ray = (from.to_angle() * 36.0).cos();
    let thickness = 0.0135 + 0.0030 * ray * ramp(0.04, 0.12, from.length());
    0.8 * plate(flat, height, thickness, 0.012)
}

fn fins(point: Vec3, side: Vec3) -> f32 {
    let flat = point.xy();
    let middle = fin(flat, point.z, &DORSAL, at(0.12, -0.12))
        .min(fin(flat, point.z, &TAIL, at(-0.22, 0.0)))
        .min(fin(flat, point.z, &ANAL, at(-0.06, 0.02)));
    let splay = Quat::from_rotation_x(-0.42);
    let pelvic = splay.conjugate() * (side - Vec3::new(0.0, 0.0, 0.015));
    let middle = middle.min(fin(pelvic.xy(), pelvic.z, &PELVIC, at(0.10, 0.02)));
    let root = Vec3::new(0.155, -0.055, 0.100);
    let spread = Quat::from_rotation_y(0.72) * Quat::from_rotation_x(0.35) * Quat::from_rotation_z(0.25);
    let pectoral = spread.conjugate() * (side - root);
    middle.min(fin(pectoral.xy(), pectoral.z, &PECTORAL, at(0.10, 0.0)))
}

fn face(point: Vec3, side: Vec3, solid: f32) -> f32 {
    let eye = Vec3::new(0.312, 0.040, 0.064);
    let mut solid = cut(solid, ball(side, eye + Vec3::new(0.006, 0.0, 0.026), 0.036), 0.010);
    solid = join(solid, ball(side, eye, 0.036), 0.003);
    let pupil = ball(side, eye + Vec3::new(0.006, 0.0, 0.040), 0.014);
    solid = cut(solid, pupil, 0.004);
    let gill = {
        let around = Vec2::new(side.x - 0.265, side.y + 0.005);
        let arc = (around.length() - 0.118).abs();
        let behind = ramp(0.02, -0.03, around.x) * ramp(0.115, 0.09, around.y.abs());
        arc - 0.010 * behind + 0.004
    };
    solid = cut(solid, gill.max(-solid - 0.016), 0.010);
    let mouth = limb(
        side,
        Vec3::new(0.445, -0.035, 0.0),
        Vec3::new(0.36, -0.060, 0.065),
        0.011,
        0.006,
    );
    let lips = limb(
        point,
        Vec3::new(0.425, -0.020, -0.02),
        Vec3::new(0.425, -0.020, 0.02),
        0.022,
        0.022,
    )
    .min(limb(
        point,
        Vec3::new(0.415, -0.062, -0.02),
        Vec3::new(0.415, -0.062, 0.02),
        0.020,
        0.020,
    ));
    solid = join(solid, lips, 0.018);
    cut(solid, mouth, 0.010)
}
