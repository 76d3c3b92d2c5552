//! The kernel that weighs neighbours by their distance: Poly6 (Müller et al. 2003, eq. 20), 1 in all over space.

use std::f32::consts::PI;

/// Weight of a neighbour at a squared distance, 1/m³, given the smoothing radius, metres; 0 from there on.
#[inline(always)]
pub fn poly6(distance_squared: f32, radius: f32) -> f32 {
    poly6_scale(radius) * poly6_shape(distance_squared, radius)
}

/// What [`poly6_shape`] is to be multiplied with, 1/m³.
#[inline(always)]
pub fn poly6_scale(radius: f32) -> f32 {
    315.0 / (64.0 * PI * radius * radius * radius)
}

/// The weight compared to that at distance 0: all that a weighted mean needs.
#[inline(always)]
pub fn poly6_shape(distance_squared: f32, radius: f32) -> f32 {
    let left = (1.0 - distance_squared / (radius * radius)).max(0.0);
    left * left * left
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_at_known_distances() {
        // 315 / (64 π) at the centre of a kernel of one metre; (3/4)³ of it halfway out.
        assert!((poly6(0.0, 1.0) - 1.566_681_5).abs() < 1e-6);
        assert!((poly6(0.25, 1.0) - 1.566_681_5 * 0.421_875).abs() < 1e-6);
        assert_eq!([poly6(1.0, 1.0), poly6(4.0, 1.0)], [0.0, 0.0]);
    }

    #[test]
    fn weights_add_up_to_one_over_space() {
        let (radius, shells) = (0.3_f32, 2000);
        let thickness = radius / shells as f32;
        let shell = |k: i32| {
            let r = (k as f32 + 0.5) * thickness;
            4.0 * PI * r * r * thickness * poly6(r * r, radius)
        };
        let sum: f32 = (0..shells).map(shell).sum();
        assert!((sum - 1.0).abs() < 1e-4, "{sum}");
    }
}
