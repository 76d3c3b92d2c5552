//! Cloth and ropes: from their tables to particles, and what holds these together.

use std::collections::BTreeMap;
use std::sync::Arc;

use glam::Vec3;
use motes_core::tear::straight_path;
use motes_core::{Bounds, Fabric, Material};
use motes_geometry::cloth::{
    ClothShape, ClothSpring, DrawnSheet, Measure, Membrane, RopePath, RopeShape, Tether, clamp_bends, clamp_hinges,
};

use super::attachments::{self, Choices};
use super::bodies::read_file;
use super::inflation::{self, PlannedInflation};
use super::places::named_places;
use super::sheet_shapes::{shape, source};
use super::{Surroundings, named};
use crate::decode::path::quoted;
use crate::issues::Issues;
use crate::model::{AttachTable, ClothTable, FabricTable, RopeTable};
use crate::nearest::nearest;

/// Which list of a scene a sheet is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum SheetKind {
    Cloth,
    Rope,
}

/// The particles of a `[[cloth]]` or a `[[rope]]`, and what holds them together.
pub(crate) struct PlannedSheet {
    pub(crate) kind: SheetKind,
    pub(crate) index: usize,
    pub(crate) name: String,
    /// Its name in the file, and what it is. The density is such that particles of its radius weigh what the sheet does.
    pub(crate) material: (Option<String>, Material),
    pub(crate) radius: f32,
    pub(crate) own_radius: Option<f32>,
    pub(crate) velocity: Vec3,
    pub(crate) channels: u8,
    pub(crate) self_collide: bool,
    pub(crate) centers: Vec<Vec3>,
    /// Where they lie flat, if they start folded.
    pub(crate) rests: Option<Vec<Vec3>>,
    /// Inverse masses, 1/kg; 0 for pins.
    pub(crate) inverse_masses: Vec<f32>,
    /// The particles of each of its `attach`.
    pub(crate) held: Vec<Vec<u32>>,
    /// Pairs, their distance, metres, and compliance, m/N.
    pub(crate) springs: Vec<([u32; 2], f32, f32)>,
    /// Newtons.
    pub(crate) breaking_force: f32,
    /// Of cloth that tears, the tension of each spring at which it does, newtons.
    pub(crate) bearable: Vec<f32>,
    /// When it is cut, seconds, and along which particles.
    pub(crate) cuts: Vec<(f64, Vec<u32>)>,
    /// Pairs, and how far apart they may be at most, metres.
    pub(crate) tethers: Vec<([u32; 2], f32)>,
    pub(crate) bends: Vec<PlannedBend>,
    pub(crate) faces: Vec<[u32; 3]>,
    /// Drag and lift.
    pub(crate) air: [f32; 2],
    pub(crate) inflation: Option<PlannedInflation>,
    pub(crate) form: Arc<SheetForm>,
}

/// Four particles that keep their curvature, or three of which the last is named twice.
pub(crate) struct PlannedBend {
    pub(crate) particles: [u32; 4],
    pub(crate) weights: [f32; 4],
    pub(crate) rest: f32,
    /// m/N.
    pub(crate) compliance: f32,
}

/// What is drawn of a sheet, by the places of its particles.
#[derive(Clone, Debug, PartialEq)]
pub enum SheetForm {
    /// A surface.
    Cloth(DrawnSheet),
    /// A tube along all particles, which may be a loop.
    Rope {
        /// Whether the last particle is followed by the first.
        closed: bool,
        /// Radius of the cord, metres.
        radius: f32,
    },
}

impl PlannedSheet {
    /// Path of its table.
    pub(crate) fn path(&self) -> String {
        match self.kind {
            SheetKind::Cloth => format!("cloth[{}]", self.index),
            SheetKind::Rope => format!("rope[{}]", self.index),
        }
    }

    /// Whether any of its particles never moves.
    pub(crate) fn is_pinned(&self) -> bool {
        self.inverse_masses.contains(&0.0)
    }
}

