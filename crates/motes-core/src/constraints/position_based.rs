//! Liquids keep their density as in *Position Based Fluids* (Macklin and Müller 2013, "the paper", §3 and 4): `C = n/n₀ − 1 = 0` for every
//! particle, or `≤ 0` as in *Unified Particle Physics* (Macklin et al. 2014, eq. 26).
//!
//! Densities are weighed by Poly6, slopes are those of the spiky kernel (Müller et al. 2003, eq. 20 and 21), as in the paper. In every iteration
//! each particle gets a multiplier from its own density alone (eq. 11) and all move at once by their own and their neighbours' (eq. 12, 14);
//! nothing is averaged, and what iterations have done before is forgotten.
//!
//! What the paper leaves open is as in [`density`](super::density): n counts particles, also solid ones (Unified, eq. 27), and n₀ is
//! that of a cubic lattice a diameter apart. Multipliers are found with inverse masses (Unified, eq. 5), by which everybody gives way, so that momentum is kept
//! whatever liquids and bodies weigh. Walls count as if the lattice went on within them.

use std::f32::consts::PI;

use serde::{Deserialize, Serialize};

use super::density::{SAME_PLACE, beyond};

/// How the density constraints of *Position Based Fluids* are solved.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct PositionBased {
    /// Whether particles that are too far apart are drawn together, as in the paper of 2013, or are left alone, as in that of 2014. Default true.
    pub bilateral: bool,
    /// Relaxation ε of eq. 10, in denominators of a particle in the lattice: 0 and more. Default 2: where liquids fill their surroundings no error is overshot.
    pub relaxation: f32,
    /// What multipliers are divided by. Default exact.
    pub denominator: Denominator,
    /// Strength k of the artificial pressure of eq. 13: two particles at its distance push each other apart as if both were too dense by so much of the rest
    /// density, 0 to 1. Default 0.05.
    pub artificial_pressure: f32,
    /// Its distance |Δq|, in smoothing radii, below 1. Default 0.3.
    pub artificial_distance: f32,
    /// Its exponent n, 1 to 16. Default 4.
    pub artificial_exponent: u32,
}

/// What the multipliers of densities are divided by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Denominator {
    /// The squares of all slopes of the density where particles are (eq. 9).
    #[default]
    Exact,
    /// Those in the lattice, for the lightest of the particle and its neighbours (Unified, §7.1): what has few neighbours is moved less.
    Precomputed,
}

impl Default for PositionBased {
    fn default() -> Self {
        Self {
            bilateral: true,
            relaxation: 2.0,
            denominator: Denominator::Exact,
            artificial_pressure: 0.05,
            artificial_distance: 0.3,
            artificial_exponent: 4,
        }
    }
}

impl PositionBased {
    /// As in *Unified Particle Physics*: particles are only pushed apart, and denominators are those of the lattice.
    pub const UNIFIED: Self = Self {
        bilateral: false,
        relaxation: 2.0,
        denominator: Denominator::Precomputed,
        artificial_pressure: 0.0,
        artificial_distance: 0.3,
        artificial_exponent: 4,
    };

    /// First value that cannot be used, with what was expected of it.
    pub fn problem(&self) -> Option<(&'static str, String, &'static str)> {
        let checks = [
            (
                "liquids.relaxation",
                self.relaxation.to_string(),
                (0.0..=1000.0).contains(&self.relaxation),
                "between 0 and 1000",
            ),
            (
                "liquids.artificial_pressure",
                self.artificial_pressure.to_string(),
                (0.0..=1.0).contains(&self.artificial_pressure),
                "between 0 and 1",
            ),
            (
                "liquids.artificial_distance",
                self.artificial_distance.to_string(),
                (0.0..=0.9).contains(&self.artificial_distance),
                "between 0 and 0.9 smoothing radii",
            ),
            (
                "liquids.artificial_exponent",
                self.artificial_exponent.to_string(),
                (1..=16).contains(&self.artificial_exponent),
                "between 1 and 16",
            ),
        ];
        { checks.into_iter().find(|(_, _, fine, _)| !fine) }.map(|(field, value, _, expected)| (field, value, expected))
    }

