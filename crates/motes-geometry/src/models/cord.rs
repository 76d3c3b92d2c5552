//! A thick cord of three strands, laid along x.

use std::f32::consts::TAU;

use glam::{Vec2, Vec3, Vec3Swizzles};

use super::Sculpture;
use super::brush::join;

/// Half its length, how far strands are from its middle, and their radius, metres.
const HALF_LENGTH: f32 = 0.62;
const OFFSET: f32 = 0.034;
const STRAND: f32 = 0.038;

/// Turns of a strand in a metre.
const LAY: f32 = 2.6;

pub(super) fn sculpture() -> Sculpture {
    let height = OFFSET + STRAND;
    Box::new(move |world| {
        let point = world - Vec3::Y * height;
        let turn = Vec2::from_angle(-TAU * LAY * point.x);
        let across = turn.rotate(point.yz());
        let strand = |number: f32| across.distance(OFFSET * Vec2::from_angle(TAU * number / 3.0)) - STRAND;
        let strands = join(join(strand(0.0), strand(1.0), 0.012), strand(2.0), 0.012);
        let ends = point.x.abs() - HALF_LENGTH;
        // Strands lean by their lay: what looks like a distance across them is longer than the way to them.
        0.8 * strands.max(ends)
    })
}
