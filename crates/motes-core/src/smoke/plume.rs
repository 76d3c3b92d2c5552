//! Plumes: gas and markers of smoke that leave an opening together (Unified, §7.2.2).

use serde::{Deserialize, Serialize};

use crate::heat::{AMBIENT, is_temperature};

/// What an emitter of a gas gives off besides.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Plume {
    /// Markers of smoke for each particle of the gas; in the sheath there are none.
    pub markers: f32,
    /// How many layers of particles at the rim of the opening are slower, 0 to 2: gas that surrounds the smoke.
    pub sheath: u32,
    /// Speed of the sheath over that of the emitter, 0 to 1.
    pub sheath_speed: f32,
    /// How warm gas and markers are, °C.
    pub temperature: f32,
}

impl Default for Plume {
    /// Four markers to a particle, in a sheath of one layer at half of the speed, as warm as the surroundings.
    fn default() -> Self {
        Self {
            markers: 4.0,
            sheath: 1,
            sheath_speed: 0.5,
            temperature: AMBIENT,
        }
    }
}

impl Plume {
    /// Most layers of a sheath.
    pub const THICKEST: u32 = 2;
    /// Most markers for a particle.
    pub const MOST_MARKERS: f32 = 1000.0;

    /// The first value that makes no sense, what it is, and what it should be.
    pub fn problem(&self) -> Option<(&'static str, String, &'static str)> {
        if !(0.0..=Self::MOST_MARKERS).contains(&self.markers) {
            Some(("markers", self.markers.to_string(), "0 to 1000"))
        } else if self.sheath > Self::THICKEST {
            Some(("sheath", self.sheath.to_string(), "0 to 2 layers"))
        } else if !(self.sheath_speed > 0.0 && self.sheath_speed <= 1.0) {
            Some(("sheath_speed", self.sheath_speed.to_string(), "above 0, up to 1"))
        } else if !is_temperature(self.temperature) {
            let expected = "a temperature, °C, not below absolute zero";
            Some(("temperature", self.temperature.to_string(), expected))
        } else {
            None
        }
    }
}