/// Every `[[cloth]]` and `[[rope]]`, in that order.
pub(super) fn all(around: &Surroundings<'_>, already: u64, issues: &mut Issues<'_>) -> Vec<PlannedSheet> {
    let fabrics = Fabrics::resolve(&around.scene.fabric, issues);
    let mut planned: Vec<PlannedSheet> = Vec::new();
    let mut total = already;
    let mut add = |sheet: Option<PlannedSheet>, issues: &mut Issues<'_>| {
        let Some(sheet) = sheet else { return };
        total += sheet.centers.len() as u64;
        if total > around.limits.particles {
            let message = format!(
                "{} particles are too many: a scene holds at most {}",
                sheet.centers.len(),
                around.limits.particles
            );
            issues.error_with_help(&sheet.path(), message, "raise `radius`, or make it smaller");
        } else {
            planned.push(sheet);
        }
    };
    for (index, table) in around.scene.cloth.iter().enumerate() {
        let sheet = cloth(table, index, &fabrics, around, issues);
        add(sheet, issues);
    }
    for (index, table) in around.scene.rope.iter().enumerate() {
        let sheet = rope(table, index, around, issues);
        add(sheet, issues);
    }
    planned
}

/// A box around all cloth and ropes.
pub(super) fn extent(around: &Surroundings<'_>, issues: &mut Issues<'_>) -> Bounds {
    let mut bounds = Bounds::EMPTY;
    for (index, table) in around.scene.cloth.iter().enumerate() {
        let corners = match (table.size.or(table.disc.map(|diameter| [diameter; 2])), table.sphere) {
            (_, Some(radius)) => vec![Vec3::splat(radius), Vec3::splat(-radius)],
            (Some([width, height]), _) => {
                let half = 0.5 * Vec3::new(width, height, 0.0);
                let half_across = half * Vec3::new(1.0, -1.0, 1.0);
                vec![half, -half, half_across, -half_across]
            }
            (None, None) if table.model.is_some() => {
                let size = table.scale;
                vec![
                    Vec3::new(-0.5 * size, 0.0, -0.5 * size),
                    Vec3::new(0.5 * size, size, 0.5 * size),
                ]
            }
            (None, None) => {
                let path = format!("cloth[{index}]");
                let mesh = source(table).and_then(|source| read_file(&source, &format!("{path}.mesh"), around, issues));
                mesh.map_or(Vec::new(), |mesh| mesh.0.positions.clone())
            }
        };
        let place = placed(table, around);
        bounds = bounds.union(Bounds::of(corners.into_iter().map(place)));
    }
    for table in &around.scene.rope {
        bounds = bounds.union(Bounds::of(table.points.iter().copied()));
    }
    bounds
}

/// Where a point of a cloth as it was made goes.
fn placed<'a>(table: &'a ClothTable, around: &'a Surroundings<'_>) -> impl Fn(Vec3) -> Vec3 + 'a {
    let turn = table.rotation.0;
    move |point: Vec3| turn * around.upright.to_scene(point) + table.position
}

