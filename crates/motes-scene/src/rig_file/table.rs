//! The tables of a model file.

use glam::Vec3;

use crate::decode::limits::{between, metres, places, positive};
use crate::model::Up;

crate::table! {
    /// A mesh as oriented particles: where they are, which are joined, and what the mesh follows. Exactly one of `mesh` and `model` says
    /// which mesh it is.
    struct RigTable {
        /// Version of the format.
        format: u32 = 1 => between(1.0, 1.0),
        /// A mesh file (.obj, .ply, .stl, .gltf or .glb); its path is relative to this file.
        mesh: Option<String> = None,
        /// The axis that points up in the mesh file: "y" (the default) or "z".
        mesh_up: Option<Up> = None,
        /// Metres per unit of the mesh file.
        mesh_scale: Option<f32> = None => positive(1e6).of("m"),
        /// A model that comes with motes.
        model: Option<String> = None,
        /// Cells along the longest side of a model; by default 64.
        resolution: Option<u32> = None => between(4.0, 512.0),
        /// Longest side of the mesh or model, metres; it is scaled about its origin.
        size: Option<f32> = None => metres(),
        /// About how far particles are from each other, metres. Weights that are not given follow from it.
        spacing: f32 => metres(),
        /// Share of a deformation that is undone in a sixtieth of a second, of particles that have none of their own.
        stiffness: f32 = 0.5 => between(0.0, 1.0),
        /// Share of a twist between joined particles that is undone in a sixtieth of a second, of particles that have none of their own.
        torsion: f32 = 0.5 => between(0.0, 1.0),
        /// The particles, numbered from 0.
        particles: Vec<RigParticleTable>,
        /// Pairs of numbers of particles that are joined.
        edges: Vec<[u32; 2]> = Vec::new(),
        /// Sets of particles with a name.
        group: Vec<RigGroupTable> = Vec::new(),
        /// A row for each vertex of the repaired mesh: the number of a particle and its weight, up to four times. Without any rows, weights are
        /// worked out.
        weights: Vec<Vec<f32>> = Vec::new() => between(0.0, 1e6),
    }
}

crate::table! {
    /// An oriented particle, in the frame of the mesh.
    struct RigParticleTable {
        /// Its middle, metres.
        position: Vec3 => places(),
        /// How its axes are turned: a quaternion [x, y, z, w] of any length but zero.
        orientation: [f32; 4] = [0.0, 0.0, 0.0, 1.0],
        /// Radii along its axes, metres.
        radii: Vec3 => metres(),
        /// Its share of the mass, compared with the others.
        mass: f32 = 1.0 => positive(1e6),
        /// Stiffness, in place of that of all.
        stiffness: Option<f32> = None => between(0.0, 1.0),
        /// Resistance to twist, in place of that of all.
        torsion: Option<f32> = None => between(0.0, 1.0),
        /// Share of its weight that lifts it: 1 floats, more rises.
        buoyancy: f32 = 0.0 => between(-100.0, 100.0),
    }
}

crate::table! {
    /// A set of particles with a name.
    struct RigGroupTable {
        /// Name, by which scenes speak of it.
        name: String,
        /// Numbers of its particles.
        members: Vec<u32>,
        /// Whether they move as one rigid part. A particle in two such parts is a joint between them.
        rigid: bool = false,
    }
}
