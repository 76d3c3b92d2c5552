//! A banana, bent, with its five soft edges, the stem and the dry tip.

use std::f32::consts::TAU;

use glam::{Vec2, Vec3};

use super::Sculpture;
use super::brush::{join, ramp};

/// Radius of the bend and half of its angle.
const BEND: (f32, f32) = (0.53, 0.95);

/// Radius of the middle of the fruit, metres.
const GIRTH: f32 = 0.092;

pub(super) fn sculpture() -> Sculpture {
    let (bend, half_angle) = BEND;
    let lift = GIRTH * 0.898;
    Box::new(move |point| {
        let from_center = Vec2::new(point.x, point.y - lift - bend);
        let angle = from_center.x.atan2(-from_center.y);
        let inner = angle.clamp(-half_angle, half_angle);
        let middle = bend * Vec2::new(inner.sin(), -inner.cos());
        let outward = Vec2::new(inner.sin(), -inner.cos());
        let tangent = Vec2::new(inner.cos(), inner.sin());
        let offset = from_center - middle;
        let (out, along) = (offset.dot(outward), offset.dot(tangent));
        let place = inner / half_angle;
        let across = Vec2::new(out, point.z);
        let round = Vec2::new(five_edged(across, place), along).length() - profile(place);
        // The cut end of the stem is flat.
        let cut = (angle - half_angle * 0.985) * bend;
        let tip = tip(point, bend, half_angle, lift);
        join(round.max(cut), tip, 0.012) * 0.85
    })
}

/// Thickness along the fruit: −1 is the tip, +1 the end of the stem.
fn profile(place: f32) -> f32 {
    let fruit = GIRTH * (0.22 + 0.78 * ramp(-1.06, -0.50, place)) * (0.27 + 0.73 * ramp(0.84, 0.26, place));
    fruit + 0.010 * ramp(0.86, 1.0, place)
}

/// Distance from the middle of a cross-section: a circle at the ends, in between a pentagon with soft corners that
/// stands on a face.
fn five_edged(across: Vec2, place: f32) -> f32 {
    const SHARPNESS: i32 = 9;
    let pressed: f32 = (0..5)
        .map(|face| {
            across
                .dot(Vec2::from_angle(face as f32 * TAU / 5.0))
                .max(0.0)
                .powi(SHARPNESS)
        })
        .sum();
    let pentagon = 1.11 * pressed.powf(1.0 / SHARPNESS as f32);
    let amount = ramp(-1.0, -0.20, place) * ramp(0.95, 0.15, place);
    across.length() + amount * (pentagon - across.length())
}

fn tip(point: Vec3, bend: f32, half_angle: f32, lift: f32) -> f32 {
    let end = Vec3::new(-bend * half_angle.sin(), lift + bend - bend * half_angle.cos(), 0.0);
    let direction = Vec3::new(-half_angle.cos(), half_angle.sin(), 0.0);
    let from = point - end;
    let along = from.dot(direction);
    let across = (from - along * direction).length();
    let faces = Vec2::new(across - 0.017, (along - 0.012).abs() - 0.022);
    faces.max(Vec2::ZERO).length() + faces.max_element().min(0.0) - 0.006
}
