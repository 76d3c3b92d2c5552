//! Unified particle physics: everything is made of particles that constraints hold together or apart.
//!
//! This crate gathers the others under one name: [`core`] is the solver, [`geometry`] fills solids with particles,
//! [`scene`] reads scene files and holds the gallery, [`render`] draws pictures and writes video, and with the feature `gpu`, on
//! by default, `gpu` runs worlds on GPUs. The [`prelude`] has what a program needs that builds a world by hand:
//!
//! ```
//! use motes::prelude::*;
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let mut world = World::new(Settings::default())?;
//! let glass = world.add_material(Material::GLASS)?;
//! let floor = Plane::new(Vec3::Y, 0.0)?;
//! world.add_collider(Collider::new("floor", floor.into(), glass, Pose::IDENTITY))?;
//! let marbles = world.add_group(Group::grains("marbles", glass))?;
//! let ids = world.add_particles(marbles, &[Vec3::new(0.0, 1.05, 0.0)], Vec3::ZERO)?;
//!
//! for _ in 0..42 {
//!     world.step(1.0 / 60.0);
//! }
//! // Glass rebounds with 0.7 of its speed: 0.7 seconds after the drop the marble is on its way up again.
//! let height = world.positions(&ids)[0].ok_or("the marble is gone")?.y;
//! assert!(height > 0.4 && height < 0.6, "{height}");
//! # Ok(())
//! # }
//! ```
//!
//! `World::on_gpu` in place of `World::new` runs the same on a GPU; see [`OnGpu`].
//!
//! A scene file becomes a world in two calls, [`Scene::load`](scene::Scene::load) and
//! [`Scene::build`](scene::Scene::build). [`drawing::Sketch`] turns a world into what a renderer draws.

pub use motes_core as core;
pub use motes_drawing as drawing;
pub use motes_geometry as geometry;
#[cfg(feature = "gpu")]
pub use motes_gpu as gpu;
pub use motes_render as render;
pub use motes_scene as scene;

#[cfg(feature = "gpu")]
mod on_gpu;
#[cfg(feature = "gpu")]
pub use on_gpu::{NoGpu, OnGpu};

/// What a program needs to build a world and to look into it.
pub mod prelude {
    pub use crate::core::colliders::{
        Capsule, ConvexHull, Cuboid, Heightfield, Plane, SdfGrid, ShapeError, Sphere, TriangleMesh,
    };
    pub use crate::core::glam::{self, Quat, UVec3, Vec2, Vec3, Vec4};
    pub use crate::core::{
        Anchor, Attachment, AttachmentId, Averaging, BodyId, BodyMotion, Bounds, Centers, Change, Chosen, Clusters,
        Collider, ColliderContacts, ColliderForce, ColliderForces, ColliderId, ConstraintId, ConstraintSolver,
        ConstraintState, Constraints, Contact, CpuEngine, Denominator, Emitter, EmitterShape, Engine, Everything,
        Exploded, Fade, FieldKind, Foam, ForceField, FrictionModel, Group, GroupId, HeatZone, Hit, Joint, JointAxis,
        JointId, JointMotor, JointState, Keyframe, Links, Liquids, Material, MaterialId, MaterialPair, Melting, Motion,
        Motions, NearestParticle, NewBody, NewDistance, NewJoint, OfGroup, ParticleContacts, ParticleId, ParticleState,
        Particles, ParticlesIn, Partner, Passive, PassiveKind, PassiveParticles, PassiveParts, Pending, Phase,
        Plasticity, Plume, Pose, PositionBased, Question, RayCast, RayHit, Settings, Shape, Smoke, Softness, Sph,
        Spring, StateError, Strays, Switch, Temperature, Touched, TriggerOverlap, TriggerOverlaps, Volume, World,
        WorldError,
    };
    pub use crate::geometry::{
        BodyOptions, Filling, GeometryError, Mesh, Packing, Solid, convex_hull, fill, models, read_mesh,
    };
    pub use crate::scene::{Built, Scene, SceneError};
    #[cfg(feature = "gpu")]
    pub use crate::{NoGpu, OnGpu};
}

#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;

#[cfg(doctest)]
#[doc = include_str!("../../../docs/edits.md")]
struct EditsPage;

#[cfg(test)]
mod tests {
    use super::scene;

    #[test]
    fn every_key_and_shape_of_scene_files_is_in_the_reference() {
        let reference = include_str!("../../../docs/scenes.md");
        let schema = scene::schema();
        for (name, definition) in schema["$defs"].as_object().into_iter().flatten() {
            let keys = definition["properties"]
                .as_object()
                .into_iter()
                .flatten()
                .map(|(key, _)| key);
            let choices = definition["oneOf"].as_array().into_iter().flatten();
            let choices = choices
                .flat_map(|choice| choice["properties"].as_object().into_iter().flatten())
                .map(|(key, _)| key);
            for key in keys.chain(choices) {
                assert!(
                    reference.contains(key.as_str()),
                    "{name}.{key} is not in docs/scenes.md"
                );
            }
        }
    }

    #[test]
    fn the_example_of_the_reference_is_a_scene_without_doubts() {
        let reference = include_str!("../../../docs/scenes.md");
        let example = reference
            .split("```toml")
            .nth(1)
            .and_then(|rest| rest.split("```").next())
            .unwrap_or_default();
        let scene = scene::Scene::from_toml(example, "docs/scenes.md").unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(scene::check(&scene), []);
    }

    #[test]
    fn the_presets_in_the_page_on_grains_are_those_of_the_solver() {
        let page = include_str!("../../../docs/grains.md");
        let solids = crate::core::Material::PRESETS
            .into_iter()
            .filter(|(_, m)| m.viscosity == 0.0);
        for (name, m) in solids {
            let rolling = { m.rolling_resistance }.map_or("does not turn".to_owned(), |value| value.to_string());
            let row = format!(
                "| `{name}` | {} | {:?} | {:?} | {rolling} | {} | {} | {} |",
                m.density, m.static_friction, m.kinetic_friction, m.restitution, m.adhesion, m.cohesion
            );
            let same = |line: &str| line.replace(".0 |", " |") == row.replace(".0 |", " |");
            assert!(page.lines().any(same), "docs/grains.md should have\n{row}");
        }
    }

    #[test]
    fn every_scene_of_the_gallery_is_in_the_readme() {
        let readme = include_str!("../../../README.md");
        for entry in scene::gallery::gallery() {
            assert!(readme.contains(&format!("**{}**", entry.name)), "{}", entry.name);
        }
    }
}
