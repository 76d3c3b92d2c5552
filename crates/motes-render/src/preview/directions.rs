//! Directions spread over the lights.

use glam::{Vec2, Vec3};
use std::f32::consts::TAU;

const GOLDEN_FRACTION: f32 = 0.618_034;

/// Directions spread evenly over a disc around `middle` whose half angle is given in degrees.
pub(crate) fn over_disc(middle: Vec3, half_angle: f32, count: u32) -> impl Iterator<Item = Vec3> {
    let (across, along) = middle.any_orthonormal_pair();
    let half_angle = if half_angle.is_finite() { half_angle } else { 0.0 };
    let disc = half_angle.clamp(0.0, 45.0).to_radians().tan();
    (0..count).map(move |i| {
        let place = spiral(i) * disc * ((i as f32 + 0.5) / count as f32).sqrt();
        (middle + across * place.x + along * place.y).normalize()
    })
}

/// Directions spread evenly over the hemisphere around `up`.
pub(crate) fn over_sky(up: Vec3, count: u32) -> impl Iterator<Item = Vec3> {
    let (across, along) = up.any_orthonormal_pair();
    (0..count).map(move |i| {
        let height = (i as f32 + 0.5) / count as f32;
        let place = spiral(i) * (1.0 - height * height).sqrt();
        (up * height + across * place.x + along * place.y).normalize()
    })
}

/// Numbers from 0 to 1, spread evenly however many are taken.
pub(crate) fn spread(number: usize) -> f32 {
    (number as f32 * GOLDEN_FRACTION).fract()
}

fn spiral(number: u32) -> Vec2 {
    Vec2::from_angle(number as f32 * GOLDEN_FRACTION * TAU)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sky_lights_a_level_surface_twice_as_much_as_an_upright_one() {
        let light = |normal: Vec3| over_sky(Vec3::Z, 64).map(|d| d.dot(normal).max(0.0)).sum::<f32>() * 2.0 / 64.0;
        assert!((light(Vec3::Z) - 1.0).abs() < 0.01);
        assert!((light(Vec3::X) - 0.5).abs() < 0.03);
        assert!(light(Vec3::NEG_Z) < 1e-6);
    }

    #[test]
    fn the_disc_keeps_to_its_angle() {
        let widest = over_disc(Vec3::Y, 4.0, 32)
            .map(|d| d.angle_between(Vec3::Y))
            .fold(0.0, f32::max);
        assert!((3.5..=4.0).contains(&widest.to_degrees()));
    }
}