    /// By how much a particle whose density is off by so much is to be corrected.
    #[inline(always)]
    pub fn error(&self, excess: f32) -> f32 {
        if self.bilateral { excess } else { excess.max(0.0) }
    }

    /// What the artificial pressures of pairs are to be multiplied with at distances in smoothing radii: 1 at [`Self::artificial_distance`] (eq. 13).
    #[inline(always)]
    pub fn crowding<const N: usize>(&self, q: [f32; N]) -> [f32; N] {
        let unit = 1.0 / weight(self.artificial_distance);
        let ratio = q.map(|q| unit * weight(q));
        let mut power = ratio;
        for _ in 1..self.artificial_exponent {
            for k in 0..N {
                power[k] *= ratio[k];
            }
        }
        power
    }
}

/// Weight of a neighbour at a distance in smoothing radii, compared to that at distance 0: Poly6.
#[inline(always)]
pub fn weight(q: f32) -> f32 {
    let left = (1.0 - q * q).max(0.0);
    left * left * left
}

/// Slope of the spiky kernel over that of Poly6 at distance 0, over `-q`, so that the slope at an offset is the offset times a number.
#[inline(always)]
pub fn slope(q: f32) -> f32 {
    let left = (1.0 - q).max(0.0);
    SPIKY * left * left / q.max(SAME_PLACE)
}

/// The spiky kernel's `45/π` over the `315/(64 π)` of Poly6.
pub const SPIKY: f32 = 64.0 / 7.0;

/// What makes [`weight`] 1 over all space, for a smoothing radius of 1.
pub const UNIT: f32 = 315.0 / (64.0 * PI);

/// Least denominator, in those of the lattice: what has no neighbours has none.
pub const LEAST: f32 = 1e-6;

/// What a lattice of particles a diameter apart says, for a smoothing radius in diameters.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Filled {
    /// Sum of the [`weight`]s of a particle and all its neighbours.
    pub sum: f32,
    /// What [`beyond`] is to be multiplied with, so that a wall counts as the lattice would that went on beyond it.
    pub wall: f32,
    /// Squares of all slopes of a density, for an inverse mass and a smoothing radius of 1.
    pub denominator: f32,
}

impl Filled {
    /// Sums over it.
    pub fn new(smoothing: f32) -> Self {
        let reach = smoothing.ceil() as i32;
        let (mut sum, mut below, mut squares) = (0.0_f64, 0.0_f64, 0.0_f64);
        for x in -reach..=reach {
            for y in -reach..=reach {
                for z in -reach..=reach {
                    let distance = ((x * x + y * y + z * z) as f64).sqrt();
                    let q = (distance / f64::from(smoothing)) as f32;
                    let weight = f64::from(weight(q));
                    sum += weight;
                    below += if y < 0 { weight } else { 0.0 };
                    if q > 0.0 {
                        squares += f64::from(q * slope(q)).powi(2);
                    }
                }
            }
        }
        Self {
            sum: sum as f32,
            wall: (below / sum / f64::from(beyond(0.5 / smoothing))) as f32,
            // The slope at the particle itself vanishes.
            denominator: (squares / (sum * sum)) as f32,
        }
    }

    /// Denominator of a particle in the lattice, 1/(kg m²), by the inverse mass and one over the smoothing radius.
    #[inline(always)]
    pub fn denominator(&self, inverse_mass: f32, inverse_reach: f32) -> f32 {
        self.denominator * inverse_mass * inverse_reach * inverse_reach
    }

