//! `[smoke]`: how smoke looks and how long it stays; `[[markers]]`: a solid filled with it.

use glam::Vec3;
use motes_core::{Fade, Settings, Smoke, Strays};

use super::{Color, Rotation, SolidShape};
use crate::decode::limits::{between, degrees, metres, places, positive, seconds, velocities};

crate::words! {
    /// How the opacity of a marker falls over its life.
    enum FadeWord {
        /// Evenly, down to nothing.
        "even" => Even,
        /// Hardly at first, and fast in the second half.
        "late" => Late,
        /// As what is in a marker is spread over its area, and evenly to nothing in the last quarter.
        "spread" => Spread,
    }
}

crate::words! {
    /// What markers do that have no gas about them.
    enum StraysWord {
        /// They go with the wind.
        "wind" => Wind,
        /// They fly on as they were thrown.
        "fly" => Fly,
    }
}

crate::table! {
    /// How smoke of gases looks, and how long it stays.
    default struct SmokeTable {
        /// Seconds that markers last; those of a plume, and others that do not say it themselves.
        lifetime: f32 = 6.0 => seconds().but_not_lowest().or_infinite(),
        /// Radius of a new marker, metres; by default `particle_radius`.
        radius: Option<f32> = None => metres(),
        /// Radius at the end of a marker's life over that at its beginning.
        growth: f32 = 3.0 => positive(1000.0),
        /// Part of the light that a new marker takes away.
        opacity: f32 = 0.12 => between(0.0, 1.0),
        /// How that falls over its life: "even", "late" or "spread".
        fade: FadeWord = FadeWord::Even,
        /// Markers up to which more are given off.
        most: u32 = 200_000 => between(0.0, 16_777_216.0),
        /// Seconds after which gas is removed that has no marker about it; inf keeps it.
        lonely: f32 = f32::INFINITY => seconds().but_not_lowest().or_infinite(),
        /// What markers do that have no gas about them: "wind" or "fly".
        strays: StraysWord = StraysWord::Wind,
        /// Colour of the smoke.
        color: Color = Color([0xd9, 0xdc, 0xe0]),
    }
}

impl SmokeTable {
    /// The smoke of a world with these settings.
    pub fn smoke(&self, settings: &Settings) -> Smoke {
        Smoke {
            lifetime: self.lifetime,
            radius: self.radius.unwrap_or(Smoke::of(settings).radius),
            growth: self.growth,
            opacity: self.opacity,
            fade: match self.fade {
                FadeWord::Even => Fade::Even,
                FadeWord::Late => Fade::Late,
                FadeWord::Spread => Fade::Spread,
            },
            most: self.most,
            lonely: self.lonely,
            strays: match self.strays {
                StraysWord::Wind => Strays::Wind,
                StraysWord::Fly => Strays::Fly,
            },
        }
    }
}

crate::table! {
    /// A solid filled with markers of smoke, at random.
    struct MarkersTable {
        /// Name, for messages.
        name: String = String::new(),
        /// The solid to fill.
        shape: SolidShape,
        /// How many there are.
        count: u32 = 10_000 => between(1.0, 16_777_216.0),
        /// Where the origin of the shape goes, metres.
        position: Vec3 = Vec3::ZERO => places(),
        /// Rotation of the shape about its origin, degrees.
        rotation: Rotation = Rotation::default() => degrees(),
        /// Velocity at the start, m/s, of those with no gas about them.
        velocity: Vec3 = Vec3::ZERO => velocities(),
        /// Seconds they last; by default as `[smoke]` says.
        lifetime: Option<f32> = None => seconds().but_not_lowest().or_infinite(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn defaults_are_those_of_the_engine() {
        let settings = Settings::default();
        assert_eq!(SmokeTable::default().smoke(&settings), Smoke::of(&settings));
    }
}
