//! `[[fluid]]`: a solid filled with a liquid or a gas.

use glam::Vec3;

use super::{Channels, Color, FreezingTable, Rotation, SolidShape};
use crate::decode::limits::{between, celsius, degrees, places, velocities};

crate::table! {
    /// A solid filled with a liquid or a gas: particles on a grid of cubes a diameter apart, as dense as it is at rest.
    struct FluidTable {
        /// Name, for messages and exports.
        name: String = String::new(),
        /// A material of the file, or a preset: water, oil, glycerine, honey, mercury, mud, lava, molten_wax, molten_chocolate;
        /// gases: air, smoke, steam.
        material: String = "water".to_owned(),
        /// The solid to fill.
        shape: SolidShape,
        /// Radius of its particles, metres; by default `particle_radius`. The largest of a scene may be eight times the smallest.
        radius: Option<f32> = None => between(1e-5, 1e4).of("m"),
        /// Random displacement, in radii.
        jitter: f32 = 0.0 => between(0.0, 1.0).of("radii"),
        /// Leave room for bodies, cloth, grains, colliders and the liquids before it in the file.
        carve: bool = true,
        /// Where the origin of the shape goes, metres.
        position: Vec3 = Vec3::ZERO => places(),
        /// Rotation of the shape and its grid about its origin, degrees.
        rotation: Rotation = Rotation::default() => degrees(),
        /// At which temperatures it turns into bodies and back; never by default.
        freezing: Option<FreezingTable> = None,
        /// How warm a gas is at the start, °C; by default as its surroundings.
        temperature: Option<f32> = None => celsius(),
        /// Markers of smoke for each particle of a gas.
        markers: f32 = 0.0 => between(0.0, 1000.0),
        /// Velocity at the start, m/s.
        velocity: Vec3 = Vec3::ZERO => velocities(),
        /// Colour in pictures; by default that of the preset.
        color: Option<Color> = None,
        /// Collider channels it reacts to.
        channels: Channels = Channels::default(),
    }
}
