//! A doll of a person, with arms and legs spread, as they are made for falling about.

use glam::Vec3;

use super::Sculpture;
use super::brush::{ball, ellipsoid, join, limb, mirrored};

const fn at(x: f32, y: f32, z: f32) -> Vec3 {
    Vec3::new(x, y, z)
}

/// Joints on the side of +z, metres: the doll looks along +x.
const SHOULDER: Vec3 = at(0.0, 0.735, 0.105);
const ELBOW: Vec3 = at(0.01, 0.60, 0.235);
const HAND: Vec3 = at(0.05, 0.475, 0.345);
const HIP: Vec3 = at(0.0, 0.445, 0.065);
const KNEE: Vec3 = at(0.025, 0.245, 0.105);
const ANKLE: Vec3 = at(0.0, 0.055, 0.135);

pub(super) fn sculpture() -> Sculpture {
    Box::new(|point| {
        let side = mirrored(point);
        let solid = join(trunk(point, side), limbs(side), 0.035);
        let solid = join(solid, head(point, side), 0.025);
        solid.max(-point.y)
    })
}

fn trunk(point: Vec3, side: Vec3) -> f32 {
    let chest = ellipsoid(point, at(0.0, 0.66, 0.0), at(0.088, 0.135, 0.122));
    let belly = ellipsoid(point, at(0.006, 0.545, 0.0), at(0.080, 0.11, 0.095));
    let hips = ellipsoid(point, at(0.0, 0.455, 0.0), at(0.088, 0.080, 0.112));
    let shoulders = limb(side, at(0.0, 0.725, 0.0), SHOULDER, 0.052, 0.050);
    join(join(join(chest, belly, 0.06), hips, 0.06), shoulders, 0.04)
}

fn limbs(side: Vec3) -> f32 {
    let arm = limb(side, SHOULDER, ELBOW, 0.047, 0.040).min(limb(side, ELBOW, HAND, 0.040, 0.034));
    let hand = ellipsoid(side, HAND + at(0.01, -0.022, 0.018), at(0.042, 0.048, 0.040));
    let leg = limb(side, HIP, KNEE, 0.064, 0.050).min(limb(side, KNEE, ANKLE, 0.050, 0.038));
    let foot = limb(
        side,
        ANKLE + at(-0.012, -0.016, 0.0),
        ANKLE + at(0.085, -0.020, 0.014),
        0.040,
        0.035,
    );
    join(arm, hand, 0.02).min(join(leg, foot, 0.025))
}

fn head(point: Vec3, side: Vec3) -> f32 {
    let skull = ellipsoid(point, at(0.012, 0.905, 0.0), at(0.100, 0.112, 0.090));
    let neck = limb(point, at(0.0, 0.75, 0.0), at(0.005, 0.83, 0.0), 0.046, 0.044);
    let nose = ball(point, at(0.112, 0.893, 0.0), 0.024);
    let eye = ball(side, at(0.092, 0.928, 0.040), 0.019);
    let ear = ellipsoid(side, at(0.0, 0.900, 0.090), at(0.020, 0.032, 0.020));
    join(join(join(skull, neck, 0.03), nose.min(eye), 0.008), ear, 0.012)
}
