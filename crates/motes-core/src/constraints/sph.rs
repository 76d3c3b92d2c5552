//! Weakly compressible SPH (Müller et al. 2003; Macklin's lecture on SPH and PBD): forces from densities, as they are at the start of a sub-step.
//!
//! Densities are numbers of particles over those in a lattice, n, as [`density`](super::density) counts them. What is too dense has a pressure that is
//! proportional to the excess, never below zero, and pushes along the slope of the kernel; what moves differently from its neighbours is slowed down by the Laplacian of
//! a kernel of its own. Velocities change first and places by them (symplectic Euler).
//!
//! What differs from the lecture, since liquids at rest shall stay so:
//!
//! - Spiky weighs densities too. With Poly6 for densities and Spiky for slopes forces are those of no energy, and a tank of still water boils: 0.2 m/s with five
//!   times the viscosity that lets it rest here.
//! - The sum `p_i/n_i² + p_j/n_j²` (Monaghan 1992) makes forces symmetric, not the mean of both pressures: that gives half of the slope of a pressure, because the own half adds
//!   up to nothing where neighbours lie evenly.
//! - A particle is never larger than at rest, or those at the surface are thrown.

use serde::{Deserialize, Serialize};

use super::density::Beyond;
use super::sph_kernels::{Spiky, laplacian, spiky, spiky_slope};

/// How stiff and how thick a liquid of weakly compressible SPH is, besides what its material says.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sph {
    /// Speed of sound, m/s: the square of it is the stiffness. Default 20. The liquid gives way by `g H/c²` at a depth H, and by
    /// about `v²/c²` where it moves at v: ten times the fastest speed keeps that to a hundredth. Sub-steps have to be as short as it is fast.
    pub speed_of_sound: f32,
    /// Viscosity besides that of the material, which forces at places need to come to rest, in tenths of `c` times the smoothing radius
    /// (Monaghan 1992, α). Default 0.05, with which a tank comes to rest within ten seconds; with 0 it never does.
    pub artificial_viscosity: f32,
}

impl Default for Sph {
    fn default() -> Self {
        Self {
            speed_of_sound: 20.0,
            artificial_viscosity: 0.05,
        }
    }
}

/// The fastest wave of a lattice, in rad per time that sound takes for a smoothing radius.
const FASTEST_WAVE: f32 = 2.4;

/// How fast the thickest wave decays, times the smoothing radius squared and over the kinematic viscosity.
const FASTEST_DECAY: f32 = 17.0;

/// What of the longest sub-step that a lattice bears is left to what is no lattice.
const MARGIN: f32 = 0.5;

impl Sph {
    /// Pressure over the squared density, pascals, of a liquid of a rest density, kg/m³, that is so dense compared to it; what drives it apart
    /// is the slope of the density times this.
    #[inline(always)]
    pub fn pressure(&self, lattice: &Lattice, rest_density: f32, density: f32) -> f32 {
        let stiffness = self.speed_of_sound * self.speed_of_sound * lattice.stiffer;
        let dense = density.max(1.0);
        stiffness * rest_density * (density - 1.0).max(0.0) / (dense * dense)
    }

    /// Dynamic viscosity that is added to that of the material, Pa·s, given the rest density, kg/m³, and the smoothing radius, metres.
    pub fn added_viscosity(&self, rest_density: f32, reach: f32) -> f32 {
        0.1 * self.artificial_viscosity * self.speed_of_sound * reach * rest_density
    }

    /// First setting whose value cannot be used, with what was expected of it.
    pub fn problem(&self) -> Option<(&'static str, String, &'static str)> {
        let checks = [
            (
                "speed_of_sound",
                self.speed_of_sound,
                1e-3..=1e4,
                "between 0.001 and 10000 m/s",
            ),
            (
                "artificial_viscosity",
                self.artificial_viscosity,
                0.0..=10.0,
                "between 0 and 10",
            ),
        ];
        checks
            .into_iter()
            .find(|(_, value, range, _)| !range.contains(value))
            .map(|(field, value, _, expected)| (field, value.to_string(), expected))
    }

