//! Creatures: model files, or meshes that are rigged as the scene is read, made once for all copies.

mod form;
mod muscles;
mod parts;
mod pins;

use std::sync::Arc;

use glam::Vec3;
use motes_core::{Bounds, Denting, Edge, Material, NewCreature, OrientedParticle, Pose, Softness};
use motes_geometry::{Mesh, RigSkin, has_inside};

use super::bodies::poses;
use super::motion::RADIANS;
use super::{NO_MATERIAL, PlannedCarrier, Surroundings, named};
use crate::issues::Issues;
use crate::model::{Color, CreatureTable};
use crate::rig_file::RigModel;
pub(super) use pins::carriers;

/// The creatures of one table.
pub(crate) struct PlannedCreatures {
    pub(crate) index: usize,
    pub(crate) material: Material,
    /// All of them, but for their poses and their material.
    pub(crate) creature: NewCreature,
    /// Where each one starts.
    pub(crate) poses: Vec<Pose>,
    pub(crate) form: Arc<CreatureForm>,
    /// The largest radius of a particle, metres.
    pub(crate) radius: f32,
    /// A colour that suits what they are made of.
    pub(crate) color: Option<Color>,
    /// What is held of each: the place in the list of pins, and numbers of particles.
    pins: Vec<(usize, Vec<u32>)>,
}

/// What a creature looks like, in its own frame.
#[derive(Clone, Debug, PartialEq)]
pub struct CreatureForm {
    /// Its surface.
    pub mesh: Mesh,
    /// How the surface hangs on the particles.
    pub skin: RigSkin,
    /// Places and axes of the particles at rest.
    pub bind: Vec<Pose>,
    /// Radii of the particles along their axes, metres.
    pub radii: Vec<Vec3>,
    /// Particles that are joined; joints of exported skins hang on each other so.
    pub edges: Vec<[u32; 2]>,
}

impl PlannedCreatures {
    /// The path of the table.
    pub(crate) fn path(&self) -> String {
        format!("creature[{}]", self.index)
    }

    /// Name of one of them.
    pub(crate) fn name(&self, copy: usize) -> String {
        match self.poses.len() {
            1 => self.creature.name.clone(),
            _ => format!("{} {copy}", self.creature.name),
        }
    }

    /// The smallest radius of a particle, metres.
    pub(crate) fn thinnest(&self) -> f32 {
        let particles = self.creature.particles.iter();
        particles
            .map(|particle| particle.radii.min_element())
            .fold(f32::INFINITY, f32::min)
    }

    /// Where the particles of all of them are that are not pinned.
    pub(crate) fn free_centers(&self) -> impl Iterator<Item = Vec3> {
        let free = || self.creature.particles.iter().filter(|particle| !particle.pinned);
        self.poses
            .iter()
            .flat_map(move |pose| free().map(|particle| pose.point(particle.position)))
    }

    /// Whether any of their particles are pinned.
    pub(crate) fn is_pinned(&self) -> bool {
        self.creature.particles.iter().any(|particle| particle.pinned)
    }

    /// Whether their weight is more than what lifts them.
    pub(crate) fn sinks(&self) -> bool {
        let particles = self.creature.particles.iter();
        particles
            .map(|particle| particle.mass * (1.0 - particle.buoyancy))
            .sum::<f32>()
            > 0.0
    }

    /// Number of particles of all of them.
    pub(crate) fn particle_count(&self) -> usize {
        self.poses.len() * self.creature.particles.len()
    }
}

/// The creatures of every table; `already` particles exist.
pub(super) fn all(around: &Surroundings<'_>, already: u64, issues: &mut Issues<'_>) -> Vec<PlannedCreatures> {
    let mut total = already;
    let mut planned = Vec::new();
    for (index, table) in around.scene.creature.iter().enumerate() {
        let path = format!("creature[{index}]");
        let Some(made) = make(table, index, &path, around, issues) else {
            continue;
        };
        total += made.particle_count() as u64;
        if total > around.limits.particles {
            let limit = around.limits.particles;
            issues.error(
                &path,
                format!("{total} particles are too many: a scene holds at most {limit}"),
            );
            continue;
        }
        planned.push(made);
    }
    planned
}

/// A box around all creatures.
pub(super) fn extent(around: &Surroundings<'_>, issues: &mut Issues<'_>) -> Bounds {
    let mut bounds = Bounds::EMPTY;
    for (index, table) in around.scene.creature.iter().enumerate() {
        let path = format!("creature[{index}]");
        let Some((model, factor)) = form::model(table, &path, around, issues) else {
            continue;
        };
        let local = form::upright_bounds(&model, factor, around);
        for pose in stands(table, local.center(), index, &path, around, issues).unwrap_or_default() {
            bounds = bounds.union(local.transformed(&pose));
        }
    }
    bounds
}

