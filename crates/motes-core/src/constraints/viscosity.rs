//! Viscosity: neighbours share their velocities (XSPH; Fluids §5, eq. 17), as much as a dynamic viscosity in Pa·s says (Laplacian after
//! Brookshaw 1985; Morris et al. 1997).
//!
//! What two particles exchange is equal and opposite. Plainly that is stable only as long as nobody gives away more than it has;
//! [`exchanges`] goes further, by super time stepping (Alexiades et al. 1996): a few exchanges of different size, each too large by itself
//! for some waves, and all of them together for none.

use std::f32::consts::PI;

use crate::constraints::density::Lattice;
use crate::engine::Frame;
use crate::material::Material;
use crate::particles::sizes::Sizes;
use crate::settings::Liquids;

/// How much the largest exchange is held back, so that no wave is left as it is.
const HELD_BACK: f32 = 0.02;

/// Most exchanges in a sub-step.
pub const MOST: u32 = 8;

/// Below this part of its velocity that a particle exchanges in a sub-step, nobody would see it.
const NEGLIGIBLE: f32 = 1e-3;

/// How much more crowded than a lattice liquids may be before viscosity is held back.
const CROWDED: f32 = 2.0;

/// How much of the viscous drag a wall gives compared to what its share of a particle's surroundings would: the lattice it stands for is nearer than the
/// mean of the kernel, and goes the other way, so that the liquid sticks to its surface.
pub const STICKS: f32 = 3.6;

/// Exchanges of a sub-step of `h` seconds, each as what the differences of velocities are multiplied with, in seconds; none where all liquids are
/// too thin for it, or where forces do it.
pub fn exchanges(frame: &Frame, lattice: &Lattice, h: f32) -> Vec<f32> {
    let settings = &frame.settings;
    if matches!(settings.liquids, Liquids::Sph(_)) {
        return Vec::new();
    }
    exchanges_of(frame, lattice, h, |material| material.viscosity / material.density)
}

/// The same of heat, which gases exchange by their thermal diffusivity.
pub fn exchanges_of_heat(frame: &Frame, lattice: &Lattice, h: f32) -> Vec<f32> {
    exchanges_of(frame, lattice, h, |material| material.thermal_diffusivity)
}

/// What the shares of a particle in exchanges of heat may add up to, 1/s but for the Laplacian of a lattice: one that has more about it exchanges less, for
/// else it would give away more than it has.
pub fn most_heat(frame: &Frame, lattice: &Lattice) -> f32 {
    CROWDED * fastest(frame, lattice, |material| material.thermal_diffusivity)
}

fn exchanges_of(frame: &Frame, lattice: &Lattice, h: f32, diffusivity: impl Fn(&Material) -> f32) -> Vec<f32> {
    let exchanged = h * lattice.laplacian * fastest(frame, lattice, diffusivity);
    let scale = |part: f32| part * h * lattice.laplacian;
    sweeps(CROWDED * exchanged).into_iter().map(scale).collect()
}

/// What the shares of the particle that exchanges most add up to in a lattice.
fn fastest(frame: &Frame, lattice: &Lattice, diffusivity: impl Fn(&Material) -> f32) -> f32 {
    let settings = &frame.settings;
    let finest = frame.sizes.as_ref().map_or(settings.particle_radius, Sizes::finest);
    let reach = 2.0 * finest * settings.smoothing_radius;
    let most = { frame.materials.as_slice().iter() }
        .map(diffusivity)
        .fold(0.0, f32::max);
    most * lattice.steepness / (reach * reach)
}

/// Viscosity between two liquids, Pa·s, from either of theirs; that of a solid is negative, and the other's counts.
#[inline(always)]
pub fn between(own: f32, other: f32) -> f32 {
    let sum = own + other;
    let mean = if sum > 0.0 { 2.0 * own * other / sum } else { 0.0 };
    let solid = if own < other { other } else { own };
    if (own < 0.0) | (other < 0.0) {
        solid.max(0.0)
    } else {
        mean
    }
}

/// Parts of a sub-step in which velocities are exchanged, given what part of its velocity a particle would exchange in the whole of it. Their
/// sum is 1, or less where that would take too many.
fn sweeps(exchanged: f32) -> Vec<f32> {
    if exchanged < NEGLIGIBLE {
        return Vec::new();
    }
    for count in 1..=MOST {
        let stage = |k: u32| (PI * (2 * k + 1) as f32 / (2 * count) as f32).cos();
        let sizes = (0..count).map(|k| 1.0 / ((HELD_BACK - 1.0) * stage(k) + 1.0 + HELD_BACK));
        let reach: f32 = sizes.clone().sum();
        if reach >= exchanged || count == MOST {
            let part = (exchanged / reach).min(1.0) / exchanged;
            return sizes.map(|size| part * size).collect();
        }
    }
    Vec::new()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_waves_shrink_however_much_is_exchanged() {
        for exchanged in [0.1_f32, 1.0, 5.0, 20.0, 1e4] {
            let parts = sweeps(exchanged);
            // The fastest wave is exchanged twice over.
            for wave in 1..=100 {
                let speed = 0.02 * wave as f32;
                let left: f32 = parts.iter().map(|part| 1.0 - exchanged * part * speed).product();
                assert!(left.abs() < 1.0, "{left} of wave {wave} at {exchanged}");
            }
        }
    }

    #[test]
    fn slow_waves_shrink_as_they_should() {
        for exchanged in [0.5_f32, 4.0, 15.0] {
            let speed = 0.01 / exchanged;
            let left: f32 = sweeps(exchanged)
                .iter()
                .map(|part| 1.0 - exchanged * part * speed)
                .product();
            assert!((left - (-0.01_f32).exp()).abs() < 1e-3);
        }
        assert!(sweeps(1e-4).is_empty());
    }

    #[test]
    fn the_thinner_of_two_liquids_lets_them_slip_and_a_solid_does_not() {
        assert_eq!(between(2.0, 2.0), 2.0);
        assert!(between(0.001, 10.0) < 0.002);
        assert_eq!(
            [
                between(3.0, -1.0),
                between(-1.0, 3.0),
                between(-1.0, 0.0),
                between(0.0, 0.0)
            ],
            [3.0, 3.0, 0.0, 0.0]
        );
    }
}
