//! Bodies: meshes, models and solids as particles that hold their shape, made once for all copies.

mod copies;
mod form;

use std::sync::Arc;

use glam::Vec3;
use motes_core::{Bounds, Clusters, Elasticity, Links, Material, Motion, NewBody, Plasticity, Pose, Tethers, Volume};
use motes_geometry::body::Filling;
use motes_geometry::{BodyOptions, ClusterOptions, Mesh, MeshDistance, Skin, body, clusters, join_parts, links};

use super::field::volume;
use super::heat::{PlannedMelting, melting};
use super::motion::{RADIANS, motion};
use super::{NO_MATERIAL, Surroundings, named};
use crate::issues::Issues;
use crate::model::{
    BodyKeys, BodyKind, ClustersTable, Color, FillingChoice, LinksTable, MotionTable, RigidTable, STRETCH, TouchWord,
};
pub(super) use copies::poses;
use form::Form;
pub(super) use form::{MeshSource, modelled, read_file};

/// The bodies of one table.
pub(crate) struct PlannedBodies {
    pub(crate) kind: BodyKind,
    pub(crate) index: usize,
    pub(crate) material: Material,
    /// All of them, but for their poses and their material.
    pub(crate) body: NewBody,
    /// Where each one starts.
    pub(crate) poses: Vec<Pose>,
    pub(crate) form: Arc<BodyForm>,
    /// The key of what they are made of.
    pub(crate) source: &'static str,
    /// What is still wrong with the mesh file after its repair.
    pub(crate) faults: Vec<String>,
    /// Radius of its particles, metres.
    pub(crate) radius: f32,
    /// Distance of neighbouring particles, in diameters.
    pub(crate) spacing: f32,
    /// Where their particles never move.
    pub(crate) clamp: Option<Volume>,
    /// Whether they are meant to overlap others at the start.
    pub(crate) may_overlap: bool,
    /// The liquid they melt into, if they do.
    pub(crate) liquid: Option<(String, Material, Option<Color>)>,
    /// A colour that suits what they are made of.
    pub(crate) color: Option<Color>,
}

/// What a body looks like, in its own frame.
#[derive(Clone, Debug, PartialEq)]
pub struct BodyForm {
    /// Its surface.
    pub mesh: Mesh,
    /// How the surface hangs on the particles; nothing for bodies that never change their shape.
    pub skin: Option<Skin>,
}

impl PlannedBodies {
    /// The path of the table.
    pub(crate) fn path(&self) -> String {
        format!("{}[{}]", self.kind.list(), self.index)
    }

    /// Name of one of them.
    pub(crate) fn name(&self, copy: usize) -> String {
        match self.poses.len() {
            1 => self.body.name.clone(),
            _ => format!("{} {copy}", self.body.name),
        }
    }

    /// Number of particles of all of them.
    pub(crate) fn particle_count(&self) -> usize {
        self.poses.len() * self.body.positions.len()
    }

    /// The numbers of the particles of a copy that are held in place.
    pub(crate) fn clamped(&self, copy: usize) -> impl Iterator<Item = usize> + '_ {
        let places = self.body.positions.iter().enumerate();
        let is_held = move |place: &Vec3| {
            let clamp = self.clamp.as_ref();
            clamp.is_some_and(|clamp| clamp.contains(self.poses[copy].point(*place)))
        };
        places
            .filter(move |(_, place)| is_held(place))
            .map(|(number, _)| number)
    }

    /// The particles of all of them, each with the number of its body.
    pub(crate) fn centers(&self) -> impl Iterator<Item = (usize, Vec3)> {
        let poses = self.poses.iter().enumerate();
        poses.flat_map(|(copy, pose)| self.body.positions.iter().map(move |place| (copy, pose.point(*place))))
    }
}

/// The bodies of every table; `already` particles exist.
pub(super) fn all(around: &Surroundings<'_>, already: u64, issues: &mut Issues<'_>) -> Vec<PlannedBodies> {
    let mut planned: Vec<PlannedBodies> = Vec::new();
    let mut total = already;
    for (kind, index, keys) in around.scene.bodies() {
        let made = Maker {
            kind,
            index,
            keys,
            around,
            path: format!("{}[{index}]", kind.list()),
        }
        .make(total, issues);
        if let Some(bodies) = made {
            total += bodies.particle_count() as u64;
            planned.push(bodies);
        }
    }
    planned
}

