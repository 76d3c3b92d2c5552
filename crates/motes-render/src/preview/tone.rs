//! From radiance to the bytes of the picture: a filmic curve, sRGB and dithering.

use crate::color::encode;
use glam::{Vec3, Vec3A};

/// `y = x (A x + B) / (x (A x + D) + 1)`: a soft toe and a long shoulder, with middle grey (0.18) kept in place and 0.8
/// shown as 0.68.
const A: f32 = 4.18;
const B: f32 = 0.6;
const D: f32 = 1.206;

/// Display light, 0 to 1, of a radiance.
pub(crate) fn map(radiance: Vec3A) -> Vec3A {
    Vec3A::from_array(radiance.to_array().map(map_channel))
}

/// Display light of one channel.
#[inline(always)]
pub(crate) fn map_channel(radiance: f32) -> f32 {
    let x = if radiance > 0.0 { radiance } else { 0.0 };
    x * (A * x + B) / (x * (A * x + D) + 1.0)
}

/// The radiance that [`map`] shows as `display`, which is white at most.
pub(crate) fn invert(display: Vec3) -> Vec3A {
    Vec3A::from_array(display.to_array().map(|y| {
        let y = y.min(0.99);
        let square = A * (1.0 - y);
        let linear = B - D * y;
        ((linear * linear + 4.0 * square * y).sqrt() - linear) / (2.0 * square)
    }))
}

/// Steps of [`Encoder`].
const STEPS: usize = 2048;

/// The sRGB curve as a table.
#[derive(Debug)]
pub(crate) struct Encoder {
    /// 0 to 255, at equal steps of the square root of the light, where the curve is nearly straight.
    values: Vec<f32>,
}

impl Encoder {
    pub(crate) fn new() -> Self {
        let value = |step: usize| encode((step as f32 / STEPS as f32).powi(2)) * 255.0;
        Self {
            values: (0..=STEPS).map(value).collect(),
        }
    }

    /// The sRGB value at a step of the table, see [`step`]; `noise` from 0 to 1 decides how halves are rounded, which hides
    /// banding.
    #[inline(always)]
    pub(crate) fn byte(&self, step: f32, noise: f32) -> u8 {
        (self.values[(step as usize).min(STEPS)] + noise) as u8
    }
}

/// The place of display light in the table of [`Encoder`].
#[inline(always)]
pub(crate) fn step(display: f32) -> f32 {
    let light = if display > 0.0 { display } else { 0.0 };
    light.sqrt() * STEPS as f32 + 0.5
}

/// A number from 0 to 1 per pixel whose neighbours differ evenly (interleaved gradient noise, Jimenez 2014).
#[inline(always)]
pub(crate) fn noise(column: u32, row: u32) -> f32 {
    let place = 0.067_110_56 * (column % 4096) as f32 + 0.005_837_15 * (row % 4096) as f32;
    // Remainders, as `fract` is a call on processors without a rounding instruction.
    let place = 52.982_918 * (place - place as u32 as f32);
    place - place as u32 as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inverted_colors_come_out_as_they_went_in() {
        for shade in [0.0, 0.01, 0.2, 0.7, 0.97] {
            let there_and_back = map(invert(Vec3::splat(shade)));
            assert!((there_and_back.x - shade).abs() < 1e-3, "{shade} {there_and_back}");
        }
    }

    #[test]
    fn brighter_stays_brighter() {
        let shades: Vec<f32> = (0..200).map(|i| map(Vec3A::splat(i as f32 * 0.02)).x).collect();
        assert!(shades.windows(2).all(|pair| pair[1] >= pair[0]));
    }
}
