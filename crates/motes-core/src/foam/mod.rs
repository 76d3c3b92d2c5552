//! Spray, foam and bubbles of liquids, after *Unified spray, foam and air bubbles for particle-based fluids* (Ihmsen,
//! Akinci, Akinci and Teschner 2012; Unified §7.2.1): where liquids trap air or break at crests they give off passive particles, which
//! act on nothing.
//!
//! [`potentials`] says how many are given off and where, [`kinds`] what becomes of them. Both engines do the same sums.

pub mod kinds;
pub mod potentials;

use serde::{Deserialize, Serialize};

use crate::settings::Settings;

/// How readily liquids of a world foam, and how foam behaves.
///
/// Thresholds are pairs: up to the first nothing comes of it, from the second on as much as can.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Foam {
    /// Particles that a liquid particle gives off where air is trapped, 1/s at the most.
    pub air_rate: f32,
    /// Particles that it gives off at crests, 1/s at the most.
    pub crest_rate: f32,
    /// Thresholds of how fast a liquid particle meets those about it, m/s: see [`potentials::trapped_air`].
    pub meeting: [f32; 2],
    /// Thresholds of how sharp a crest is: 0 of flat water, 0.03 of a ball six particles across, 0.13 of one of three; see [`potentials::crest`].
    pub sharpness: [f32; 2],
    /// Thresholds of the speed of the liquid, m/s, between which its energy counts.
    pub speed: [f32; 2],
    /// Seconds that foam stays, half as long at the least. Spray and bubbles last four times as long.
    pub lifetime: f32,
    /// How strongly bubbles rise, in weights of the liquid they take the place of.
    pub buoyancy: f32,
    /// Rate at which bubbles take on the velocity of the liquid, 1/s: they rise at `buoyancy` times gravity over this.
    pub drag: f32,
    /// Liquids of a higher viscosity do not foam, Pa·s.
    pub most_viscosity: f32,
    /// Passive particles up to which more are given off, those that the user added included.
    pub most: u32,
    /// Other foam for every number.
    pub seed: u32,
}

impl Foam {
    /// Most particles that can be asked for.
    pub const LARGEST: u32 = 1 << 24;

    /// What water does at the size of its particles: speeds are in units of `√(g d)`, with the diameter `d` and gravity `g` (1 m/s² at the least), so that
    /// a scene that is made larger as a whole foams alike.
    pub fn of(settings: &Settings) -> Self {
        let gravity = settings.gravity.length().max(1.0);
        let unit = (gravity * settings.contact_distance()).sqrt();
        Self {
            air_rate: 40.0,
            crest_rate: 120.0,
            meeting: [0.3 * unit, 1.2 * unit],
            sharpness: [0.04, 0.16],
            speed: [1.5 * unit, 5.0 * unit],
            lifetime: 3.0,
            buoyancy: 1.0,
            drag: 20.0,
            most_viscosity: 0.1,
            most: 100_000,
            seed: 0,
        }
    }

    /// What to tell where some found no room.
    pub fn refused(count: u64, most: u32) -> String {
        format!("{count} particles of foam were left out: there are already {most}, the `most` of the foam")
    }

    /// The first value that makes no sense, what it is, and what it should be.
    pub fn problem(&self) -> Option<(&'static str, String, &'static str)> {
        let least = [
            ("air_rate", self.air_rate),
            ("crest_rate", self.crest_rate),
            ("lifetime", self.lifetime),
            ("buoyancy", self.buoyancy),
            ("drag", self.drag),
            ("most_viscosity", self.most_viscosity),
        ];
        if let Some((field, found)) = least
            .into_iter()
            .find(|(_, value)| !(*value >= 0.0 && value.is_finite()))
        {
            return Some((field, found.to_string(), "a finite number of 0 or more"));
        }
        let thresholds = [
            ("meeting", self.meeting),
            ("sharpness", self.sharpness),
            ("speed", self.speed),
        ];
        let wrong = |[low, high]: [f32; 2]| !(low >= 0.0 && low < high && high.is_finite());
        if let Some((field, found)) = thresholds.into_iter().find(|(_, pair)| wrong(*pair)) {
            return Some((
                field,
                format!("{found:?}"),
                "two finite numbers, the first 0 or more and less than the second",
            ));
        }
        (self.most > Self::LARGEST).then(|| ("most", self.most.to_string(), "at most 16777216"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn defaults_make_sense_and_grow_with_the_root_of_the_size() {
        let small = Foam::of(&Settings::default());
        assert_eq!(small.problem(), None);
        let large = Foam::of(&Settings {
            particle_radius: 4.0 * Settings::default().particle_radius,
            ..Settings::default()
        });
        assert!((large.speed[0] / small.speed[0] - 2.0).abs() < 1e-5);
        let weightless = Foam::of(&Settings {
            gravity: glam::Vec3::ZERO,
            ..Settings::default()
        });
        assert_eq!(weightless.problem(), None);
    }

    #[test]
    fn nonsense_is_named() {
        let sound = Foam::of(&Settings::default());
        let named = |foam: Foam| foam.problem().map(|(field, _, _)| field);
        let backwards = Foam {
            speed: [2.0, 1.0],
            ..sound
        };
        assert_eq!(named(backwards), Some("speed"));
        let endless = Foam {
            drag: f32::INFINITY,
            ..sound
        };
        assert_eq!(named(endless), Some("drag"));
        let many = Foam {
            most: u32::MAX,
            ..sound
        };
        assert_eq!(named(many), Some("most"));
    }
}
