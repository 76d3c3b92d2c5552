//! An armoured beast on two legs: banded shell, long snout, claws and a ringed tail.

use glam::{Quat, Vec3};

use super::Sculpture;
use super::brush::{Curve, ball, cut, ellipsoid, join, limb, mirrored, ramp, turned_ellipsoid, within};

const fn at(x: f32, y: f32, z: f32) -> Vec3 {
    Vec3::new(x, y, z)
}

pub(super) fn sculpture() -> Sculpture {
    let leg = Curve::through(
        &[
            (at(-0.045, 0.335, 0.105), 0.120),
            (at(0.035, 0.215, 0.155), 0.088),
            (at(-0.015, 0.115, 0.160), 0.060),
            (at(-0.005, 0.050, 0.160), 0.058),
        ],
        12,
    );
    let arm = Curve::through(
        &[
            (at(0.030, 0.620, 0.150), 0.078),
            (at(0.060, 0.540, 0.255), 0.064),
            (at(0.150, 0.500, 0.300), 0.050),
            (at(0.255, 0.570, 0.275), 0.044),
            (at(0.290, 0.615, 0.265), 0.047),
        ],
        12,
    );
    let tail = Curve::through(
        &[
            (at(-0.10, 0.330, 0.0), 0.125),
            (at(-0.250, 0.200, 0.0), 0.088),
            (at(-0.400, 0.095, 0.015), 0.058),
            (at(-0.540, 0.045, 0.055), 0.040),
            (at(-0.660, 0.030, 0.130), 0.022),
            (at(-0.710, 0.034, 0.200), 0.013),
        ],
        12,
    );
    let claws = claws();
    Box::new(move |point| {
        let side = mirrored(point);
        let mut solid = ellipsoid(point, at(0.015, 0.480, 0.0), at(0.165, 0.225, 0.175));
        solid = belly(point, solid);
        solid = join(solid, banded(&leg, side, 0.0), 0.05);
        solid = join(solid, ringed(&tail, point), 0.06);
        solid = join(solid, neck_and_head(point, side), 0.05);
        solid = join(solid, banded(&arm, side, 0.6), 0.035);
        solid = join(solid, shell(point), 0.016);
        solid = join(solid, foot(side), 0.03);
        for claw in &claws {
            solid = join(solid, claw.distance(side), 0.010);
        }
        face(side, solid).max(-point.y)
    })
}

/// Plates across the belly.
fn belly(point: Vec3, solid: f32) -> f32 {
    let bulge = ellipsoid(point, at(0.055, 0.455, 0.0), at(0.150, 0.190, 0.140));
    let wave = ((point.y - 0.02 * (point.z / 0.14).powi(2)) / 0.052).fract().abs();
    let groove = ramp(0.0, 0.16, wave) * ramp(1.0, 0.84, wave);
    join(solid, bulge + 0.009 * (1.0 - groove), 0.03)
}

/// A limb with soft folds across it.
fn banded(curve: &Curve, side: Vec3, from: f32) -> f32 {
    let near = curve.nearest(side);
    let fold = (near.place * 46.0).sin().max(0.0);
    near.distance - 0.004 * fold * ramp(from, from + 0.2, near.place)
}

/// The tail with overlapping rings.
fn ringed(curve: &Curve, point: Vec3) -> f32 {
    let near = curve.nearest(point);
    let wave = (near.place * 15.0).fract();
    near.distance - 0.20 * near.radius * ramp(0.10, 0.30, near.place) * wave * ramp(1.0, 0.85, wave)
}

/// The shell: bands across the back between a shoulder and a hip shield, studded with scutes.
fn shell(point: Vec3) -> f32 {
    let center = at(-0.045, 0.535, 0.0);
    let dome = turned_ellipsoid(point, center, at(0.205, 0.285, 0.232), Quat::from_rotation_z(-0.10));
    if dome > 0.08 {
        return dome;
    }
    // Bands fan out from a point far before the chest, so that they run side by side over the flanks.
    let angle = (point.y - 0.50).atan2(0.50 - point.x);
    let band = angle / 0.082;
    let wave = band - band.floor();
    let plate = ramp(0.0, 0.70, wave) * ramp(1.0, 0.88, wave);
    let across = point.z / 0.046 + 0.5 * (band.floor().rem_euclid(2.0));
    let scute = ramp(0.5, 0.34, (across - across.round()).abs());
    let armor = 0.9 * (dome - 0.016 * plate - 0.007 * plate * scute);
    let front = point.x - 0.040 + 0.25 * (point.y - 0.57).abs() - 0.05 * ramp(0.62, 0.76, point.y);
    let rim = join(armor, (front.abs() - 0.014).max(dome - 0.020), 0.01);
    within(rim, front - 0.010, 0.014)
}