/// A box around all bodies, made without a single particle.
pub(super) fn extent(around: &Surroundings<'_>, issues: &mut Issues<'_>) -> Bounds {
    let mut bounds = Bounds::EMPTY;
    for (kind, index, keys) in around.scene.bodies() {
        let path = format!("{}[{index}]", kind.list());
        let Some(form) = Form::make(kind, keys, &path, around, issues) else {
            continue;
        };
        let local = form.mesh.bounds();
        let stands = copies::poses(
            first(keys),
            keys.copies.as_ref(),
            local.center(),
            index,
            &path,
            around,
            issues,
        );
        for pose in stands.unwrap_or_default() {
            bounds = bounds.union(local.transformed(&pose));
        }
    }
    bounds
}

/// Where the first body of a table stands.
fn first(keys: &BodyKeys) -> Pose {
    Pose {
        position: keys.position,
        rotation: keys.rotation.0,
    }
}

/// Makes the bodies of one table.
struct Maker<'a> {
    kind: BodyKind,
    index: usize,
    keys: &'a BodyKeys,
    around: &'a Surroundings<'a>,
    path: String,
}

impl Maker<'_> {
    fn make(&self, already: u64, issues: &mut Issues<'_>) -> Option<PlannedBodies> {
        let (keys, path) = (self.keys, &self.path);
        let name = self.kind.material(keys);
        let material = self.around.materials.get(name, &format!("{path}.material"), issues)?;
        if !issues.sound(path) || !issues.sound("particle_radius") || !issues.known("up") {
            return None;
        }
        let form = Form::make(self.kind, keys, path, self.around, issues);
        let middle = form.as_ref().map_or(Vec3::ZERO, |form| form.mesh.bounds().center());
        let poses = copies::poses(
            first(keys),
            keys.copies.as_ref(),
            middle,
            self.index,
            path,
            self.around,
            issues,
        );
        let motion = self.motion(issues);
        let melting = self.melting(issues);
        let clamp = self.clamp(issues);
        let (form, poses, motion, melting, clamp) = (form?, poses?, motion?, melting?, clamp?);
        let options = self.options(keys.density.unwrap_or(material.density));
        if !form.fits(&options, poses.len(), already, path, self.around, issues) {
            return None;
        }
        let source = format!("{path}.{}", form.source);
        let [name, list] = [&keys.name, self.kind.list()];
        self.around
            .steps
            .begin(format_args!("filling {}", named(name, list, self.index)));
        let filled = issues.accept(&source, body(&form.mesh, &options))?;
        let count = (filled.len() * poses.len()) as u64;
        if filled.is_empty() {
            let message = format!("no particle of radius {} m fits into the body", options.radius);
            issues.error_with_help(&source, message, "make it larger, or its `radius` smaller");
            return None;
        }
        if already + count > self.around.limits.particles {
            form::refuse_count(count as f64, &source, self.around, issues);
            return None;
        }
        let mut new = filled.to_new(named(&keys.name, self.kind.list(), self.index), NO_MATERIAL);
        new.radius = keys.radius;
        new.velocity = keys.velocity;
        new.angular_velocity = keys.angular_velocity * RADIANS;
        new.mass_scaling = keys.mass_scaling;
        new.channels = keys.channels.0;
        let (melting, liquid) = melting.map(|planned| (planned.melting, planned.liquid)).unzip();
        new.melting = melting;
        let mut mesh = form.mesh;
        let mut skin = None;
        if self.kind != BodyKind::Rigid || keys.melting.is_some() {
            self.soften(&mut new, &mesh, &options, issues)?;
            mesh = issues.accept(&source, mesh.refined(FINEST_SKIN * options.pitch()))?;
            skin = Some(issues.accept(&source, Skin::new(&mesh, &new.positions, options.radius))?);
        }
        if self.touches_with_particles() {
            new.inscribed.clear();
            new.revolution = None;
        }
        new.kinematic = self.is_kinematic();
        new.motion = motion;
        Some(PlannedBodies {
            kind: self.kind,
            index: self.index,
            material,
            body: new,
            poses,
            form: Arc::new(BodyForm { mesh, skin }),
            source: form.source,
            faults: form.faults,
            radius: options.radius,
            spacing: options.spacing,
            clamp,
            may_overlap: keys.may_overlap,
            liquid: liquid.flatten(),
            color: form.color,
        })
    }

    fn options(&self, density: f32) -> BodyOptions {
        BodyOptions {
            radius: self.around.scene.radius_or(self.keys.radius),
            spacing: self.keys.spacing(),
            density,
            filling: match self.keys.filling {
                FillingChoice::Solid => Filling::Solid,
                FillingChoice::Shell(layers) => Filling::Shell { layers },
            },
            seed: self.around.scene.seed,
        }
    }

    /// The table of the bodies if they are rigid.
    fn rigid(&self) -> Option<&RigidTable> {
        let table = self.around.scene.rigid.get(self.index);
        table.filter(|_| self.kind == BodyKind::Rigid)
    }

    fn is_kinematic(&self) -> bool {
        self.rigid()
            .is_some_and(|table| table.kinematic || table.motion.is_some())
    }

    fn touches_with_particles(&self) -> bool {
        self.rigid()
            .is_some_and(|table| table.touches_with == TouchWord::Particles)
    }

    /// Where the bodies are held, if anywhere.
    fn clamp(&self, issues: &mut Issues<'_>) -> Option<Option<Volume>> {
        let region = match self.kind {
            BodyKind::Rigid => &None,
            BodyKind::Soft => &self.around.scene.soft.get(self.index)?.clamp,
            BodyKind::Plastic => &self.around.scene.plastic.get(self.index)?.clamp,
        };
        let Some(region) = region else { return Some(None) };
        let path = format!("{}.clamp", self.path);
        volume(region, self.around.scene.up.vector(), &path, issues).map(Some)
    }

    /// When the bodies melt, if they do.
    fn melting(&self, issues: &mut Issues<'_>) -> Option<Option<PlannedMelting>> {
        let Some(table) = &self.keys.melting else {
            return Some(None);
        };
        let path = format!("{}.melting", self.path);
        if self.is_kinematic() {
            issues.error(&path, "a body that is kinematic does not melt");
            return None;
        }
        let material = self.kind.material(self.keys);
        melting(table, material, &path, self.around, issues).map(Some)
    }

    /// How the bodies move by themselves.
    fn motion(&self, issues: &mut Issues<'_>) -> Option<Motion> {
        let Some(table) = self.rigid() else {
            return Some(Motion::Fixed);
        };
        let path = format!("{}.motion", self.path);
        if matches!(table.motion, Some(MotionTable::Path(_))) && self.keys.copies.is_some() {
            issues.error(&path, "a path leads one body, not copies");
            return None;
        }
        let start = Pose {
            position: self.keys.position,
            rotation: self.keys.rotation.0,
        };
        motion(table.motion.as_ref(), &start, &Pose::IDENTITY, &path, issues)
    }

    /// What makes a body soft or plastic.
    fn soften(&self, new: &mut NewBody, mesh: &Mesh, options: &BodyOptions, issues: &mut Issues<'_>) -> Option<()> {
        match self.kind {
            BodyKind::Rigid => {}
            BodyKind::Soft => {
                let table = self.around.scene.soft.get(self.index)?;
                new.stiffness = table.stiffness;
                new.elasticity = table.youngs_modulus.map(|youngs_modulus| Elasticity {
                    youngs_modulus,
                    density: options.density,
                });
                if let Some(wanted) = &table.clusters.0 {
                    new.clusters = self.clusters(wanted, &new.positions, mesh, options, issues)?;
                }
                if let Some(wanted) = &table.links.0 {
                    new.links = self.links(wanted, &new.positions, mesh, options, issues)?;
                }
            }
            BodyKind::Plastic => {
                let table = self.around.scene.plastic.get(self.index)?;
                new.stiffness = table.stiffness;
                new.plasticity = Some(Plasticity {
                    threshold: table.threshold.unwrap_or(THRESHOLD * options.radius),
                    creep: table.creep,
                    limit: table.limit,
                });
            }
        }
        let stretch = match self.kind {
            BodyKind::Rigid => STRETCH,
            BodyKind::Soft => self.around.scene.soft.get(self.index)?.stretch,
            BodyKind::Plastic => self.around.scene.plastic.get(self.index)?.stretch,
        };
        if stretch.is_finite() {
            let pairs = self.neighbors(&new.positions, mesh, options, issues)?;
            new.tethers = Tethers { pairs, stretch };
        }
        Some(())
    }

    /// Pairs of neighbours that hold the body together.
    fn neighbors(
        &self,
        positions: &[Vec3],
        mesh: &Mesh,
        options: &BodyOptions,
        issues: &mut Issues<'_>,
    ) -> Option<Vec<[u32; 2]>> {
        let (path, reach) = (&self.path, LINK_REACH * options.pitch());
        let mut pairs = issues.accept(path, links(positions, reach, Some(TETHERS)))?;
        let inside = MeshDistance::new(mesh);
        pairs.retain(|pair| {
            let [a, b] = pair.map(|end| positions[end as usize]);
            // Thin parts have particles that are partly outside.
            a.distance(b) < CROWDED * options.pitch() || inside.is_clear(a, b)
        });
        issues.accept(
            path,
            join_parts(positions, &mut pairs, reach, FARTHEST * options.pitch()),
        )?;
        Some(pairs)
    }

    fn links(
        &self,
        wanted: &LinksTable,
        positions: &[Vec3],
        mesh: &Mesh,
        options: &BodyOptions,
        issues: &mut Issues<'_>,
    ) -> Option<Links> {
        let path = format!("{}.links", self.path);
        let reach = wanted.reach.unwrap_or(LINK_REACH * options.pitch());
        let most = MOST_REACH * options.pitch();
        if reach > most {
            let message = format!("is {reach} m, more than {MOST_REACH} times the distance of neighbouring particles");
            let help = format!("each particle would have hundreds of links; take at most {most:.3} m");
            issues.error_with_help(&format!("{path}.reach"), message, help);
            return None;
        }
        let pairs = inner_links(positions, mesh, reach, &path, issues)?;
        if pairs.is_empty() && positions.len() > 1 {
            issues.warning(&path, "no two particles are near enough to be linked");
        }
        Some(Links {
            pairs,
            compliance: wanted.compliance,
        })
    }

    fn clusters(
        &self,
        wanted: &ClustersTable,
        positions: &[Vec3],
        mesh: &Mesh,
        options: &BodyOptions,
        issues: &mut Issues<'_>,
    ) -> Option<Clusters> {
        let path = format!("{}.clusters", self.path);
        let pitch = options.pitch();
        let usual = match self.around.scene.soft.get(self.index)?.youngs_modulus {
            Some(_) => ClusterOptions::fine(pitch),
            None => ClusterOptions::new(pitch),
        };
        let divided = ClusterOptions {
            spacing: wanted.spacing.unwrap_or(usual.spacing),
            radius: wanted.radius.unwrap_or(usual.radius),
            whole: false,
        };
        let mut pairs = inner_links(positions, mesh, LINK_REACH * pitch, &path, issues)?;
        let parts = issues.accept(
            &path,
            join_parts(positions, &mut pairs, LINK_REACH * pitch, FARTHEST * pitch),
        )?;
        let finer = "take a smaller `radius`, or a body that is thicker there";
        if parts.joined > 0 {
            let message = format!(
                "{} of its parts are so thin or so near that nothing but a gap holds them",
                parts.joined
            );
            issues.warning_with_help(&path, message, finer);
        }
        if parts.apart > 0 {
            let message = format!("{} of its parts are held by nothing and will fall off", parts.apart);
            issues.warning_with_help(&path, message, finer);
        }
        let made = issues.accept(&path, clusters(positions, &pairs, &divided))?;
        Some(Clusters {
            starts: made.starts,
            members: made.members,
            whole_stiffness: wanted.whole,
        })
    }
}

