//! Smoke: gas that is kept at its density as liquids are, and markers that go with it (Unified Particle Physics, §7.2).
//!
//! The gas itself is a group ([`Group::gas`](crate::Group::gas)) of a material that says how it rises, drags and swirls ([`Material`](crate::Material): `expansion`, `air_drag`,
//! `baroclinity`, …). What is seen are markers, [passive particles](crate::PassiveParticles) of the kind
//! [`Smoke`](crate::PassiveKind::Smoke), which the gas carries along (eq. 28) and which act on nothing. A [`Plume`] gives off both together.

pub mod forces;
pub mod markers;
pub mod plume;
pub mod swirls;

use serde::{Deserialize, Serialize};

use crate::settings::Settings;

pub use plume::Plume;

/// How the smoke of a world looks and how long it stays.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Smoke {
    /// Seconds that markers given off by a plume last; those that are added say it themselves.
    pub lifetime: f32,
    /// Radius of a marker when it is new, metres.
    pub radius: f32,
    /// Its radius at the end of its life over that at its beginning. In between it grows as a cloud does that diffuses: with the root of time.
    pub growth: f32,
    /// Part of the light that a new marker takes away, 0 to 1.
    pub opacity: f32,
    /// How that falls over its life.
    pub fade: Fade,
    /// Passive particles up to which plumes give off markers.
    pub most: u32,
    /// Seconds after which gas is removed that has no marker within its smoothing radius; infinite keeps it.
    pub lonely: f32,
    /// What markers do that have left the gas.
    pub strays: Strays,
}

/// How the opacity of a marker falls over its life.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Fade {
    /// Evenly, down to nothing.
    #[default]
    Even,
    /// Hardly at first, and fast in the second half.
    Late,
    /// As what is in a marker is spread over its area, and evenly to nothing in the last quarter.
    Spread,
}

/// What markers of smoke do that have no gas about them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Strays {
    /// They fly on as they were thrown, with the [drag](Settings::passive_drag) of passive particles.
    Fly,
    /// They go with the wind.
    #[default]
    Wind,
}

impl Smoke {
    /// Most markers that can be asked for.
    pub const LARGEST: u32 = 1 << 24;

    /// Thick smoke for particles of a size: markers as large as they are when they are new.
    pub fn of(settings: &Settings) -> Self {
        Self {
            lifetime: 6.0,
            radius: settings.particle_radius,
            growth: 3.0,
            opacity: 0.12,
            fade: Fade::Even,
            most: 200_000,
            lonely: f32::INFINITY,
            strays: Strays::Wind,
        }
    }

    /// Radius, metres, and opacity of a marker of an age and a lifetime, seconds. The largest lifetime stands for infinity.
    pub fn look(&self, age: f32, lifetime: f32) -> (f32, f32) {
        let lived = (age / lifetime.max(f32::MIN_POSITIVE)).clamp(0.0, 1.0);
        let spread = 1.0 + (self.growth * self.growth - 1.0) * lived;
        let left = match self.fade {
            Fade::Even => 1.0 - lived,
            Fade::Late => 1.0 - lived * lived * (3.0 - 2.0 * lived) * lived,
            Fade::Spread => (4.0 * (1.0 - lived)).min(1.0) / spread.max(f32::MIN_POSITIVE),
        };
        (
            self.radius * spread.max(0.0).sqrt(),
            (self.opacity * left).clamp(0.0, 1.0),
        )
    }

    /// What to tell where some found no room.
    pub fn refused(count: u64, most: u32) -> String {
        format!("{count} markers of smoke were left out: there are already {most}, the `most` of the smoke")
    }

    /// The first value that makes no sense, what it is, and what it should be.
    pub fn problem(&self) -> Option<(&'static str, String, &'static str)> {
        let positive = |value: f32| value > 0.0 && value.is_finite();
        [
            ("lifetime", self.lifetime, self.lifetime > 0.0, "a positive time, s"),
            ("radius", self.radius, positive(self.radius), "a positive length, m"),
            ("growth", self.growth, positive(self.growth), "a positive finite number"),
            ("opacity", self.opacity, (0.0..=1.0).contains(&self.opacity), "0 to 1"),
            ("lonely", self.lonely, self.lonely > 0.0, "a positive time, s"),
        ]
        .into_iter()
        .find(|(_, _, fine, _)| !fine)
        .map(|(field, found, _, expected)| (field, found.to_string(), expected))
        .or_else(|| (self.most > Self::LARGEST).then(|| ("most", self.most.to_string(), "at most 16777216")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markers_grow_and_fade_and_are_gone_at_the_end() {
        for fade in [Fade::Even, Fade::Late, Fade::Spread] {
            let smoke = Smoke {
                fade,
                ..Smoke::of(&Settings::default())
            };
            let looks: Vec<_> = (0..=20).map(|k| smoke.look(0.1 * k as f32, 2.0)).collect();
            assert_eq!(looks[0], (smoke.radius, smoke.opacity), "{fade:?}");
            assert!(
                (looks[20].0 / smoke.radius - smoke.growth).abs() < 1e-5 && looks[20].1 < 1e-6,
                "{fade:?}"
            );
            assert!(
                looks
                    .windows(2)
                    .all(|pair| pair[1].0 > pair[0].0 && pair[1].1 < pair[0].1),
                "{fade:?}"
            );
            assert_eq!(smoke.look(1e6, f32::MAX), looks[0], "for ever");
        }
    }

    #[test]
    fn nonsense_is_named() {
        let sound = Smoke::of(&Settings::default());
        assert_eq!(sound.problem(), None);
        let named = |smoke: Smoke| smoke.problem().map(|(field, _, _)| field);
        assert_eq!(named(Smoke { opacity: 1.5, ..sound }), Some("opacity"));
        assert_eq!(
            named(Smoke {
                lonely: f32::NAN,
                ..sound
            }),
            Some("lonely")
        );
        assert_eq!(named(Smoke { growth: 0.0, ..sound }), Some("growth"));
        assert_eq!(
            named(Smoke {
                most: u32::MAX,
                ..sound
            }),
            Some("most")
        );
    }
}