fn neck_and_head(point: Vec3, side: Vec3) -> f32 {
    let neck = limb(point, at(0.035, 0.64, 0.0), at(0.130, 0.790, 0.0), 0.110, 0.080);
    let skull = ellipsoid(point, at(0.150, 0.825, 0.0), at(0.115, 0.092, 0.098));
    let snout = limb(point, at(0.210, 0.810, 0.0), at(0.405, 0.745, 0.0), 0.068, 0.036);
    let nose = ball(point, at(0.432, 0.744, 0.0), 0.034);
    let jaw = limb(point, at(0.180, 0.765, 0.0), at(0.365, 0.715, 0.0), 0.050, 0.024);
    let cap = ellipsoid(point, at(0.115, 0.872, 0.0), at(0.120, 0.058, 0.092));
    let ear = turned_ellipsoid(
        side,
        at(0.060, 0.945, 0.098),
        at(0.024, 0.088, 0.048),
        Quat::from_rotation_x(0.45) * Quat::from_rotation_z(0.30) * Quat::from_rotation_y(-0.5),
    );
    let hollow = turned_ellipsoid(
        side,
        at(0.082, 0.945, 0.106),
        at(0.020, 0.066, 0.030),
        Quat::from_rotation_x(0.45) * Quat::from_rotation_z(0.30) * Quat::from_rotation_y(-0.5),
    );
    let mut solid = join(neck, skull, 0.05);
    solid = join(solid, join(snout, jaw, 0.02), 0.04);
    solid = join(solid, nose, 0.012);
    solid = join(solid, cap, 0.008);
    join(solid, cut(ear, hollow, 0.012), 0.015)
}

fn face(side: Vec3, solid: f32) -> f32 {
    let eye = at(0.217, 0.842, 0.062);
    let mut solid = cut(solid, ball(side, eye + at(0.008, 0.0, 0.014), 0.024), 0.012);
    solid = join(solid, ball(side, eye, 0.024), 0.003);
    let brow = limb(side, at(0.175, 0.872, 0.074), at(0.246, 0.870, 0.056), 0.014, 0.010);
    solid = join(solid, brow, 0.010);
    let nostril = ball(side, at(0.455, 0.755, 0.018), 0.009);
    solid = cut(solid, nostril, 0.006);
    let mouth = limb(side, at(0.430, 0.712, 0.0), at(0.255, 0.760, 0.060), 0.006, 0.006);
    cut(solid, mouth, 0.008)
}

fn foot(side: Vec3) -> f32 {
    let sole = ellipsoid(side, at(0.040, 0.035, 0.165), at(0.120, 0.052, 0.075));
    [-0.045, 0.0, 0.045].into_iter().fold(sole, |foot, shift| {
        let toe = limb(
            side,
            at(0.080, 0.036, 0.165 + shift),
            at(0.140, 0.030, 0.168 + 1.25 * shift),
            0.034,
            0.027,
        );
        join(foot, toe, 0.014)
    })
}

/// Claws of the toes and fingers of one side.
fn claws() -> Vec<Curve> {
    let toes = [-0.045, 0.0, 0.045].map(|shift| {
        let z = 0.168 + 1.3 * shift;
        Curve::through(
            &[
                (at(0.150, 0.038, z), 0.020),
                (at(0.190, 0.032, z), 0.015),
                (at(0.225, 0.012, z), 0.007),
            ],
            4,
        )
    });
    let fingers = [-1.5, -0.5, 0.5, 1.5].map(|finger: f32| {
        let spread = at(0.0, 0.0, 0.030 * finger);
        let knuckle = at(0.300, 0.635 - 0.006 * finger * finger, 0.265);
        Curve::through(
            &[
                (knuckle + 0.7 * spread, 0.026),
                (knuckle + spread + at(0.035, 0.035, 0.0), 0.021),
                (knuckle + 1.3 * spread + at(0.085, 0.050, -0.005), 0.014),
                (knuckle + 1.5 * spread + at(0.125, 0.030, -0.010), 0.006),
            ],
            4,
        )
    });
    toes.into_iter().chain(fingers).collect()
}
