//! Air: how dense it is and how it moves, steady, in gusts and in eddies.

use glam::Vec3;
use serde::{Deserialize, Serialize};

use crate::random::Random;

/// Wind, everywhere and at any time. Faces feel it (see [`crate::NewFace`]); still air of this density is felt by what moves in it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Wind {
    /// Its mean velocity, m/s.
    pub velocity: Vec3,
    /// By which share of itself it grows and dies down, 0 to 1.
    pub gusts: f32,
    /// Time from one gust to the next, about, seconds.
    pub gust_period: f32,
    /// Speed of its eddies, root mean square, m/s. They drift with the wind, and change as they go.
    pub turbulence: f32,
    /// Size of the largest eddies, metres; the smallest are a quarter of it.
    pub eddy_size: f32,
    /// Other eddies and gusts for every number.
    pub seed: u64,
    /// Density of the air, kg/m³; 0 for none.
    pub density: f32,
}

impl Default for Wind {
    /// Still air at sea level.
    fn default() -> Self {
        Self {
            velocity: Vec3::ZERO,
            gusts: 0.0,
            gust_period: 4.0,
            turbulence: 0.0,
            eddy_size: 1.0,
            seed: 0,
            density: 1.2,
        }
    }
}

/// Waves that eddies are made of.
pub const EDDIES: usize = 12;
/// Waves that gusts are made of.
const GUSTS: usize = 3;

/// One wave of eddies: a velocity across its direction, so that it neither gathers nor thins the air.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Eddy {
    /// Phase by place, turns per metre.
    pub wave: Vec3,
    /// Phase at the origin, turns.
    pub phase: f32,
    /// Velocity where it is greatest, m/s.
    pub velocity: Vec3,
}

/// Wind at a moment.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Air {
    /// Velocity without eddies, m/s.
    pub velocity: Vec3,
    /// Density, kg/m³.
    pub density: f32,
    /// What adds to the velocity; none where there is no turbulence.
    pub eddies: Vec<Eddy>,
}

impl Eddy {
    /// What it adds to the velocity at a point, m/s.
    #[inline(always)]
    pub fn at(&self, point: Vec3) -> Vec3 {
        self.velocity * sine(self.wave.dot(point) + self.phase)
    }
}

impl Air {
    /// Velocity at a point, m/s.
    pub fn velocity_at(&self, point: Vec3) -> Vec3 {
        self.velocity + self.eddies.iter().map(|eddy| eddy.at(point)).sum::<Vec3>()
    }
}

/// The sine of an angle in turns, to a thousandth: two parabolas, bent a little, of which every engine makes the same.
#[inline(always)]
pub fn sine(turns: f32) -> f32 {
    let t = turns - (turns + 0.5).floor();
    let s = 8.0 * t - 16.0 * t * t.abs();
    0.225 * (s * s.abs() - s) + s
}

impl Wind {
    /// The air at a time, seconds.
    pub fn at(&self, time: f64) -> Air {
        let mut random = Random::new(self.seed, 0);
        let mut gust = 0.0;
        for k in 0..GUSTS {
            let rate = std::f64::consts::TAU / f64::from(self.gust_period) * [1.0, 1.618, 0.382][k];
            let phase = std::f64::consts::TAU * f64::from(random.unit());
            gust += (rate * time + phase).sin() / GUSTS as f64;
        }
        let eddies = match self.turbulence > 0.0 {
            true => (0..EDDIES).map(|k| self.eddy(k, time, &mut random)).collect(),
            false => Vec::new(),
        };
        Air {
            velocity: self.velocity * (1.0 + self.gusts * gust as f32),
            density: self.density,
            eddies,
        }
    }

    fn eddy(&self, number: usize, time: f64, random: &mut Random) -> Eddy {
        // Largest first; smaller ones are slower, by the third root of their size (Kolmogorov 1941).
        let finer = 4f32.powf(number as f32 / (EDDIES - 1) as f32);
        let share = |finer: f32| finer.powf(-2.0 / 3.0);
        let all: f32 = (0..EDDIES)
            .map(|k| share(4f32.powf(k as f32 / (EDDIES - 1) as f32)))
            .sum();
        let speed = self.turbulence * (2.0 * share(finer) / all).sqrt();
        let direction = loop {
            let point = Vec3::new(random.signed(), random.signed(), random.signed());
            if (0.01..=1.0).contains(&point.length_squared()) {
                break point.normalize();
            }
        };
        let across = direction.any_orthonormal_vector();
        let turn = std::f32::consts::TAU * random.unit();
        let across = turn.cos() * across + turn.sin() * direction.cross(across);
        let wave = direction * (finer / self.eddy_size);
        // They drift with the wind, and turn over in the time that their own speed takes to cross them.
        let rate = f64::from(wave.dot(self.velocity)) + f64::from(wave.length() * speed);
        let phase = f64::from(random.unit()) - rate * time;
        Eddy {
            wave,
            phase: phase.rem_euclid(1.0) as f32,
            velocity: speed * across,
        }
    }

