//! `[[emitter]]`: a source of particles.

use glam::Vec3;
use motes_core::Plume;

use super::{Channels, Color, Rotation};
use crate::decode::limits::{between, celsius, degrees, metres, places, positive, seconds};

crate::table! {
    /// A source of particles.
    struct EmitterTable {
        /// Name, for messages and exports.
        name: String = String::new(),
        /// A material of the file, or a preset.
        material: String = "sand".to_owned(),
        /// Its particles are a liquid or a gas; by default if the material has a viscosity, as water has.
        fluid: Option<bool> = None,
        /// The opening.
        shape: Opening,
        /// Radius of its particles, metres; by default `particle_radius`. The largest of a scene may be eight times the smallest.
        radius: Option<f32> = None => between(1e-5, 1e4).of("m"),
        /// Middle of the opening, metres.
        position: Vec3 = Vec3::ZERO => places(),
        /// Where it points; by default down.
        direction: Option<Vec3> = None,
        /// Instead of a direction: rotation of an emitter that points up, degrees.
        rotation: Option<Rotation> = None => degrees(),
        /// Speed of the particles, m/s.
        speed: f32 = 1.0 => between(1e-3, 1e5).of("m/s"),
        /// Particles per second; inf emits as many as fit.
        rate: f32 = f32::INFINITY => positive(1e9).of("1/s").or_infinite(),
        /// Half angle of the cone of directions, degrees.
        spread: f32 = 0.0 => between(0.0, 180.0).of("degrees"),
        /// Seconds each particle lives.
        lifetime: f32 = f32::INFINITY => seconds().but_not_lowest().or_infinite(),
        /// Time of the first particle, seconds.
        start: f32 = 0.0 => seconds(),
        /// Time of the last particle, seconds.
        stop: f32 = f32::INFINITY => seconds().or_infinite(),
        /// It is off until a trigger switches it on.
        waits: bool = false,
        /// Most particles it ever emits.
        limit: Option<u64> = None,
        /// Seed of its random choices; by default made from the scene's.
        seed: Option<u64> = None,
        /// Smoke that leaves it with its gas.
        plume: Option<PlumeTable> = None,
        /// Colour in pictures; by default each object has its own.
        color: Option<Color> = None,
        /// Collider channels the particles react to.
        channels: Channels = Channels::default(),
        /// Particles of this emitter collide with each other.
        self_collide: bool = true,
        /// Particles turn if their material has a rolling resistance.
        turns: bool = true,
    }
}

crate::table! {
    /// What an emitter of a gas gives off besides.
    default struct PlumeTable {
        /// Markers of smoke for each particle of the gas; in the sheath there are none.
        markers: f32 = 4.0 => between(0.0, 1000.0),
        /// Layers of slower gas around the smoke, at the rim of the opening.
        sheath: u32 = 1 => between(0.0, 2.0).of("layers"),
        /// Speed of the sheath over that of the emitter.
        sheath_speed: f32 = 0.5 => positive(1.0),
        /// How warm gas and markers are, °C.
        temperature: f32 = 20.0 => celsius(),
    }
}

impl PlumeTable {
    /// What the emitter is given.
    pub fn plume(&self) -> Plume {
        Plume {
            markers: self.markers,
            sheath: self.sheath,
            sheath_speed: self.sheath_speed,
            temperature: self.temperature,
        }
    }
}

crate::choice! {
    /// The opening of an emitter.
    enum Opening {
        /// A disc across the direction.
        "disc" => Disc(DiscOpening),
        /// A box; particles start anywhere inside.
        "box" => Box(BoxOpening),
    }
}

crate::table! {
    /// A round opening.
    struct DiscOpening {
        /// Radius, metres.
        radius: f32 => metres(),
    }
}

crate::table! {
    /// A box to start in.
    struct BoxOpening {
        /// Edge lengths, metres; the second is along the direction of emission.
        size: Vec3 => metres(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn defaults_of_plumes_are_those_of_the_engine() {
        assert_eq!(PlumeTable::default().plume(), Plume::default());
    }
}
