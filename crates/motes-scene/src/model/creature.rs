//! `[[creature]]`: things of oriented particles, rigged meshes that bend, swim and crawl.

use glam::Vec3;
use serde_json::{Value as Json, json};

use super::{Channels, Colors, CopiesTable, DrawWord, MotionTable, Region, Rotation, Up};
use crate::decode::limits::{Limits, between, degrees, metres, places, positive, velocities, within};
use crate::decode::node::{Node, Value};
use crate::decode::{Context, Decode, Definitions};

crate::table! {
    /// A creature of oriented particles, or copies of one. Exactly one of `file`, `mesh` and `model` says what it is made of.
    struct CreatureTable {
        /// Name, for messages and exports.
        name: String = String::new(),
        /// A model file (.toml or .json) as `motes rig` writes them; its path is relative to the scene file.
        file: Option<String> = None,
        /// A mesh file (.obj, .ply, .stl, .gltf or .glb), which is rigged as the scene is read; its path is relative to the scene file.
        mesh: Option<String> = None,
        /// The axis that points up in the mesh file: "y" (the default) or "z".
        mesh_up: Option<Up> = None,
        /// Metres per unit of the mesh file.
        mesh_scale: Option<f32> = None => positive(1e6).of("m"),
        /// A model that comes with motes, which is rigged as the scene is read.
        model: Option<String> = None,
        /// Cells along the longest side of a model; by default 64.
        resolution: Option<u32> = None => between(4.0, 512.0),
        /// Longest side, metres; it is scaled about its origin.
        size: Option<f32> = None => metres(),
        /// About how many particles a mesh or model gets; by default 300.
        particles: Option<u32> = None => between(1.0, 1e5),
        /// About how far these are from each other, metres, in place of their number.
        spacing: Option<f32> = None => metres(),
        /// These stay at the surface, instead of moving into thin limbs.
        surface: Option<bool> = None,
        /// Longest radius of an ellipsoid over its shortest; by default 2.
        aspect: Option<f32> = None => between(1.0, 6.0),
        /// Where its origin goes, metres.
        position: Vec3 = Vec3::ZERO => places(),
        /// Rotation about that origin, degrees.
        rotation: Rotation = Rotation::default() => degrees(),
        /// Velocity at the start, m/s.
        velocity: Vec3 = Vec3::ZERO => velocities(),
        /// Turning at the start, degrees per second about the world's axes through the centre of mass.
        angular_velocity: Vec3 = Vec3::ZERO => within(1e6).of("degrees/s"),
        /// A material of the file, or a preset.
        material: String = "rubber".to_owned(),
        /// Density, kg/m³; by default the material's.
        density: Option<f32> = None => between(1e-6, 1e6).of("kg/m³"),
        /// Share of a deformation that is undone in a sixtieth of a second, in place of what its file says; by default 0.5.
        stiffness: Option<f32> = None => between(0.0, 1.0),
        /// Share of a twist between joined particles that is undone in a sixtieth of a second, in place of what its file says; by default 0.5.
        torsion: Option<f32> = None => between(0.0, 1.0),
        /// Share of a stretch of an edge that is undone in a sixtieth of a second, apart from bending; without it, only its shape resists.
        stretch: Option<f32> = None => between(0.0, 1.0).but_not_lowest(),
        /// Share of its weight that lifts it, in place of what its file says: 1 floats, more rises.
        buoyancy: Option<f32> = None => between(-100.0, 100.0),
        /// It collides with itself.
        self_collide: bool = true,
        /// Other stiffness in some places.
        tune: Vec<TuneTable> = Vec::new(),
        /// Parts that move as one, besides those of its file. A particle in two parts is a joint between them.
        rigid: Vec<PickTable> = Vec::new(),
        /// How hits dent its rigid parts; without this, they never dent.
        denting: Option<DentingTable> = None,
        /// Particles that stay where they are, or go where they are told.
        pin: Vec<PinTable> = Vec::new(),
        /// Edges that grow longer and shorter in waves.
        muscle: Vec<MuscleTable> = Vec::new(),
        /// Many of them instead of one.
        copies: Option<CopiesTable> = None,
        /// Collider channels its particles react to.
        channels: Channels = Channels::default(),
        /// Colour in pictures, or a list of colours that copies draw lots for.
        color: Option<Colors> = None,
        /// What is drawn: "mesh", or "particles", which are ellipsoids.
        draw: DrawWord = DrawWord::Mesh,
    }
}

