//! How markers of smoke move (Unified, §7.2.1): with the gas about them, or on their own where there is none.

use glam::Vec3;

use super::Strays;
use crate::air::Air;
use crate::heat::{AMBIENT, relax};
use crate::settings::Settings;

/// Seconds in which markers that have left the gas come 63 % of the way to the temperature of the surroundings.
pub const STRAYS_COOL: f32 = 1.0;

/// What a marker has of gas about it: sums over the gas within the smoothing radius, weighted by their kernels (eq. 28).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Carried {
    /// Of the weights.
    pub weight: f32,
    /// Of the velocities, m/s.
    pub velocity: Vec3,
    /// Of the temperatures, °C.
    pub temperature: f32,
}

/// How markers move in a sub-step.
#[derive(Clone, Copy, Debug)]
pub struct MarkerMotion<'a> {
    /// What strays do.
    pub strays: Strays,
    /// What gravity adds to the velocity of strays that fly, m/s.
    pub kick: Vec3,
    /// What is left of their speed.
    pub flies: f32,
    /// The wind that others go with.
    pub air: &'a Air,
    /// Length of the sub-step, seconds.
    pub h: f32,
}

impl<'a> MarkerMotion<'a> {
    /// That of a sub-step of `h` seconds.
    pub fn new(strays: Strays, settings: &Settings, air: &'a Air, h: f32) -> Self {
        Self {
            strays,
            kick: h * settings.gravity,
            flies: (-settings.passive_drag * h).exp(),
            air,
            h,
        }
    }

    /// Velocity of a marker after the sub-step and in the mean of it, m/s, and its temperature, °C, from what they were and where it was.
    #[inline]
    pub fn moved(&self, place: Vec3, velocity: Vec3, temperature: f32, carried: &Carried) -> (Vec3, Vec3, f32) {
        if carried.weight > 0.0 {
            let velocity = carried.velocity / carried.weight;
            return (velocity, velocity, carried.temperature / carried.weight);
        }
        let temperature = relax(temperature, AMBIENT, STRAYS_COOL, self.h);
        match self.strays {
            Strays::Fly => {
                let after = self.flies * (velocity + self.kick);
                (after, 0.5 * (velocity + after), temperature)
            }
            Strays::Wind => {
                let wind = self.air.velocity_at(place);
                (wind, wind, temperature)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gas_carries_and_strays_fly_or_go_with_the_wind() {
        let air = Air {
            velocity: Vec3::Z,
            ..Air::default()
        };
        let settings = Settings {
            passive_drag: 0.0,
            gravity: -10.0 * Vec3::Y,
            ..Settings::default()
        };
        let motion = |strays| MarkerMotion::new(strays, &settings, &air, 0.1);
        let carried = Carried {
            weight: 0.5,
            velocity: Vec3::X,
            temperature: 40.0,
        };
        assert_eq!(
            motion(Strays::Fly).moved(Vec3::ZERO, Vec3::Y, 20.0, &carried),
            (2.0 * Vec3::X, 2.0 * Vec3::X, 80.0)
        );
        let nothing = Carried::default();
        let (after, mean, _) = motion(Strays::Fly).moved(Vec3::ZERO, Vec3::X, 20.0, &nothing);
        assert_eq!((after, mean), (Vec3::new(1.0, -1.0, 0.0), Vec3::new(1.0, -0.5, 0.0)));
        let (after, _, cooled) = motion(Strays::Wind).moved(Vec3::ZERO, Vec3::X, 120.0, &nothing);
        assert_eq!(after, Vec3::Z);
        assert!((cooled - (20.0 + 100.0 * (-0.1_f32).exp())).abs() < 1e-3);
    }
}
