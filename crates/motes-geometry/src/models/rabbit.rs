//! A sitting rabbit.

use glam::{Quat, Vec3};

use super::Sculpture;
use super::brush::{Curve, ball, cut, ellipsoid, join, limb, mirrored, turned_ellipsoid};

const fn at(x: f32, y: f32, z: f32) -> Vec3 {
    Vec3::new(x, y, z)
}

pub(super) fn sculpture() -> Sculpture {
    let foreleg = Curve::through(
        &[
            (at(0.13, 0.33, 0.085), 0.085),
            (at(0.20, 0.20, 0.095), 0.060),
            (at(0.225, 0.09, 0.092), 0.043),
            (at(0.245, 0.042, 0.09), 0.042),
            (at(0.300, 0.036, 0.088), 0.040),
        ],
        14,
    );
    Box::new(move |point| {
        let side = mirrored(point);
        let mut solid = body(point, side);
        solid = join(solid, foreleg.distance(side), 0.045);
        solid = join(solid, hind_leg(side), 0.04);
        solid = join(solid, ball(point, at(-0.425, 0.205, 0.0), 0.088), 0.03);
        solid = join(solid, head(point, side), 0.085);
        solid = ears(side, solid);
        solid = face(point, side, solid);
        solid.max(-point.y)
    })
}

fn body(point: Vec3, side: Vec3) -> f32 {
    let rump = ellipsoid(point, at(-0.17, 0.27, 0.0), at(0.27, 0.25, 0.215));
    let back = turned_ellipsoid(
        point,
        at(0.0, 0.345, 0.0),
        at(0.27, 0.20, 0.175),
        Quat::from_rotation_z(0.42),
    );
    let chest = ellipsoid(point, at(0.135, 0.37, 0.0), at(0.145, 0.19, 0.145));
    let haunch = turned_ellipsoid(
        side,
        at(-0.155, 0.215, 0.155),
        at(0.205, 0.165, 0.105),
        Quat::from_rotation_z(0.55),
    );
    join(join(join(rump, back, 0.12), chest, 0.10), haunch, 0.022)
}

fn hind_leg(side: Vec3) -> f32 {
    let foot = limb(side, at(-0.21, 0.05, 0.185), at(0.045, 0.042, 0.20), 0.055, 0.046);
    let toes = [-0.026, 0.0, 0.026].map(|shift| {
        ellipsoid(
            side,
            at(0.085 - 6.0 * shift * shift, 0.034, 0.20 + shift),
            at(0.042, 0.032, 0.019),
        )
    });
    toes.into_iter().fold(foot, |leg, toe| join(leg, toe, 0.012))
}

fn head(point: Vec3, side: Vec3) -> f32 {
    let skull = ellipsoid(point, at(0.255, 0.605, 0.0), at(0.150, 0.130, 0.122));
    let snout = ellipsoid(point, at(0.365, 0.570, 0.0), at(0.085, 0.072, 0.075));
    let cheek = ball(side, at(0.315, 0.548, 0.062), 0.068);
    let neck = limb(point, at(0.13, 0.42, 0.0), at(0.215, 0.56, 0.0), 0.125, 0.09);
    join(join(join(skull, snout, 0.06), cheek, 0.04), neck, 0.09)
}

fn ears(side: Vec3, solid: f32) -> f32 {
    let lean = Quat::from_rotation_z(0.36) * Quat::from_rotation_x(0.20);
    let middle = at(0.155, 0.86, 0.095);
    let outside = turned_ellipsoid(side, middle, at(0.046, 0.205, 0.072), lean);
    let turn = lean * Quat::from_rotation_y(-0.55);
    let hollow = turned_ellipsoid(side, middle + turn * at(0.052, 0.0, 0.0), at(0.040, 0.165, 0.044), turn);
    join(solid, cut(outside, hollow, 0.022), 0.035)
}

fn face(point: Vec3, side: Vec3, solid: f32) -> f32 {
    let eye = at(0.3175, 0.632, 0.086);
    let mut solid = cut(solid, ball(side, eye + at(0.012, 0.002, 0.016), 0.034), 0.016);
    solid = join(solid, ball(side, eye, 0.034), 0.003);
    let nostrils = limb(side, at(0.452, 0.592, 0.006), at(0.440, 0.604, 0.028), 0.006, 0.006);
    let lip = limb(point, at(0.456, 0.575, 0.0), at(0.446, 0.532, 0.0), 0.007, 0.007);
    let mouth = limb(side, at(0.446, 0.534, 0.0), at(0.405, 0.520, 0.045), 0.006, 0.005);
    solid = cut(solid, nostrils, 0.010);
    cut(solid, lip.min(mouth), 0.010)
}
