//! `[[rigid]]`, `[[soft]]` and `[[plastic]]`: bodies of particles that hold their shape.

use glam::Vec3;
use serde_json::{Value as Json, json};

use super::{
    Channels, Choice, ClustersTable, Color, CopiesTable, LinksTable, MeltingTable, MotionTable, Region, Rotation,
    SolidShape, Up,
};
use crate::decode::limits::{Limits, between, degrees, metres, places, positive, velocities, within};
use crate::decode::node::{Node, Value};
use crate::decode::{Context, Decode, Definitions};

crate::words! {
    /// How a body is drawn.
    enum DrawWord {
        /// As the mesh it was made of, which follows its particles.
        "mesh" => Mesh,
        /// As its particles.
        "particles" => Particles,
    }
}

crate::words! {
    /// With what a rigid body touches colliders and other rigid bodies.
    enum TouchWord {
        /// With its true shape: flat is flat, round is round.
        "shape" => Shape,
        /// With its particles, as balls: bumpy and faster.
        "particles" => Particles,
    }
}

crate::table! {
    /// What all bodies have. Exactly one of `mesh`, `model` and `shape` says what a body is made of.
    default struct BodyKeys {
        /// Name, for messages and exports.
        name: String = String::new(),
        /// A mesh file (.obj, .ply, .stl, .gltf or .glb); its path is relative to the scene file.
        mesh: Option<String> = None,
        /// The axis that points up in the mesh file: "y" (the default) or "z".
        mesh_up: Option<Up> = None,
        /// Metres per unit of the mesh file.
        mesh_scale: Option<f32> = None => positive(1e6).of("m"),
        /// A model that comes with motes: banana, beast, castle, cord, doll, fish, gear, octopus, rabbit, teapot, torus, truck, weed.
        model: Option<String> = None,
        /// A solid.
        shape: Option<SolidShape> = None,
        /// Longest side of a mesh or model, metres; it is scaled about its origin.
        size: Option<f32> = None => metres(),
        /// Cells along the longest side of the mesh of a model or shape; by default what its size and number call for.
        resolution: Option<u32> = None => between(4.0, 240.0),
        /// Where the origin of the mesh, model or shape goes, metres.
        position: Vec3 = Vec3::ZERO => places(),
        /// Rotation about that origin, degrees.
        rotation: Rotation = Rotation::default() => degrees(),
        /// Velocity at the start, m/s.
        velocity: Vec3 = Vec3::ZERO => velocities(),
        /// Turning at the start, degrees per second about the world's axes through the centre of mass.
        angular_velocity: Vec3 = Vec3::ZERO => within(1e6).of("degrees/s"),
        /// A material of the file, or a preset; by default wood, for soft bodies rubber.
        material: Option<String> = None,
        /// Density, kg/m³; by default the material's.
        density: Option<f32> = None => between(1e-6, 1e6).of("kg/m³"),
        /// Radius of its particles, metres; by default `particle_radius`. The largest of a scene may be eight times the smallest.
        radius: Option<f32> = None => between(1e-5, 1e4).of("m"),
        /// Where the particles go: "solid", or { shell = layers } for layers below the surface only.
        filling: FillingChoice = FillingChoice::Solid,
        /// Distance of neighbouring particles, in diameters; below 1 they overlap, which makes the surface smoother. By
        /// default 0.9, or 1 for bodies that melt.
        spacing: Option<f32> = None => between(0.5, 2.0).of("diameters"),
        /// At which temperatures it turns into grains and back; without this, it never does.
        melting: Option<MeltingTable> = None,
        /// Mass scaling where it touches other bodies, in place of the solver's; of two bodies the smaller counts.
        mass_scaling: Option<f32> = None => between(0.0, 20.0),
        /// Many bodies instead of one.
        copies: Option<CopiesTable> = None,
        /// Collider channels the particles react to.
        channels: Channels = Channels::default(),
        /// Colour in pictures, or a list of colours that copies draw lots for.
        color: Option<Colors> = None,
        /// What is drawn: "mesh" or "particles".
        draw: DrawWord = DrawWord::Mesh,
        /// It is meant to overlap others at the start, so that nobody warns of it.
        may_overlap: bool = false,
    }
}

crate::table! {
    /// A rigid body, or copies of one.
    struct RigidTable {
        ..body: BodyKeys,
        /// With what it touches colliders and other rigid bodies: "shape", its true one, or "particles", which is faster but bumpy.
        touches_with: TouchWord = TouchWord::Shape,
        /// It stays where it is, or goes where its `motion` says, and nothing can stop it.
        kinematic: bool = false,
        /// How it moves, whatever is in its way; such a body is kinematic.
        motion: Option<MotionTable> = None,
    }
}

