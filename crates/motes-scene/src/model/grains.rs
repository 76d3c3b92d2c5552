//! `[[grains]]`: a solid filled with loose particles.

use glam::Vec3;

use super::{Channels, Color, Rotation, SolidShape};
use crate::decode::limits::{between, degrees, places, velocities};

crate::words! {
    /// The lattice grains start on.
    enum PackingWord {
        /// Densest packing: 74 % full when grains touch.
        "hexagonal" => Hexagonal,
        /// A grid of cubes: 52 % full when grains touch.
        "cubic" => Cubic,
    }
}

crate::table! {
    /// A solid filled with loose particles.
    struct GrainsTable {
        /// Name, for messages and exports.
        name: String = String::new(),
        /// A material of the file, or a preset.
        material: String = "sand".to_owned(),
        /// The solid to fill.
        shape: SolidShape,
        /// Radius of its particles, metres; by default `particle_radius`. The largest of a scene may be eight times the smallest.
        radius: Option<f32> = None => between(1e-5, 1e4).of("m"),
        /// Lattice of the grains: "hexagonal" or "cubic".
        packing: PackingWord = PackingWord::Hexagonal,
        /// Distance of neighbouring grains, in diameters; 1 touches.
        spacing: f32 = 1.0 => between(0.5, 100.0).of("diameters"),
        /// Random displacement, in radii.
        jitter: f32 = 0.0 => between(0.0, 10.0).of("radii"),
        /// Number of grains wanted: a spacing of 1 or more is found that gives it as nearly as possible.
        count: Option<u32> = None => between(1.0, 1e9),
        /// Leave out grains that would overlap bodies or colliders.
        carve: bool = false,
        /// Where the origin of the shape goes, metres.
        position: Vec3 = Vec3::ZERO => places(),
        /// Rotation of the shape and its lattice about its origin, degrees.
        rotation: Rotation = Rotation::default() => degrees(),
        /// Velocity at the start, m/s.
        velocity: Vec3 = Vec3::ZERO => velocities(),
        /// Colour in pictures; by default each object has its own.
        color: Option<Color> = None,
        /// Collider channels the grains react to.
        channels: Channels = Channels::default(),
        /// Grains never move.
        pinned: bool = false,
        /// Points, metres: the grain nearest to each never moves.
        pins: Vec<Vec3> = Vec::new() => places(),
        /// Grains of this object collide with each other.
        self_collide: bool = true,
        /// But those that overlap or just touch at the start do not: for nets and cloth that are finer than their grains.
        ignore_rest_overlaps: bool = false,
        /// Grains turn if their material has a rolling resistance.
        turns: bool = true,
    }
}