    /// Half of the multiplier, kg m², by which a particle pushes another at the distance of the artificial pressure: what eq. 11 gives it for an excess of the
    /// strength. Each of two brings its own half, so that the push is the same for both.
    #[inline(always)]
    pub fn push(&self, settings: &PositionBased, inverse_mass: f32, inverse_reach: f32) -> f32 {
        if inverse_mass == 0.0 {
            return 0.0;
        }
        0.5 * settings.artificial_pressure / self.denominator(inverse_mass, inverse_reach)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::constraints::smoothing::poly6;

    #[test]
    fn weights_are_poly6_and_slopes_are_spiky() {
        for q in [0.0_f32, 0.3, 0.7, 1.2] {
            assert!((UNIT * weight(q) - poly6(q * q, 1.0)).abs() < 1e-6);
        }
        // -45/π (1 - q)² halfway out.
        let halfway = UNIT * 0.5 * slope(0.5);
        assert!((halfway - 45.0 / PI * 0.25).abs() < 1e-4, "{halfway}");
        assert_eq!([weight(1.0), slope(1.0), slope(2.0)], [0.0; 3]);
    }

    #[test]
    fn a_lattice_of_two_spacings_by_hand() {
        let filled = Filled::new(2.0);
        // Itself, six at 1/2, twelve at √2/2, eight at √3/2: 1 + 6 (3/4)³ + 12/8 + 8/64.
        assert!((filled.sum - 5.156_25).abs() < 1e-4, "{}", filled.sum);
        // One, four and four of these are below.
        let below = (0.421_875 + 0.5 + 0.0625) / 5.156_25;
        assert!((filled.wall * beyond(0.25) - below).abs() < 1e-5);
        // (64/7)² [6/16 + 12 (1 - √2/2)⁴ + 8 (1 - √3/2)⁴] / 5.156².
        assert!((filled.denominator - 1.464_8).abs() < 1e-3, "{}", filled.denominator);
    }

    #[test]
    fn only_a_bilateral_constraint_draws_together() {
        let both = PositionBased::default();
        assert_eq!([both.error(0.2), both.error(-0.2)], [0.2, -0.2]);
        let one = PositionBased::UNIFIED;
        assert_eq!([one.error(0.2), one.error(-0.2)], [0.2, 0.0]);
    }

    #[test]
    fn artificial_pressure_by_hand() {
        let settings = PositionBased {
            artificial_distance: 0.2,
            artificial_exponent: 2,
            artificial_pressure: 0.1,
            ..PositionBased::default()
        };
        let [same, further, out] = settings.crowding([0.2, 0.5, 1.0]);
        // ((1 - 0.25) / (1 - 0.04))⁶.
        assert!(
            (same - 1.0).abs() < 1e-6 && (further - 0.227_37).abs() < 1e-4 && out == 0.0,
            "{same} {further} {out}"
        );
        // Two alike of 2 kg with a reach of half a metre push with 0.1 / (D · 0.5 · 4) together.
        let filled = Filled::new(2.0);
        let push = filled.push(&settings, 0.5, 2.0);
        assert!((2.0 * push * filled.denominator - 0.05).abs() < 1e-6, "{push}");
        assert_eq!(filled.push(&settings, 0.0, 2.0), 0.0);
    }

    #[test]
    fn values_that_cannot_be_used_are_named() {
        let named = |settings: PositionBased| settings.problem().map(|(field, _, _)| field);
        let usual = PositionBased::default();
        assert_eq!([named(usual), named(PositionBased::UNIFIED)], [None; 2]);
        let relaxation = f32::NAN;
        assert_eq!(named(PositionBased { relaxation, ..usual }), Some("liquids.relaxation"));
        let artificial_distance = 1.0;
        let found = named(PositionBased {
            artificial_distance,
            ..usual
        });
        assert_eq!(found, Some("liquids.artificial_distance"));
        let artificial_exponent = 0;
        let found = named(PositionBased {
            artificial_exponent,
            ..usual
        });
        assert_eq!(found, Some("liquids.artificial_exponent"));
    }
}