fn stands(
    table: &CreatureTable,
    middle: Vec3,
    index: usize,
    path: &str,
    around: &Surroundings<'_>,
    issues: &mut Issues<'_>,
) -> Option<Vec<Pose>> {
    let first = Pose {
        position: table.position,
        rotation: table.rotation.0,
    };
    if table.copies.as_ref().is_some_and(|copies| copies.joined.is_some()) {
        issues.error(
            &format!("{path}.copies.joined"),
            "is for bodies; creatures are not joined",
        );
        return None;
    }
    poses(first, table.copies.as_ref(), middle, index, path, around, issues)
}

fn make(
    table: &CreatureTable,
    index: usize,
    path: &str,
    around: &Surroundings<'_>,
    issues: &mut Issues<'_>,
) -> Option<PlannedCreatures> {
    let material = around
        .materials
        .get(&table.material, &format!("{path}.material"), issues)?;
    if !issues.sound(path) || !issues.known("up") {
        return None;
    }
    let (model, factor) = form::model(table, path, around, issues)?;
    let color = model.color.map(Color);
    let picker = parts::Picker::new(&model, around);
    let rigid = parts::rigid(table, &model, &picker, path, issues);
    let pins = pins::held(table, &picker, path, issues);
    let muscles = muscles::muscles(table, &model, &picker, around, factor, path, issues);
    let tuned = parts::tuned(table, &picker, path, issues);
    let (form, local) = form::form(&model, factor, around);
    let form = issues.accept(path, form)?;
    let poses = stands(table, local.center(), index, path, around, issues)?;
    let (rigid, pins, muscles, tuned) = (rigid?, pins?, muscles?, tuned?);
    let mut particles = particles(table, &model, &form, material.density, &tuned);
    for &number in pins.iter().flat_map(|(_, held)| held) {
        particles[number as usize].pinned = true;
    }
    let edges = model.edges.iter().zip(muscles).map(|(&particles, muscle)| Edge {
        particles,
        stretch: table.stretch.map(Softness::Stiffness),
        muscle,
    });
    let mut creature = NewCreature::new(
        named(&table.name, "creature", index),
        NO_MATERIAL,
        particles,
        edges.collect(),
    );
    creature.parts = rigid;
    creature.denting = table.denting.as_ref().map(|denting| Denting {
        speed: denting.speed,
        seconds: denting.seconds,
    });
    creature.velocity = table.velocity;
    creature.angular_velocity = table.angular_velocity * RADIANS;
    creature.self_collision = table.self_collide;
    creature.channels = table.channels.0;
    Some(PlannedCreatures {
        index,
        material,
        radius: creature.largest_radius(),
        creature,
        poses,
        form: Arc::new(form),
        color,
        pins,
    })
}

/// The particles, in the frame of the scene, with the mass that a density gives, kg/m³.
fn particles(
    table: &CreatureTable,
    model: &RigModel,
    form: &CreatureForm,
    density: f32,
    tuned: &[parts::Tuned],
) -> Vec<OrientedParticle> {
    let volume = if has_inside(&form.mesh) {
        form.mesh.volume()
    } else {
        form.radii.iter().map(|radii| OrientedParticle::volume(*radii)).sum()
    };
    let mass = table.density.unwrap_or(density) * volume;
    let each = model.particles.iter().zip(form.bind.iter().zip(&form.radii)).zip(tuned);
    each.map(|((particle, (bind, radii)), tuned)| OrientedParticle {
        stiffness: tuned
            .stiffness
            .or(table.stiffness)
            .or(particle.stiffness)
            .unwrap_or(USUAL),
        torsion: tuned.torsion.or(table.torsion).or(particle.torsion).unwrap_or(USUAL),
        buoyancy: tuned.buoyancy.or(table.buoyancy).unwrap_or(particle.buoyancy),
        ..OrientedParticle::ellipsoid(*bind, *radii, (tuned.mass * particle.mass_share * mass).max(LIGHTEST))
    })
    .collect()
}

/// Stiffness and torsion where nobody says otherwise.
const USUAL: f32 = 0.5;

/// Mass of the lightest particle there can be, kg.
const LIGHTEST: f32 = 1e-20;

/// What pins of creatures carry along.
pub(super) type Carriers = Vec<PlannedCarrier>;