crate::table! {
    /// An elastic body, or copies of one.
    struct SoftTable {
        ..body: BodyKeys,
        /// Share of a deformation that is undone in a sixtieth of a second, whatever the sub-steps; 1 is as stiff as it gets.
        stiffness: f32 = 0.5 => between(0.0, 1.0),
        /// Young's modulus, pascals, in place of a stiffness: 1e4 is jelly, 1e6 soft rubber.
        youngs_modulus: Option<f32> = None => positive(1e12).of("Pa"),
        /// Parts that keep their shape one by one, so that the body can bend; false for one that is only squeezed.
        clusters: Choice<ClustersTable> = Choice::usual(),
        /// Pairs of particles that keep their distance, besides the parts or, with a stiffness of 0, in their place.
        links: Choice<LinksTable> = Choice(None),
        /// How many times their distance neighbouring particles can come to be apart; inf for no limit.
        stretch: f32 = STRETCH => between(1.0, 100.0).or_infinite(),
        /// A region: the particles that start in it are held.
        clamp: Option<Region> = None,
        /// How what is clamped moves, as one: `position` in the keys of a path is that of its middle. By default not at all.
        clamp_motion: Option<MotionTable> = None,
        /// Name of a collider that what is clamped goes with.
        clamp_to: Option<String> = None,
    }
}

crate::table! {
    /// A body that keeps dents, or copies of one.
    struct PlasticTable {
        ..body: BodyKeys,
        /// Share of a deformation that is undone in a sixtieth of a second.
        stiffness: f32 = 1.0 => between(0.0, 1.0),
        /// How far a particle has to be pushed out of shape before it yields, metres; by default a tenth of its radius.
        threshold: Option<f32> = None => between(0.0, 1e6).of("m"),
        /// Share of what goes beyond the threshold that stays, in a sixtieth of a second.
        creep: f32 = 0.5 => between(0.0, 1.0),
        /// A particle that has flowed this far, metres, forgets the surface and collides as a ball.
        limit: f32 = f32::INFINITY => between(0.0, 1e6).of("m").or_infinite(),
        /// How many times their distance neighbouring particles can come to be apart; inf for no limit.
        stretch: f32 = STRETCH => between(1.0, 100.0).or_infinite(),
        /// A region: the particles that start in it are held.
        clamp: Option<Region> = None,
        /// How what is clamped moves, as one: `position` in the keys of a path is that of its middle. By default not at all.
        clamp_motion: Option<MotionTable> = None,
        /// Name of a collider that what is clamped goes with.
        clamp_to: Option<String> = None,
    }
}

/// How many times their distance neighbours in bodies that bend can usually come to be apart.
pub(crate) const STRETCH: f32 = 1.5;

impl BodyKeys {
    /// Distance of neighbouring particles, in diameters.
    pub fn spacing(&self) -> f32 {
        self.spacing.unwrap_or(if self.melting.is_some() { 1.0 } else { 0.9 })
    }
}

/// Where the particles of a body go: `"solid"`, or `{ shell = layers }`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FillingChoice {
    /// Throughout.
    Solid,
    /// In layers below the surface.
    Shell(u32),
}

crate::words! {
    /// A body that is filled throughout.
    enum SolidWord {
        /// Throughout.
        "solid" => Solid,
    }
}

crate::table! {
    /// A body that is hollow.
    struct ShellTable {
        /// Layers of particles below the surface.
        shell: u32 => between(1.0, 100.0),
    }
}

impl Decode for FillingChoice {
    fn decode(node: &Node, cx: &mut Context) -> Option<Self> {
        match &node.value {
            Value::String(_) => SolidWord::decode(node, cx).map(|_| Self::Solid),
            Value::Table(_) => ShellTable::decode(node, cx).map(|table| Self::Shell(table.shell)),
            _ => {
                cx.expected(node, "\"solid\" or { shell = layers }");
                None
            }
        }
    }

    fn stand_in() -> Self {
        Self::Solid
    }

    fn schema(definitions: &mut Definitions, limits: &Limits) -> Json {
        json!({ "anyOf": [SolidWord::schema(definitions, limits), ShellTable::schema(definitions, limits)] })
    }

    fn to_json(&self) -> Option<Json> {
        match self {
            Self::Solid => Some(json!("solid")),
            Self::Shell(layers) => Some(json!({ "shell": layers })),
        }
    }
}

/// One colour, or several to choose from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Colors(pub Vec<Color>);

impl Decode for Colors {
    fn decode(node: &Node, cx: &mut Context) -> Option<Self> {
        match &node.value {
            Value::Array(items) if !items.is_empty() => Vec::decode(node, cx).map(Self),
            Value::String(_) => Color::decode(node, cx).map(|color| Self(vec![color])),
            _ => {
                cx.expected(node, "a colour such as \"#d9b36c\", or a list of colours");
                None
            }
        }
    }

    fn stand_in() -> Self {
        Self(vec![Color::stand_in()])
    }

    fn schema(definitions: &mut Definitions, limits: &Limits) -> Json {
        let color = Color::schema(definitions, limits);
        json!({ "anyOf": [color, { "type": "array", "items": color, "minItems": 1 }] })
    }
}
