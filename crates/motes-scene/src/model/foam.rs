//! `[foam]`: spray, foam and bubbles of liquids.

use motes_core::{Foam, Settings};

use crate::decode::limits::{between, speeds};

crate::table! {
    /// Spray, foam and bubbles of liquids. Thresholds are pairs: up to the first nothing comes of it, from the second on as much as can.
    default struct FoamTable {
        /// How much there is of it: multiplies both rates.
        amount: f32 = 1.0 => between(0.0, 1000.0),
        /// Particles that one of the liquid gives off where air is trapped, 1/s at the most.
        air_rate: f32 = 40.0 => between(0.0, 1e6).of("1/s"),
        /// Particles that one of the liquid gives off at crests, 1/s at the most.
        crest_rate: f32 = 120.0 => between(0.0, 1e6).of("1/s"),
        /// Thresholds of how fast particles of the liquid meet, m/s; by default 0.3 and 1.2 √(g d), with the diameter d of a particle.
        meeting: Option<[f32; 2]> = None => speeds(),
        /// Thresholds of how sharp a crest is: 0 is flat, 0.03 a ball six particles across, 0.13 one of three.
        sharpness: [f32; 2] = [0.04, 0.16] => between(0.0, 10.0),
        /// Thresholds of the speed of the liquid, m/s; by default 1.5 and 5 √(g d).
        speed: Option<[f32; 2]> = None => speeds(),
        /// Seconds that foam stays, half as long at the least; spray and bubbles last four times as long.
        lifetime: f32 = 3.0 => between(0.0, 1e6).of("s"),
        /// How strongly bubbles rise, in weights of the liquid they take the place of.
        buoyancy: f32 = 1.0 => between(0.0, 1000.0),
        /// Rate at which bubbles take on the velocity of the liquid, 1/s.
        drag: f32 = 20.0 => between(0.0, 1e6).of("1/s"),
        /// Liquids of a higher viscosity do not foam, Pa·s.
        most_viscosity: f32 = 0.1 => between(0.0, 1e6).of("Pa·s"),
        /// Particles up to which more are given off.
        most: u32 = 100_000 => between(0.0, 16_777_216.0),
    }
}

impl FoamTable {
    /// The foam of a world with these settings.
    pub fn foam(&self, settings: &Settings, seed: u64) -> Foam {
        let usual = Foam::of(settings);
        Foam {
            air_rate: self.amount * self.air_rate,
            crest_rate: self.amount * self.crest_rate,
            meeting: self.meeting.unwrap_or(usual.meeting),
            sharpness: self.sharpness,
            speed: self.speed.unwrap_or(usual.speed),
            lifetime: self.lifetime,
            buoyancy: self.buoyancy,
            drag: self.drag,
            most_viscosity: self.most_viscosity,
            most: self.most,
            seed: (seed ^ (seed >> 32)) as u32,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn defaults_are_those_of_the_engine() {
        let settings = Settings::default();
        assert_eq!(FoamTable::default().foam(&settings, 0), Foam::of(&settings));
    }
}
