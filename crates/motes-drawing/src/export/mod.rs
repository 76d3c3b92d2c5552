//! Particles and bodies for other programs, written into anything that takes bytes.
//!
//! Meshes go through a [`Snapshot`], which an [`Inventory`] takes of a world in every frame and to which others may add: objects by
//! name, each a mesh that moves or one that changes. [`write_obj`] and [`MeshSequence`] write one frame, [`GlbWriter`] and [`UsdaWriter`]
//! a run, keeping what they cannot write yet in a store of the caller's choice.
//!
//! Writers make many small writes: give them memory or a [`BufWriter`](std::io::BufWriter).

mod body;
mod glb;
mod grid;
mod inventory;
mod log;
mod meshes;
mod obj;
mod passive;
mod ply;
mod skinned;
mod smoke;
mod snapshot;
mod spool;
mod surface;
mod usda;
mod vdb;
mod vti;
mod vtp;

use std::collections::HashMap;
use std::io::{self, Write};

use glam::{Vec3, Vec4Swizzles};
use motes_core::World;
use motes_scene::Looks;

pub use body::write_body_ply;
pub use glb::GlbWriter;
pub use grid::SmokeGrid;
pub use inventory::Inventory;
pub use log::{LogRecord, LogTable, LoggedBody, LoggedCollider, LoggedJoint};
pub use meshes::MeshSequence;
pub use obj::{write_mtl, write_obj};
pub use passive::{write_passive_ply, write_passive_vtp};
pub use ply::write_ply;
pub use skinned::SkinnedMesh;
pub use smoke::{write_smoke_ply, write_smoke_vtp};
pub use snapshot::{Cloud, Geometry, Object, Paint, Snapshot, Timeline};
pub use surface::write_surface_ply;
pub use usda::UsdaWriter;
pub use vdb::write_vdb;
pub use vti::write_vti;
pub use vtp::write_vtp;

/// One particle as it is exported.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ExportedParticle {
    /// Centre, metres.
    pub position: Vec3,
    /// Velocity, m/s.
    pub velocity: Vec3,
    /// Stable id.
    pub id: u32,
    /// Index of the group.
    pub group: u32,
    /// Radius, metres.
    pub radius: f32,
    /// Mass, kg; infinite for those that nothing can move.
    pub mass: f32,
    /// sRGB colour of its group or body, light grey without one.
    pub color: [u8; 3],
    /// Angular velocity, rad/s, of a grain that turns.
    pub angular_velocity: Option<Vec3>,
}

/// All particles of a world in order of id, so that the same row is the same particle while none comes or goes. The looks
/// tell their colours.
pub fn particles(world: &mut World, looks: &Looks) -> Vec<ExportedParticle> {
    let groups = looks.groups.iter().map(|look| (look.group.index(), look.color.0));
    let bodies = looks.bodies.iter().map(|look| (look.group.index(), look.color.0));
    let colors: HashMap<u32, [u8; 3]> = groups.chain(bodies).collect();
    let radii = world.particle_radii();
    let particles = world.particles();
    let mut rows: Vec<_> = (0..particles.len())
        .map(|slot| ExportedParticle {
            position: particles.positions[slot].xyz(),
            velocity: particles.velocities[slot].xyz(),
            id: particles.ids()[slot].index,
            group: particles.phases[slot].group(),
            radius: radii[slot],
            mass: 1.0 / particles.positions[slot].w,
            color: colors.get(&particles.phases[slot].group()).copied().unwrap_or([200; 3]),
            angular_velocity: particles.spin(slot),
        })
        .collect();
    rows.sort_unstable_by_key(|row| row.id);
    rows
}

/// Whether any particle turns: then all have an angular velocity in files.
fn any_turns(particles: &[ExportedParticle]) -> bool {
    particles.iter().any(|particle| particle.angular_velocity.is_some())
}

/// Writes numbers in the order of bytes that all formats here have: little endian.
fn write_floats(out: &mut impl Write, values: &[f32]) -> io::Result<()> {
    values.iter().try_for_each(|value| out.write_all(&value.to_le_bytes()))
}