    /// Longest sub-step, seconds, in which neither sound nor viscosity gains from one to the next, with a margin: of particles with a smoothing
    /// radius, metres, of a liquid of a viscosity, Pa·s, and a density, kg/m³.
    pub fn longest_substep(&self, reach: f32, viscosity: f32, density: f32) -> f32 {
        // A swing of frequency ω that decays at γ is stable as long as (ω h)² + 2 γ h < 4.
        let wave = FASTEST_WAVE * self.speed_of_sound / reach;
        let kinematic = (viscosity + self.added_viscosity(density, reach)) / density;
        let decay = FASTEST_DECAY * kinematic / (reach * reach);
        let least = 4.0 / (decay + (decay * decay + 4.0 * wave * wave).sqrt());
        MARGIN * least
    }
}

/// What a lattice of particles a diameter apart says, for a smoothing radius in diameters.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lattice {
    /// Sum of the weights of a particle and all its neighbours.
    pub sum: f32,
    /// What the share of the kernel beyond a plane is to be multiplied with, so that walls count as the lattice.
    pub wall: f32,
    /// What the square of a speed of sound is to be multiplied with, so that sound has it: few neighbours take less notice of how close they come than a liquid
    /// does.
    pub stiffer: f32,
    /// What [`laplacian`] is to be multiplied with, times the volume of the other and over the smoothing radius squared, so that the Laplacian is exact.
    pub laplacian: f32,
    /// The same for walls, from their share of the density: the lattice in them goes the other way, so that the liquid sticks to their surface.
    pub wall_laplacian: f32,
}