    /// The first value that makes no sense: its field, what was found and what was expected.
    pub fn problem(&self) -> Option<(&'static str, String, &'static str)> {
        let at_least_zero = |value: f32| value >= 0.0 && value.is_finite();
        let positive = |value: f32| value > 0.0 && value.is_finite();
        let fine = |value: f32, is: bool| (!is).then(|| value.to_string());
        if !self.velocity.is_finite() {
            return Some(("velocity", self.velocity.to_string(), "numbers, m/s"));
        }
        [
            ("gusts", fine(self.gusts, (0.0..=1.0).contains(&self.gusts)), "0 to 1"),
            (
                "gust_period",
                fine(self.gust_period, positive(self.gust_period)),
                "a positive time, s",
            ),
            (
                "turbulence",
                fine(self.turbulence, at_least_zero(self.turbulence)),
                "0 or more, m/s",
            ),
            (
                "eddy_size",
                fine(self.eddy_size, positive(self.eddy_size)),
                "a positive length, m",
            ),
            (
                "density",
                fine(self.density, at_least_zero(self.density)),
                "0 or more, kg/m³",
            ),
        ]
        .into_iter()
        .find_map(|(field, found, expected)| Some((field, found?, expected)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn breeze() -> Wind {
        Wind {
            velocity: Vec3::new(5.0, 0.0, 0.0),
            gusts: 0.5,
            turbulence: 2.0,
            eddy_size: 0.8,
            seed: 7,
            ..Wind::default()
        }
    }

    #[test]
    fn the_sine_is_one_to_a_thousandth() {
        for k in -300..300 {
            let turns = k as f32 / 97.0;
            let exact = (std::f32::consts::TAU * turns).sin();
            assert!((sine(turns) - exact).abs() < 1.2e-3, "{turns}");
        }
    }

    #[test]
    fn still_air_does_not_move() {
        let air = Wind::default().at(3.0);
        assert_eq!(air.velocity_at(Vec3::ONE), Vec3::ZERO);
        assert!(air.eddies.is_empty());
    }

    #[test]
    fn eddies_have_the_speed_asked_for_and_neither_sources_nor_sinks() {
        let air = breeze().at(1.0);
        let (mut squares, mut count) = (0.0, 0);
        for k in 0..4000 {
            let point = 37.0
                * Vec3::new(
                    (k as f32 * 0.618).fract(),
                    (k as f32 * 0.414).fract(),
                    (k as f32 * 0.732).fract(),
                );
            squares += (air.velocity_at(point) - air.velocity).length_squared();
            count += 1;
        }
        let speed = (squares / count as f32).sqrt();
        assert!((speed / 2.0 - 1.0).abs() < 0.05, "{speed}");
        for eddy in &air.eddies {
            assert!(eddy.wave.dot(eddy.velocity).abs() < 1e-3 * eddy.wave.length() * eddy.velocity.length());
        }
    }

    #[test]
    fn gusts_stay_within_their_share_and_average_to_nothing() {
        let wind = breeze();
        let speeds: Vec<f32> = (0..4000).map(|k| wind.at(f64::from(k) * 0.1).velocity.x).collect();
        let mean = speeds.iter().sum::<f32>() / 4000.0;
        assert!((mean / 5.0 - 1.0).abs() < 0.02, "{mean}");
        assert!(speeds.iter().all(|&speed| (2.5..=7.5).contains(&speed)));
        assert!(speeds.iter().any(|&speed| speed > 6.0) && speeds.iter().any(|&speed| speed < 4.0));
    }

    #[test]
    fn another_seed_is_another_wind_and_the_same_seed_the_same() {
        let other = Wind { seed: 8, ..breeze() };
        assert_eq!(breeze().at(2.0), breeze().at(2.0));
        assert_ne!(breeze().at(2.0).eddies, other.at(2.0).eddies);
    }
}
