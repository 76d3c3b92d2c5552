//! Model files: meshes as oriented particles, written by `motes rig`, edited by people, read by scenes. TOML, or JSON with the same
//! keys.

mod check;
mod read;
mod table;
mod write;

use std::path::Path;

use glam::{Quat, Vec3};
use motes_geometry::{Mesh, Rig, VertexWeights};
use serde_json::{Value as Json, json};

use crate::decode::limits::Limits;
use crate::decode::{Decode, Definitions};
use crate::problem::{Problem, SceneError};

pub use read::scaled;
pub use table::{RigGroupTable, RigParticleTable, RigTable};
pub use write::{rig_json, rig_toml};

/// A mesh as oriented particles, ready for use.
#[derive(Clone, Debug, PartialEq)]
pub struct RigModel {
    /// The mesh, metres, y up.
    pub mesh: Mesh,
    /// A colour that suits the mesh, sRGB, if it has any.
    pub color: Option<[u8; 3]>,
    /// The particles.
    pub particles: Vec<ModelParticle>,
    /// Pairs of particles that are joined, the lower first, in ascending order.
    pub edges: Vec<[u32; 2]>,
    /// Sets of particles with a name.
    pub groups: Vec<RigGroupTable>,
    /// What the vertices of the mesh follow.
    pub weights: VertexWeights,
    /// About how far particles are from each other, metres.
    pub spacing: f32,
}

/// A particle of a model.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ModelParticle {
    /// Its middle, metres.
    pub position: Vec3,
    /// How its axes are turned.
    pub orientation: Quat,
    /// Radii along its axes, metres.
    pub radii: Vec3,
    /// Its share of the mass; all together are 1.
    pub mass_share: f32,
    /// Share of a deformation that is undone in a sixtieth of a second; nothing for what scenes say.
    pub stiffness: Option<f32>,
    /// Share of a twist that is undone in a sixtieth of a second; nothing for what scenes say.
    pub torsion: Option<f32>,
    /// Share of its weight that lifts it.
    pub buoyancy: f32,
}

impl RigModel {
    /// Reads a model file (.toml or .json) and its mesh. Every mistake is in the error, with its place; what is legal but strange comes along as
    /// warnings.
    pub fn load(path: impl AsRef<Path>) -> Result<(Self, Vec<Problem>), SceneError> {
        read::load(path.as_ref())
    }

    /// Reads a model from the text of a file with a name, whose mesh lies in the folder of that name.
    pub fn parse(text: &str, file: &str) -> Result<(Self, Vec<Problem>), SceneError> {
        read::parse(text, file)
    }

    /// A model of a mesh that was rigged, without a file.
    pub fn of_rig(mesh: Mesh, color: Option<[u8; 3]>, rig: Rig) -> Self {
        let particle = |particle: &motes_geometry::RigParticle| ModelParticle {
            position: particle.position,
            orientation: particle.orientation,
            radii: particle.radii,
            mass_share: particle.mass_share,
            stiffness: None,
            torsion: None,
            buoyancy: 0.0,
        };
        Self {
            particles: rig.particles.iter().map(particle).collect(),
            mesh,
            color,
            edges: rig.edges,
            groups: Vec::new(),
            weights: rig.weights,
            spacing: rig.spacing,
        }
    }

    /// The group of a name.
    pub fn group(&self, name: &str) -> Option<&RigGroupTable> {
        self.groups.iter().find(|group| group.name == name)
    }
}

impl RigTable {
    /// The table of a rig, without the mesh it is of.
    pub fn of_rig(rig: &Rig) -> Self {
        let count = rig.particles.len() as f32;
        let particle = |particle: &motes_geometry::RigParticle| RigParticleTable {
            position: particle.position,
            orientation: particle.orientation.to_array(),
            radii: particle.radii,
            mass: particle.mass_share * count,
            stiffness: None,
            torsion: None,
            buoyancy: 0.0,
        };
        let weights = rig.weights.indices.iter().zip(&rig.weights.weights);
        let row = |(indices, weights): (&[u32; 4], &[f32; 4])| {
            let pulls = indices.iter().zip(weights).filter(|(_, weight)| **weight > 0.0);
            pulls.flat_map(|(&index, &weight)| [index as f32, weight]).collect()
        };
        Self {
            format: 1,
            mesh: None,
            mesh_up: None,
            mesh_scale: None,
            model: None,
            resolution: None,
            size: None,
            spacing: rig.spacing,
            stiffness: 0.5,
            torsion: 0.5,
            particles: rig.particles.iter().map(particle).collect(),
            edges: rig.edges.clone(),
            group: Vec::new(),
            weights: weights.map(row).collect(),
        }
    }
}

/// Cells along the longest side of a model that says no number: about 10 000 vertices.
pub const MODEL_RESOLUTION: u32 = 64;

/// JSON Schema (draft 2020-12) of model files, made from the same declarations that read them.
pub fn rig_schema() -> Json {
    let mut definitions = Definitions::default();
    let root = RigTable::schema(&mut definitions, &Limits::default());
    let mut definitions = definitions.into_json();
    definitions["RigTable"]["oneOf"] = ["mesh", "model"].map(|key| json!({ "required": [key] })).into();
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "motes model",
        "$ref": root["$ref"],
        "$defs": definitions,
    })
}

#[cfg(test)]
mod tests;