fn cloth(
    table: &ClothTable,
    index: usize,
    fabrics: &Fabrics,
    around: &Surroundings<'_>,
    issues: &mut Issues<'_>,
) -> Option<PlannedSheet> {
    let path = format!("cloth[{index}]");
    let fabric = fabrics.get(&table.fabric, &format!("{path}.fabric"), issues);
    let sound = |key: &str| issues.sound(&format!("{path}.{key}"));
    if !sound("size")
        || !sound("disc")
        || !sound("mesh")
        || !sound("sphere")
        || !sound("inflate")
        || !sound("resolution")
        || !issues.sound("particle_radius")
    {
        return None;
    }
    let radius = around.scene.radius_or(table.radius);
    let shape = shape(table, &path, radius, around, issues)?;
    let inflation = inflation::plan(table, &shape, &path, issues);
    let place = placed(table, around);
    let rests: Vec<Vec3> = shape.positions.iter().map(|&point| place(point)).collect();
    let folded = match table.pleats {
        0 => None,
        pleats => {
            let folded = shape.pleated(pleats, table.gathered);
            let folded = issues.accept(&format!("{path}.pleats"), folded)?;
            Some(folded.into_iter().map(&place).collect::<Vec<Vec3>>())
        }
    };
    let starts = folded.as_ref().unwrap_or(&rests);
    let by_name =
        |name: &str, place: &str, issues: &mut Issues<'_>| named_places(table, &shape, name, (place, around), issues);
    let choices = Choices {
        starts,
        named: &by_name,
        up: around.scene.up.vector(),
    };
    let pins = choices.choose(
        (&table.pins, format!("{path}.pins")),
        &table.pins_at,
        (table.pins_within.as_ref(), format!("{path}.pins_within")),
        issues,
    );
    let held = choices.held(&table.attach, &path, issues)?;
    let pins = with_attached(pins?, &table.attach, &held, around);
    let fabric = fabric?;
    let mut inverse_masses: Vec<f32> = shape
        .masses(fabric.areal_density)
        .iter()
        .map(|mass| 1.0 / mass)
        .collect();
    pins.iter().for_each(|&pin| inverse_masses[pin as usize] = 0.0);
    let membrane = Membrane {
        warp: fabric.stretch_warp,
        weft: fabric.stretch_weft,
        shear: fabric.shear,
    };
    let springs = shape.springs(&membrane, true);
    let mut hinges = shape.hinges.clone();
    clamp_hinges(&mut hinges, |vertex| inverse_masses[vertex as usize] == 0.0);
    let bends = hinges.iter().map(|hinge| PlannedBend {
        particles: hinge.vertices,
        weights: hinge.weights,
        rest: hinge.rest,
        compliance: hinge.compliance_times_rigidity / fabric.bending,
    });
    let bearable = if table.tears {
        let strains = shape.breaking_strains(&membrane, &springs, fabric.breaking_strain);
        let tension = |(spring, strain): (&ClothSpring, f32)| strain * spring.length * spring.stiffness;
        springs.iter().zip(strains).map(tension).collect()
    } else {
        Vec::new()
    };
    let cuts = cuts(table, &shape, starts, &path, issues);
    let whole = !table.tears && table.cuts.is_empty();
    let tethers = match table.tethers && whole && !pins.is_empty() {
        true => issues.accept(&path, shape.tethers(&pins, 2, Measure::Geodesic))?,
        false => Vec::new(),
    };
    Some(PlannedSheet {
        kind: SheetKind::Cloth,
        index,
        name: named(&table.name, "cloth", index),
        material: (
            None,
            Material {
                static_friction: fabric.static_friction,
                kinetic_friction: fabric.kinetic_friction,
                density: density(fabric.areal_density / (2.0 * radius)),
                ..Material::FRICTIONLESS
            },
        ),
        radius,
        own_radius: table.radius,
        velocity: table.velocity,
        channels: table.channels.0,
        self_collide: table.self_collide,
        springs: { springs.iter() }
            .map(|spring| (spring.ends, spring.length, 1.0 / spring.stiffness))
            .collect(),
        breaking_force: f32::INFINITY,
        bearable,
        cuts,
        tethers: slack(&tethers, table.give),
        bends: if fabric.bending > 0.0 {
            bends.collect()
        } else {
            Vec::new()
        },
        faces: shape.triangles.clone(),
        air: [table.drag, table.lift],
        inflation,
        inverse_masses,
        held,
        form: Arc::new(SheetForm::Cloth(shape.drawn())),
        rests: folded.is_some().then(|| rests.clone()),
        centers: folded.unwrap_or(rests),
    })
}