crate::table! {
    /// Some of a creature's particles.
    struct PickTable {
        /// A group of its file, or a region in its own frame, before it is scaled to a `size`, placed and turned.
        of: Pick,
    }
}

crate::table! {
    /// Stiffness and the like of some of a creature's particles.
    struct TuneTable {
        /// A group of its file, or a region in its own frame.
        of: Pick,
        /// Stiffness.
        stiffness: Option<f32> = None => between(0.0, 1.0),
        /// Resistance to twist.
        torsion: Option<f32> = None => between(0.0, 1.0),
        /// Share of the weight that lifts it.
        buoyancy: Option<f32> = None => between(-100.0, 100.0),
        /// By how much heavier or lighter it is than it would be.
        mass: Option<f32> = None => between(1e-3, 1e3),
    }
}

crate::table! {
    /// Particles that are held.
    struct PinTable {
        /// A group of its file, or a region in its own frame.
        of: Pick,
        /// How they move, as one: `position` in the keys of a path is that of their middle, `rotation` that of the creature. By default not at all.
        motion: Option<MotionTable> = None,
        /// Name of a collider that they go with.
        to: Option<String> = None,
    }
}

crate::table! {
    /// A wave that runs through edges and changes their length.
    struct MuscleTable {
        /// Where: a group of its file, or a region in its own frame. By default everywhere.
        of: Option<Pick> = None,
        /// Direction in which the wave runs, in its own frame. Edges take part that lead along it, within 45 degrees.
        along: Vec3 => within(1e6),
        /// Length of the wave, metres; inf for all at once.
        wavelength: f32 = f32::INFINITY => positive(1e6).of("m").or_infinite(),
        /// Seconds of a full cycle.
        period: f32 = 1.0 => between(1e-3, 1e6).of("s"),
        /// How much longer and shorter edges get, as a share of their length.
        amplitude: f32 = 0.2 => between(0.0, 0.9),
        /// Delay, as a share of the period.
        phase: f32 = 0.0 => within(1e6),
        /// A direction across, in its own frame: edges on either side of the middle take turns, so that the body bends. Without it, they all do the same.
        bends: Option<Vec3> = None => within(1e6),
    }
}

crate::table! {
    /// How hits dent rigid parts.
    struct DentingTable {
        /// Speed of a collision from which on it dents, m/s.
        speed: f32 => between(0.0, 1e5).of("m/s"),
        /// For how long parts are soft then, seconds.
        seconds: f32 = 0.083 => between(1e-3, 1e3).of("s"),
    }
}

/// Some of a creature's particles: the name of a group, or a region.
#[derive(Clone, Debug, PartialEq)]
pub enum Pick {
    /// A group of the model file.
    Group(String),
    /// What lies in a region of the creature's own frame.
    Within(Region),
}

impl Decode for Pick {
    fn decode(node: &Node, cx: &mut Context) -> Option<Self> {
        match &node.value {
            Value::String(name) => Some(Self::Group(name.clone())),
            Value::Table(_) => Region::decode(node, cx).map(Self::Within),
            _ => {
                cx.expected(node, "the name of a group, or a region such as { box = { min, max } }");
                None
            }
        }
    }

    fn stand_in() -> Self {
        Self::Group(String::new())
    }

    fn schema(definitions: &mut Definitions, limits: &Limits) -> Json {
        json!({ "anyOf": [{ "type": "string" }, Region::schema(definitions, limits)] })
    }
}
