//! Temperatures: how warm the surroundings are, where and when.

mod handles;
pub mod melting;
mod pieces;
mod substances;

use glam::Vec3;
use serde::{Deserialize, Serialize};

use crate::space::volume::Volume;

/// Temperature where no zone says otherwise, °C: a room.
pub const AMBIENT: f32 = 20.0;

/// The lowest temperature there is, °C.
pub const ABSOLUTE_ZERO: f32 = -273.15;

/// From 0 °C to kelvin.
pub const ZERO_CELSIUS: f32 = -ABSOLUTE_ZERO;

/// Rate at which gas takes on the temperature of a zone that it is in, at the least, 1/s: zones are there to heat what goes through them.
pub const ZONE_RATE: f32 = 5.0;

/// A temperature, °C, that may change with time: straight from key to key, and constant before the first and after the last.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Temperature {
    /// Times, seconds, in ascending order, and the temperatures there, °C.
    pub keys: Vec<[f32; 2]>,
}

impl Temperature {
    /// The temperature at a time, seconds.
    pub fn at(&self, time: f64) -> f32 {
        let time = time as f32;
        let next = self.keys.partition_point(|key| key[0] <= time);
        match (self.keys[..next].last(), self.keys.get(next)) {
            (Some(&[from, cold]), Some(&[to, warm])) => cold + (warm - cold) * ((time - from) / (to - from)),
            (Some(key), None) | (None, Some(key)) => key[1],
            (None, None) => AMBIENT,
        }
    }

    /// What is wrong with it, if anything: what was found, and what was expected.
    pub fn problem(&self) -> Option<(String, &'static str)> {
        if self.keys.is_empty() {
            return Some(("nothing".into(), "at least one temperature"));
        }
        let unfit = |key: &&[f32; 2]| !(key[0].is_finite() && is_temperature(key[1]));
        if let Some([time, temperature]) = self.keys.iter().find(unfit) {
            let found = format!("{temperature} °C at {time} s");
            return Some((found, "finite times, and temperatures not below absolute zero"));
        }
        let backwards = self.keys.windows(2).find(|pair| pair[1][0] <= pair[0][0])?;
        let found = format!("{} s after {} s", backwards[1][0], backwards[0][0]);
        Some((found, "times in ascending order"))
    }
}

impl From<f32> for Temperature {
    /// The same at all times.
    fn from(temperature: f32) -> Self {
        Self {
            keys: vec![[0.0, temperature]],
        }
    }
}

/// Whether a number is a temperature, °C.
pub(crate) fn is_temperature(number: f32) -> bool {
    number.is_finite() && number >= ABSOLUTE_ZERO
}

/// A region with a temperature of its own.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct HeatZone {
    /// Where it is.
    pub volume: Volume,
    /// How warm it is there, °C.
    pub temperature: Temperature,
}

/// Temperature of the surroundings at a place, metres, and a time, seconds: that of the last zone which contains the place.
pub fn surroundings(zones: &[HeatZone], place: Vec3, time: f64) -> f32 {
    let mut containing = zones.iter().rev().filter(|zone| zone.volume.contains(place));
    containing.next().map_or(AMBIENT, |zone| zone.temperature.at(time))
}

/// Temperature after `dt` seconds in surroundings of another, by Newton's law of cooling, exactly: it never overshoots.
pub fn relax(temperature: f32, surroundings: f32, time_constant: f32, dt: f32) -> f32 {
    surroundings + (temperature - surroundings) * (-dt / time_constant).exp()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_temperature_goes_straight_from_key_to_key_and_waits_at_both_ends() {
        let course = Temperature {
            keys: vec![[1.0, 20.0], [3.0, 80.0], [4.0, 50.0]],
        };
        for (time, expected) in [
            (0.0, 20.0),
            (1.0, 20.0),
            (2.0, 50.0),
            (3.0, 80.0),
            (3.5, 65.0),
            (9.0, 50.0),
        ] {
            assert_eq!(course.at(time), expected, "at {time} s");
        }
        assert_eq!(Temperature::from(7.0).at(100.0), 7.0);
    }

    #[test]
    fn temperatures_are_checked() {
        let bad: [&[[f32; 2]]; 4] = [&[], &[[0.0, -300.0]], &[[f32::NAN, 0.0]], &[[1.0, 0.0], [1.0, 5.0]]];
        for keys in bad {
            assert!(Temperature { keys: keys.to_vec() }.problem().is_some(), "{keys:?}");
        }
        assert_eq!(Temperature::from(ABSOLUTE_ZERO).problem(), None);
    }

    #[test]
    fn the_last_zone_that_contains_a_place_counts() {
        let ball = |radius, temperature: f32| HeatZone {
            volume: Volume::Sphere {
                center: Vec3::ZERO,
                radius,
            },
            temperature: temperature.into(),
        };
        let zones = [ball(2.0, 100.0), ball(1.0, 5.0)];
        for (x, expected) in [(0.5, 5.0), (1.5, 100.0), (2.5, AMBIENT)] {
            assert_eq!(surroundings(&zones, x * Vec3::X, 0.0), expected);
        }
    }

    #[test]
    fn warming_does_not_depend_on_how_time_is_cut_and_never_overshoots() {
        let mut warm = 10.0;
        for _ in 0..120 {
            warm = relax(warm, 90.0, 3.0, 1.0 / 60.0);
        }
        let exact = 90.0 - 80.0 * (-2.0f32 / 3.0).exp();
        assert!((warm - exact).abs() < 1e-3, "{warm} and {exact}");
        assert_eq!(relax(10.0, 90.0, 1e-3, 1e3), 90.0);
    }
}