/// Pairs of particles within a distance that do not lead through the outside.
fn inner_links(
    positions: &[Vec3],
    mesh: &Mesh,
    reach: f32,
    path: &str,
    issues: &mut Issues<'_>,
) -> Option<Vec<[u32; 2]>> {
    let mut pairs = issues.accept(path, links(positions, reach, None))?;
    let inside = MeshDistance::new(mesh);
    pairs.retain(|pair| {
        let [a, b] = pair.map(|end| positions[end as usize]);
        inside.is_clear(a, b)
    });
    Some(pairs)
}

/// Skins have edges no longer than this, in distances of neighbouring particles, so that they can bend.
const FINEST_SKIN: f32 = 1.5;

/// Particles within this many distances of neighbours hold together.
const LINK_REACH: f32 = 1.6;

/// Parts that are no further apart than this, in distances of neighbours, are one body.
const FARTHEST: f32 = 4.0;

/// Neighbours that a particle is tethered to, of those that are nearest; others may be tethered to it.
const TETHERS: usize = 6;

/// Particles within this many distances of neighbours are of the same part, wherever the surface is.
const CROWDED: f32 = 0.8;

/// Links may reach no further than this, in distances of neighbours: each particle has hundreds then.
const MOST_REACH: f32 = 4.0;

/// The default threshold of plastic bodies, in radii.
const THRESHOLD: f32 = 0.1;