/// When a cloth is cut, and along which of its particles.
fn cuts(
    table: &ClothTable,
    shape: &ClothShape,
    starts: &[Vec3],
    path: &str,
    issues: &mut Issues<'_>,
) -> Vec<(f64, Vec<u32>)> {
    let edges: Vec<[u32; 2]> = shape.edges().collect();
    let mut cuts = Vec::new();
    for (number, cut) in table.cuts.iter().enumerate() {
        let along = straight_path(starts, &edges, cut.from, cut.to);
        if along.len() < 2 {
            let message = match along.len() {
                0 => "there is no way through the cloth between its ends",
                _ => "its ends are nearest to the same particle",
            };
            issues.error(&format!("{path}.cuts[{number}]"), message);
        }
        cuts.push((f64::from(cut.at), along));
    }
    cuts
}

/// Densities that a material can have.
fn density(wanted: f32) -> f32 {
    wanted.clamp(1e-6, 1e6)
}

fn slack(tethers: &[Tether], give: f32) -> Vec<([u32; 2], f32)> {
    let longer = |tether: &Tether| ([tether.anchor, tether.vertex], (1.0 + give) * tether.length);
    tethers.iter().map(longer).collect()
}

/// Pins, and what is attached to things that nothing moves.
fn with_attached(mut pins: Vec<u32>, tables: &[AttachTable], held: &[Vec<u32>], around: &Surroundings<'_>) -> Vec<u32> {
    for (table, held) in tables.iter().zip(held) {
        if attachments::pins(table, around) {
            pins.extend(held);
        }
    }
    pins.sort_unstable();
    pins.dedup();
    pins
}

fn rope(table: &RopeTable, index: usize, around: &Surroundings<'_>, issues: &mut Issues<'_>) -> Option<PlannedSheet> {
    let path = format!("rope[{index}]");
    let material = around
        .materials
        .get(&table.material, &format!("{path}.material"), issues);
    if !issues.sound(&format!("{path}.points")) || !issues.sound("particle_radius") {
        return None;
    }
    let radius = around.scene.radius_or(table.radius);
    let line = RopePath {
        points: table.points.clone(),
        smooth: table.smooth,
        closed: table.closed,
    };
    let made = RopeShape::along(&line, table.spacing.unwrap_or(1.5 * radius));
    let shape = issues.accept(&format!("{path}.points"), made)?;
    let last = shape.positions.len() as u32 - 1;
    let by_name = |name: &str, place: &str, issues: &mut Issues<'_>| match name {
        "start" => Some(vec![0]),
        "end" => Some(vec![last]),
        _ => {
            unknown("end of a rope", name, ["start", "end"].into_iter(), place, issues);
            None
        }
    };
    let choices = Choices {
        starts: &shape.positions,
        named: &by_name,
        up: around.scene.up.vector(),
    };
    let names = (&table.pins[..], format!("{path}.pins"));
    let pins = choices.choose(names, &table.pins_at, (None, String::new()), issues);
    let held = choices.held(&table.attach, &path, issues)?;
    let pins = with_attached(pins?, &table.attach, &held, around);
    let thick = 800.0 * std::f32::consts::PI * radius * radius;
    let linear_density = table.linear_density.unwrap_or(thick);
    let mut inverse_masses: Vec<f32> = shape.masses(linear_density).iter().map(|mass| 1.0 / mass).collect();
    pins.iter().for_each(|&pin| inverse_masses[pin as usize] = 0.0);
    let mut bends = shape.bends();
    clamp_bends(&mut bends, |vertex| inverse_masses[vertex as usize] == 0.0);
    let bends = bends.iter().map(|bend| {
        let ([a, b, c], [u, v, w]) = (bend.vertices, bend.weights);
        PlannedBend {
            particles: [a, b, c, c],
            weights: [u, v, w, 0.0],
            rest: 0.0,
            compliance: bend.compliance_times_rigidity / table.bending,
        }
    });
    // Tethers would reach across a tear.
    let is_whole = table.breaking_force.is_infinite();
    let tethers = match table.tethers && is_whole && !pins.is_empty() {
        true => shape.tethers(&pins),
        false => Vec::new(),
    };
    let material = material?;
    Some(PlannedSheet {
        kind: SheetKind::Rope,
        index,
        name: named(&table.name, "rope", index),
        material: (Some(table.material.clone()), material),
        radius,
        own_radius: table.radius,
        velocity: table.velocity,
        channels: table.channels.0,
        self_collide: table.self_collide,
        springs: { shape.segments() }
            .map(|ends| (ends, shape.spacing, shape.spacing / table.stretch))
            .collect(),
        breaking_force: table.breaking_force,
        bearable: Vec::new(),
        cuts: Vec::new(),
        tethers: slack(&tethers, table.give),
        bends: if table.bending > 0.0 {
            bends.collect()
        } else {
            Vec::new()
        },
        faces: Vec::new(),
        air: [0.0; 2],
        inflation: None,
        inverse_masses,
        held,
        form: Arc::new(SheetForm::Rope {
            closed: shape.closed,
            radius,
        }),
        rests: None,
        centers: shape.positions,
    })
}

