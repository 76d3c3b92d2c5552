//! Smoke as it is drawn: soft round clouds, one for each marker.

use glam::Vec3;
use std::f32::consts::PI;

/// A soft round cloud of smoke.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Puff {
    /// Middle, metres. One that is not finite is not drawn.
    pub position: Vec3,
    /// Distance from the middle, where it is thickest, to where it ends, metres.
    pub radius: f32,
    /// The part of light that is stopped on the way through its middle, 0 to 1.
    pub opacity: f32,
    /// Temperature, °C. From [`Puff::GLOWS_FROM`] on it gives off light of its own.
    pub temperature: f32,
    /// sRGB colour: the part of light that it scatters and does not take up. Steam is white, soot nearly black.
    pub color: [u8; 3],
}

impl Puff {
    /// Temperature from which on smoke glows, °C: a dull red, as of other bodies (the Draper point is at 525 °C).
    pub const GLOWS_FROM: f32 = 500.0;

    /// How much light it stops in all: its optical depth, summed over its area, m². Smoke on a grid has this much in all, in optical depth per metre.
    ///
    /// Its opacity falls from `opacity` in the middle with (1 − u)², where u is the square of the distance in radii. So the mean of the optical depth is
    /// the integral of −ln(1 − o (1 − u)²) over u from 0 to 1, the sum of oⁿ / (n (2 n + 1)).
    pub fn extinction(&self) -> f32 {
        let o = self.opacity.clamp(0.0, 1.0);
        // The last term stands for all that follow.
        let first = o * (1.0 / 3.0 + o * (0.1 + o * (1.0 / 21.0 + o / 36.0)));
        PI * self.radius * self.radius * (first + 0.105 * o.powi(10))
    }

    /// Whether there is anything to be seen of it.
    pub(crate) fn is_drawn(&self) -> bool {
        self.position.is_finite() && self.radius > 0.0 && self.radius.is_finite() && self.opacity > 0.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn extinction_is_the_integral_of_what_a_puff_stops() {
        let puff = |opacity: f32| Puff {
            position: Vec3::ZERO,
            radius: 0.7,
            opacity,
            temperature: 20.0,
            color: [255; 3],
        };
        for opacity in [0.02_f32, 0.3, 0.6, 0.9] {
            let steps = 20_000;
            let depth = |step: i32| -(1.0 - opacity * (1.0 - (step as f32 + 0.5) / steps as f32).powi(2)).ln();
            let mean = (0..steps).map(|step| f64::from(depth(step))).sum::<f64>() / f64::from(steps);
            let expected = std::f64::consts::PI * 0.49 * mean;
            let found = f64::from(puff(opacity).extinction());
            assert!((found / expected - 1.0).abs() < 0.02, "{opacity}: {found} {expected}");
        }
        let opaque = PI * 0.49 * (2.0 - 2.0 * 2.0_f32.ln());
        assert!((puff(1.0).extinction() / opaque - 1.0).abs() < 3e-3);
    }
}
