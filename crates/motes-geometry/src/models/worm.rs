//! A fat worm with rings, which looks along +x.

use glam::Vec3;

use super::Sculpture;
use super::brush::{ball, join, limb, mirrored, ramp};

/// Radius of its body and height of its middle, metres.
const RADIUS: f32 = 0.085;

/// Rings in a metre, and how much they stand out, metres.
const RINGS: f32 = 9.0;
const RELIEF: f32 = 0.006;

pub(super) fn sculpture() -> Sculpture {
    Box::new(|world| {
        let point = world - Vec3::Y * RADIUS;
        let side = mirrored(point);
        let trunk = limb(point, Vec3::new(-0.52, -0.02, 0.0), Vec3::new(0.44, 0.0, 0.0), 0.058, RADIUS - RELIEF);
        let rings = ramp(0.42, 0.30, point.x) * (std::f32::consts::TAU * RINGS * point.x).cos();
        let head = ball(point, Vec3::new(0.50, 0.035, 0.0), 0.105);
        let eye = ball(side, Vec3::new(0.572, 0.090, 0.052), 0.036);
        let solid = join(trunk - RELIEF * rings, head, 0.06);
        join(solid, eye, 0.006).max(-world.y)
    })
}