/// Every fabric that a scene can name.
struct Fabrics(BTreeMap<String, Fabric>);

impl Fabrics {
    fn resolve(tables: &BTreeMap<String, FabricTable>, issues: &mut Issues<'_>) -> Self {
        let mut known: BTreeMap<String, Fabric> = BTreeMap::new();
        for name in tables.keys() {
            known.insert(name.clone(), build(name, tables, issues).unwrap_or_default());
        }
        for (name, preset) in Fabric::PRESETS {
            known.entry(name.to_owned()).or_insert(preset);
        }
        Self(known)
    }

    fn get(&self, name: &str, path: &str, issues: &mut Issues<'_>) -> Option<Fabric> {
        let fabric = self.0.get(name).copied();
        if fabric.is_none() && issues.known("fabric") {
            unknown("fabric", name, self.0.keys().map(String::as_str), path, issues);
        }
        fabric
    }
}

/// Follows a fabric down to its preset and builds it up again.
fn build(name: &str, tables: &BTreeMap<String, FabricTable>, issues: &mut Issues<'_>) -> Option<Fabric> {
    let path = format!("fabric.{}.base", quoted(name));
    let mut chain: Vec<(&str, &FabricTable)> = Vec::new();
    let mut current = name;
    let preset = loop {
        match tables.get(current) {
            // A fabric may carry the name of the preset it starts from.
            Some(table) if chain.last().is_none_or(|(last, _)| *last != current) => {
                if chain.iter().any(|(seen, _)| *seen == current) {
                    issues.error(&path, format!("fabric `{}` is its own base", current.escape_debug()));
                    return None;
                }
                chain.push((current, table));
                current = &table.base;
            }
            _ => match Fabric::named(current) {
                Some(preset) => break preset,
                None => {
                    let presets = Fabric::PRESETS.map(|(preset, _)| preset);
                    let others = tables.keys().map(String::as_str).filter(|other| *other != name);
                    unknown("fabric", current, presets.into_iter().chain(others), &path, issues);
                    return None;
                }
            },
        }
    };
    Some(chain.iter().rev().fold(preset, |base, (_, table)| table.fabric(base)))
}

pub(super) fn unknown<'a>(
    what: &str,
    name: &str,
    valid: impl Iterator<Item = &'a str> + Clone,
    path: &str,
    issues: &mut Issues<'_>,
) {
    let help = match nearest(name, valid.clone()) {
        Some(meant) => format!("did you mean `{meant}`?"),
        None => {
            let names: Vec<String> = valid.map(|name| format!("`{name}`")).collect();
            format!("valid are {}", names.join(", "))
        }
    };
    issues.error_with_help(path, format!("unknown {what} `{}`", name.escape_debug()), help);
}
