//! A round-bellied teapot.

use glam::{Vec2, Vec3, Vec3Swizzles};

use super::Sculpture;
use super::brush::{Curve, ball, cut, ellipsoid, join, within};

const fn at(x: f32, y: f32) -> Vec3 {
    Vec3::new(x, y, 0.0)
}

pub(super) fn sculpture() -> Sculpture {
    let spout = Curve::through(
        &[
            (at(0.18, 0.19), 0.115),
            (at(0.33, 0.235), 0.085),
            (at(0.42, 0.345), 0.058),
            (at(0.475, 0.455), 0.047),
            (at(0.545, 0.520), 0.050),
            (at(0.620, 0.580), 0.056),
        ],
        8,
    );
    let bore = Curve::through(
        &[
            (at(0.455, 0.42), 0.012),
            (at(0.51, 0.490), 0.026),
            (at(0.63, 0.585), 0.030),
        ],
        8,
    );
    let handle = Curve::through(
        &[
            (at(-0.22, 0.425), 0.034),
            (at(-0.37, 0.475), 0.033),
            (at(-0.485, 0.415), 0.034),
            (at(-0.475, 0.275), 0.034),
            (at(-0.37, 0.165), 0.032),
            (at(-0.24, 0.135), 0.034),
        ],
        8,
    );
    Box::new(move |point| {
        let mut solid = belly(point);
        let mouth = (point - at(0.560, 0.533)).dot(at(0.64, 0.768));
        solid = join(solid, within(spout.distance(point), mouth, 0.012), 0.035);
        solid = cut(solid, bore.distance(point), 0.008);
        let grip = handle.distance(point * Vec3::new(1.0, 1.0, 0.80));
        solid = join(solid, grip, 0.03);
        solid = lid(point, solid);
        solid.max(-point.y)
    })
}

fn belly(point: Vec3) -> f32 {
    let round = ellipsoid(point, at(0.0, 0.29), Vec3::new(0.325, 0.262, 0.325));
    let radial = Vec2::new(point.xz().length(), point.y);
    let foot = ring(radial, Vec2::new(0.185, 0.030), Vec2::new(0.035, 0.030), 0.016);
    let floor = ring(radial, Vec2::new(0.09, 0.04), Vec2::new(0.10, 0.022), 0.01);
    join(join(round, foot, 0.035), floor, 0.02)
}

fn lid(point: Vec3, solid: f32) -> f32 {
    let radial = Vec2::new(point.xz().length(), point.y);
    let rim = (radial - Vec2::new(0.192, 0.497)).length() - 0.022;
    let groove = (radial - Vec2::new(0.163, 0.527)).length() - 0.013;
    let dome = ellipsoid(point, at(0.0, 0.485), Vec3::new(0.165, 0.098, 0.165));
    let neck = ring(radial, Vec2::new(0.0, 0.595), Vec2::new(0.026, 0.03), 0.008);
    let knob = ball(
        point * Vec3::new(1.0, 1.12, 1.0),
        Vec3::new(0.0, 0.640 * 1.12, 0.0),
        0.054,
    );
    let mut solid = join(solid, rim, 0.018);
    solid = join(solid, dome, 0.012);
    solid = cut(solid, groove, 0.010);
    solid = join(solid, neck, 0.022);
    join(solid, knob, 0.012)
}

/// A rectangle turned about the axis, with rounded edges.
fn ring(radial: Vec2, center: Vec2, half: Vec2, rounding: f32) -> f32 {
    let faces = (radial - center).abs() - half + rounding;
    faces.max(Vec2::ZERO).length() + faces.max_element().min(0.0) - rounding
}
