//! The kernels of SPH, over distances in smoothing radii: Spiky weighs densities and is what pressures push along, and one for viscosity has a Laplacian
//! that is nowhere negative (Müller et al. 2003, eq. 21 and 22).

use std::f32::consts::PI;

use super::density::Beyond;

/// What makes [`spiky`] 1 over all space, for a smoothing radius of 1.
pub const SPIKY: f32 = 15.0 / PI;

/// What [`laplacian`] is to be multiplied with, likewise.
pub const LAPLACIAN: f32 = 45.0 / PI;

/// Weight of a neighbour, compared to that at distance 0.
#[inline(always)]
pub fn spiky(q: f32) -> f32 {
    let left = (1.0 - q).max(0.0);
    left * left * left
}

/// How fast that falls: fastest where particles are closest, so that none clump.
#[inline(always)]
pub fn spiky_slope(q: f32) -> f32 {
    let left = (1.0 - q).max(0.0);
    3.0 * left * left
}

/// Laplacian of the kernel of viscosity, over [`LAPLACIAN`].
#[inline(always)]
pub fn laplacian(q: f32) -> f32 {
    (1.0 - q).max(0.0)
}

/// Spiky beyond a plane.
#[derive(Clone, Copy, Debug)]
pub struct Spiky;

impl Beyond for Spiky {
    #[inline(always)]
    fn share(q: f32) -> f32 {
        let left = (1.0 - q).clamp(0.0, 1.0);
        let square = left * left;
        square * square * left * (1.5 - left)
    }

    #[inline(always)]
    fn slope(q: f32) -> f32 {
        let left = (1.0 - q).clamp(0.0, 1.0);
        let square = left * left;
        square * square * (7.5 - 6.0 * left)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A function of the distance added up over all space.
    fn over_space(value: impl Fn(f32) -> f32) -> f32 {
        let shells = 4000;
        let at = |k: i32| (k as f32 + 0.5) / shells as f32;
        (0..shells)
            .map(|k| 4.0 * PI * at(k) * at(k) * value(at(k)) / shells as f32)
            .sum()
    }

    #[test]
    fn spiky_adds_up_to_one_over_space_and_its_slope_is_that() {
        assert!((over_space(|q| SPIKY * spiky(q)) - 1.0).abs() < 1e-4);
        assert_eq!([spiky(0.0), spiky(0.5), spiky(1.0), spiky(2.0)], [1.0, 0.125, 0.0, 0.0]);
        for q in [0.1_f32, 0.5, 0.9] {
            let by_steps = (spiky(q - 1e-3) - spiky(q + 1e-3)) / 2e-3;
            assert!((by_steps - spiky_slope(q)).abs() < 2e-3, "{q}");
        }
        // The gradient of what rises by 1 along x is 1: −∫ x ∂W/∂x = ∫ q |W'| / 3.
        assert!((over_space(|q| SPIKY * spiky_slope(q) * q / 3.0) - 1.0).abs() < 1e-4);
    }

    #[test]
    fn the_laplacian_of_a_parabola_is_its_curvature() {
        // ½ x² has a second slope of 1, and x² is a third of q² over a sphere.
        let found = over_space(|q| 0.5 * q * q / 3.0 * LAPLACIAN * laplacian(q));
        assert!((found - 1.0).abs() < 1e-4, "{found}");
        let kernel = |q: f32| 15.0 / (2.0 * PI) * (-0.5 * q * q * q + q * q + 0.5 / q - 1.0);
        for q in [0.3_f32, 0.6] {
            let step = 0.02;
            let [before, at, after] = [q - step, q, q + step].map(|q| q * kernel(q));
            let by_steps = (before - 2.0 * at + after) / (step * step) / q;
            assert!(
                (by_steps / (LAPLACIAN * laplacian(q)) - 1.0).abs() < 0.02,
                "{by_steps} at {q}"
            );
        }
    }

    #[test]
    fn half_of_it_is_beyond_a_plane_through_its_middle_and_the_slope_is_that() {
        assert!((Spiky::share(0.0) - 0.5).abs() < 1e-6);
        assert_eq!([Spiky::share(1.0), Spiky::share(3.0)], [0.0; 2]);
        for q in [0.1_f32, 0.25, 0.7] {
            let by_steps = (Spiky::share(q - 1e-3) - Spiky::share(q + 1e-3)) / 2e-3;
            assert!((by_steps - Spiky::slope(q)).abs() < 2e-3, "{by_steps} at {q}");
            // The disc at that height, by rings.
            let rings = 2000;
            let ring = |k: i32| {
                let rho = (k as f32 + 0.5) / rings as f32;
                2.0 * PI * rho * SPIKY * spiky(rho.hypot(q)) / rings as f32
            };
            let disc: f32 = (0..rings).map(ring).sum();
            assert!((disc - Spiky::slope(q)).abs() < 1e-3, "{disc} at {q}");
        }
    }
}
