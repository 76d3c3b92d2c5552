//! Shapes for motes: solids filled with grains, vessels, hulls, terrains; meshes read, repaired and made into particles.
//!
//! A [`Solid`] is a tree of signed distance functions; [`fill()`](fill::fill) turns it into particle centres and
//! [`sdf::bake`] into a collider. A [`Mesh`] is plain triangles: [`read_mesh`] reads one, [`repair()`](repair::repair) mends it,
//! [`body()`](body::body) makes particles of it and [`bake_mesh`] a collider. A [`Tube`] is the surface of a rope. [`models`] has some to begin with. Lengths are
//! metres, y is up.

#![cfg_attr(test, allow(clippy::unwrap_used))]

pub mod body;
pub mod castle;
pub mod cloth;
pub mod clusters;
pub mod creases;
pub mod diagnose;
pub mod distance;
pub mod dual_contour;
mod edges;
pub mod error;
pub mod fill;
mod grid;
pub mod heights;
pub mod hull;
pub mod integrals;
mod isosurface;
pub mod lathe;
mod lattice;
pub mod links;
pub mod liquid;
pub mod mesh;
pub mod models;
mod parts;
mod primitives;
mod prune;
pub mod read;
mod refine;
pub mod repair;
pub mod rig;
mod samples;
pub mod sdf;
pub mod shaded;
mod shapes;
pub mod skin;
pub mod solid;
pub mod surface_nets;
pub mod tessellate;
mod tree;
mod triangle;
pub mod tube;
pub mod vessels;
pub mod write;

pub use body::{Body, BodyOptions, MassProperties, body, surface_points};
pub use castle::{Castle, castle};
pub use clusters::{ClusterOptions, Clusters, clusters};
pub use creases::Creased;
pub use diagnose::{Diagnosis, diagnose};
pub use distance::MeshDistance;
pub use dual_contour::dual_contour;
pub use error::GeometryError;
pub use fill::{Filling, Grains, fill, fill_count};
pub use heights::dunes;
pub use hull::convex_hull;
pub use integrals::Integrals;
pub use lathe::lathe;
pub use lattice::Packing;
pub use links::{join_parts, links};
pub use liquid::{LiquidKernel, LiquidOptions, LiquidSurface, liquid_kernels, liquid_surface, liquid_values};
pub use mesh::Mesh;
pub use read::{
    Format, NotFinite, Place, ReadError, ReadOptions, Up, first_not_finite, parse_mesh, part_names, read_mesh,
    read_part,
};
pub use repair::{Repairs, repair};
pub use rig::{
    Blend, Density, Motion, Rig, RigOptions, RigParticle, RigSkin, VertexWeights, has_inside, rig, rig_weights,
};
pub use sdf::{bake, bake_mesh};
pub use shaded::{ShadedMesh, smooth_normals};
pub use skin::Skin;
pub use solid::{MeshSolid, Solid};
pub use tessellate::{Detail, tessellate};
pub use tube::{Tube, TubeOptions};