impl Lattice {
    /// Sums over it.
    pub fn new(smoothing: f32) -> Self {
        let reach = smoothing.ceil() as i32;
        let half = 0.5 / smoothing;
        let [mut sum, mut below, mut rise, mut curve, mut drag] = [0.0_f64; 5];
        for x in -reach..=reach {
            for y in -reach..=reach {
                for z in -reach..=reach {
                    let distance = ((x * x + y * y + z * z) as f64).sqrt();
                    let q = (distance / f64::from(smoothing)) as f32;
                    sum += f64::from(spiky(q));
                    rise += f64::from(spiky_slope(q) * q / 3.0);
                    curve += f64::from(laplacian(q) * q * q / 6.0);
                    if y < 0 {
                        below += f64::from(spiky(q));
                        drag += f64::from(laplacian(q)) * f64::from(-y) / 0.5;
                    }
                }
            }
        }
        let part = below / sum;
        Self {
            sum: sum as f32,
            wall: (part / f64::from(Spiky::share(half))) as f32,
            stiffer: (sum / rise).powi(2) as f32,
            laplacian: (1.0 / curve) as f32,
            wall_laplacian: (drag / curve / part) as f32,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::f32::consts::PI;

    use glam::Vec3;

    use super::super::sph_kernels::LAPLACIAN;
    use super::*;

    /// Places of a lattice within a smoothing radius of the origin, without it.
    fn places(smoothing: f32) -> impl Iterator<Item = Vec3> {
        let reach = smoothing.ceil() as i32;
        let line = move || -reach..=reach;
        line()
            .flat_map(move |x| line().flat_map(move |y| line().map(move |z| Vec3::new(x as f32, y as f32, z as f32))))
            .filter(move |place| place.length() < smoothing && *place != Vec3::ZERO)
    }

    #[test]
    fn a_lattice_of_two_spacings_by_hand() {
        let lattice = Lattice::new(2.0);
        // Itself, six at 1/2, twelve at √2/2, eight at √3/2: 1 + 6·0.125 + 12·0.025126 + 8·0.002405.
        assert!((lattice.sum - 2.070_75).abs() < 1e-4, "{}", lattice.sum);
        // One, four and four of them are below.
        let below = (0.125 + 4.0 * 0.025_126 + 4.0 * 0.002_405) / 2.070_75;
        assert!((lattice.wall * Spiky::share(0.25) - below).abs() < 1e-5);
        // Of a lattice that is squeezed by a hundredth the density rises by what the stiffness makes up for.
        let squeezed: f32 = places(2.0).map(|place| spiky(0.5 * 0.99 * place.length())).sum();
        let noticed = (squeezed - (lattice.sum - 1.0)) / lattice.sum / 0.03;
        assert!((noticed * lattice.stiffer.sqrt() - 1.0).abs() < 0.03, "{noticed}");
        let fine = Lattice::new(6.0);
        assert!((fine.stiffer - 1.0).abs() < 0.02 && (fine.wall - 1.0).abs() < 0.03);
        assert!((fine.laplacian * 216.0 / LAPLACIAN - 1.0).abs() < 2e-3);
    }

    #[test]
    fn the_mean_of_the_lecture_gives_half_the_slope_of_a_pressure_and_the_sum_all_of_it() {
        let lattice = Lattice::new(2.0);
        let pressure = |place: Vec3| 5.0 + 3.0 * place.y;
        let force = |pair: fn(f32, f32) -> f32| -> f32 {
            places(2.0)
                .map(|place| {
                    let strength = lattice.stiffer.sqrt() * spiky_slope(0.5 * place.length()) / (2.0 * lattice.sum);
                    strength * pair(pressure(Vec3::ZERO), pressure(place)) * -place.y / place.length()
                })
                .sum()
        };
        let sum = force(|a, b| a + b);
        assert!((sum + 3.0).abs() < 1e-4, "{sum}");
        assert!((force(|a, b| 0.5 * (a + b)) + 1.5).abs() < 1e-4);
    }

    #[test]
    fn pressure_by_hand_and_never_negative() {
        let sph = Sph {
            speed_of_sound: 30.0,
            ..Sph::default()
        };
        let lattice = Lattice::new(2.0);
        let expected = 18_000.0 * lattice.stiffer / 1.02_f32.powi(2);
        assert!((sph.pressure(&lattice, 1000.0, 1.02) / expected - 1.0).abs() < 1e-4);
        assert_eq!(sph.pressure(&lattice, 1000.0, 0.7), 0.0);
        let added = 0.1 * sph.artificial_viscosity * 30.0 * 0.1 * 1000.0;
        assert!((sph.added_viscosity(1000.0, 0.1) - added).abs() < 1e-4);
    }

    #[test]
    fn no_wave_of_a_lattice_is_faster_than_sub_steps_are_told_from() {
        for smoothing in [1.5_f32, 2.0, 2.5, 3.0] {
            let lattice = Lattice::new(smoothing);
            let (mut wave, mut decay) = (0.0_f32, 0.0_f32);
            for (a, b, c) in (0..=12).flat_map(|a| (0..=a).flat_map(move |b| (0..=b).map(move |c| (a, b, c)))) {
                let k = PI / 12.0 * Vec3::new(a as f32, b as f32, c as f32);
                let (mut slope, mut slowed) = (Vec3::ZERO, 0.0);
                for place in places(smoothing) {
                    let (q, phase) = (place.length() / smoothing, k.dot(place));
                    slope += place.normalize() * (spiky_slope(q) / lattice.sum * phase.sin());
                    slowed += lattice.laplacian * laplacian(q) * (1.0 - phase.cos());
                }
                wave = wave.max(slope.length() * lattice.stiffer.sqrt());
                decay = decay.max(slowed);
            }
            assert!(
                wave <= 1.01 * FASTEST_WAVE && wave > 0.85 * FASTEST_WAVE,
                "{wave} at {smoothing}"
            );
            assert!(
                decay <= FASTEST_DECAY && decay > 0.8 * FASTEST_DECAY,
                "{decay} at {smoothing}"
            );
        }
    }

    #[test]
    fn thick_liquids_take_shorter_sub_steps_and_thin_ones_those_of_sound() {
        let sph = Sph {
            speed_of_sound: 20.0,
            artificial_viscosity: 0.0,
        };
        let sound = sph.longest_substep(0.08, 0.0, 1000.0);
        assert!(
            (sound - MARGIN * 2.0 * 0.08 / (FASTEST_WAVE * 20.0)).abs() < 1e-7,
            "{sound}"
        );
        let thick = sph.longest_substep(0.08, 1000.0, 1000.0);
        // 2 γ h = 4.
        let alone = MARGIN * 2.0 * 0.08 * 0.08 / FASTEST_DECAY;
        assert!(thick < alone && thick > 0.9 * alone, "{thick} of {alone}");
    }
}
