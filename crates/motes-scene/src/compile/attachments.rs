//! What particles of cloth and ropes are attached to: the world and colliders, which carry them, and what has particles itself, to
//! which they are tied.

use glam::Vec3;
use motes_core::{Motion, Pose, Softness};

use super::distances::{Parts, PlannedDistances, PlannedPart, nearest_of};
use super::field::volume;
use super::{PlannedCollider, PlannedSheet, SheetKind, Surroundings, motion, named};
use crate::issues::Issues;
use crate::model::{AttachTable, BodyKind, Region};

/// Reach of a knot, thicknesses of the sheet.
const PATCH: f32 = 1.6;

/// Particles that are carried along.
pub(crate) struct PlannedCarrier {
    pub(crate) path: String,
    pub(crate) of: Carried,
    pub(crate) particles: Vec<u32>,
    pub(crate) by: PlannedBase,
}

/// Whose particles are carried along.
pub(crate) enum Carried {
    /// By its place in the file.
    Sheet(SheetKind, usize),
    /// The same of its table, and which of its copies.
    Body((BodyKind, usize), usize),
    /// The same of a creature.
    Creature(usize, usize),
}

/// What carries particles.
pub(crate) enum PlannedBase {
    /// A motion of their own, as of something that is there at the start.
    Motion(Pose, Motion),
    /// By its place in the file.
    Collider(usize),
}

/// Finds the particles of a name, given the path of that.
pub(super) type ByName<'a> = dyn Fn(&str, &str, &mut Issues<'_>) -> Option<Vec<u32>> + 'a;

/// The particles of a sheet, to be chosen by name or by place.
pub(super) struct Choices<'a> {
    /// Where they start, metres.
    pub(super) starts: &'a [Vec3],
    pub(super) named: &'a ByName<'a>,
    pub(super) up: Vec3,
}

impl Choices<'_> {
    /// Particles of these names, nearest to these points and in this region, each with its key; in order.
    pub(super) fn choose(
        &self,
        (names, names_path): (&[String], String),
        points: &[Vec3],
        (region, region_path): (Option<&Region>, String),
        issues: &mut Issues<'_>,
    ) -> Option<Vec<u32>> {
        let mut chosen: Vec<u32> = { points.iter() }
            .filter_map(|&point| nearest_of(self.starts, point))
            .collect();
        let mut known = true;
        for (number, name) in names.iter().enumerate() {
            match (self.named)(name, &format!("{names_path}[{number}]"), issues) {
                Some(found) => chosen.extend(found),
                None => known = false,
            }
        }
        if let Some(region) = region {
            let volume = volume(region, self.up, &region_path, issues)?;
            let inside = (0..).zip(self.starts).filter(|(_, place)| volume.contains(**place));
            let before = chosen.len();
            chosen.extend(inside.map(|(number, _)| number));
            if chosen.len() == before {
                issues.error(&region_path, "no particle starts in this region");
                known = false;
            }
        }
        chosen.sort_unstable();
        chosen.dedup();
        known.then_some(chosen)
    }

    /// What each table of attachments holds.
    pub(super) fn held(&self, tables: &[AttachTable], path: &str, issues: &mut Issues<'_>) -> Option<Vec<Vec<u32>>> {
        let each = tables.iter().enumerate().map(|(number, table)| {
            let path = format!("{path}.attach[{number}]");
            let chosen = self.choose(
                (&table.pins, format!("{path}.pins")),
                &table.at,
                (table.within.as_ref(), format!("{path}.within")),
                issues,
            )?;
            if chosen.is_empty() && issues.sound(&path) {
                let help = "name them by `pins`, or say where they are by `at` or `within`";
                issues.error_with_help(&path, "attaches no particle", help);
                return None;
            }
            Some(chosen)
        });
        let each: Vec<Option<Vec<u32>>> = each.collect();
        each.into_iter().collect()
    }
}

/// Whether particles are pinned by what they are attached to.
pub(super) fn pins(table: &AttachTable, around: &Surroundings<'_>) -> bool {
    let mut colliders = around.scene.collider.iter().enumerate();
    let is_collider = |name: &str| colliders.any(|(index, other)| named(&other.name, "collider", index) == name);
    table.to.as_deref().is_none_or(is_collider)
}

/// All attachments of sheets: what carries their particles, and what these are tied to.
pub(super) fn all(
    around: &Surroundings<'_>,
    parts: &Parts<'_>,
    colliders: &[PlannedCollider],
    issues: &mut Issues<'_>,
) -> (Vec<PlannedCarrier>, Vec<PlannedDistances>) {
    let (mut carriers, mut ties) = (Vec::new(), Vec::new());
    for sheet in parts.sheets {
        let tables = match sheet.kind {
            SheetKind::Cloth => &around.scene.cloth[sheet.index].attach,
            SheetKind::Rope => &around.scene.rope[sheet.index].attach,
        };
        for (number, (table, held)) in tables.iter().zip(&sheet.held).enumerate() {
            let path = format!("{}.attach[{number}]", sheet.path());
            if !pins(table, around) {
                let direct = around.scene.solver.direct_strands;
                ties.extend(tie(sheet, table, held, (parts, direct), &path, issues));
                continue;
            }
            if table.compliance != 0.0 || table.breaking_force.is_finite() {
                let message = "what is attached to the world or to a collider neither stretches nor breaks";
                issues.error(&path, message);
            }
            let by = match &table.to {
                None => table.motion.as_ref().and_then(|given| {
                    let origin = Pose::at(middle(sheet, held));
                    let path = format!("{path}.motion");
                    let motion = motion::motion(Some(given), &origin, &Pose::IDENTITY, &path, issues)?;
                    Some(PlannedBase::Motion(origin, motion))
                }),
                Some(name) => {
                    refuse_motion(table, &path, issues);
                    let found = colliders.iter().find(|planned| planned.collider.name == *name);
                    found.map(|planned| PlannedBase::Collider(planned.index))
                }
            };
            carriers.extend(by.map(|by| PlannedCarrier {
                path,
                of: Carried::Sheet(sheet.kind, sheet.index),
                particles: held.clone(),
                by,
            }));
        }
    }
    (carriers, ties)
}

/// Ties each of some particles, and those around it, to the nearest one of something else, at least as far away as they touch. The end of a rope on
/// a body is tied by itself where strands are direct: the rope ends there, and all of it pulls.
fn tie(
    sheet: &PlannedSheet,
    table: &AttachTable,
    held: &[u32],
    (parts, direct): (&Parts<'_>, bool),
    path: &str,
    issues: &mut Issues<'_>,
) -> Option<PlannedDistances> {
    refuse_motion(table, path, issues);
    let to = parts.find(table.to.as_deref()?, &format!("{path}.to"), issues)?;
    let own = PlannedPart::Sheet(sheet.kind, sheet.index);
    if to == own {
        issues.error(&format!("{path}.to"), "nothing can be attached to itself");
        return None;
    }
    let centers = parts.centers(to);
    let contact = sheet.radius + parts.radius(to);
    let is_sheet = matches!(to, PlannedPart::Sheet(..));
    let is_end = |particle: u32| {
        let ends = sheet.springs.iter().filter(|(pair, ..)| pair.contains(&particle));
        direct && sheet.kind == SheetKind::Rope && !is_sheet && ends.count() == 1
    };
    let mut pairs: Vec<[u32; 2]> = Vec::new();
    for &particle in held {
        let Some(nearest) = nearest_of(&centers, sheet.centers[particle as usize]) else {
            continue;
        };
        pairs.push([particle, nearest]);
        let patch = patch(&sheet.centers, particle, 2.0 * sheet.radius);
        if is_end(particle) || table.breaking_force.is_finite() || patch.iter().any(|other| held.contains(other)) {
            continue;
        }
        pairs.extend(patch.iter().map(|&other| [other, nearest]));
        if is_sheet {
            let others = self::patch(&centers, nearest, 2.0 * parts.radius(to));
            pairs.extend(others.iter().map(|&other| [particle, other]));
        }
    }
    pairs.sort_unstable();
    pairs.dedup();
    let threads = pairs.len() as f32 / held.len() as f32;
    let length = |[a, b]: [u32; 2]| sheet.centers[a as usize].distance(centers[b as usize]).max(contact);
    Some(PlannedDistances {
        path: path.to_owned(),
        parts: [own, to],
        pairs: pairs.iter().map(|&pair| (pair, length(pair))).collect(),
        softness: Softness::Compliance(threads * table.compliance),
        breaking_force: table.breaking_force,
    })
}

/// The particles around one, within a share more than their thickness: what a knot takes in. A single light particle would be drawn
/// far out of its sheet before iterations have handed on what pulls at it.
fn patch(places: &[Vec3], middle: u32, thickness: f32) -> Vec<u32> {
    let center = places[middle as usize];
    let near = (0..)
        .zip(places)
        .filter(|(number, place)| *number != middle && place.distance(center) < PATCH * thickness);
    near.map(|(number, _)| number).collect()
}

fn refuse_motion(table: &AttachTable, path: &str, issues: &mut Issues<'_>) {
    if table.motion.is_some() {
        let message = "only what is attached to the world has a motion of its own";
        issues.error_with_help(&format!("{path}.motion"), message, "leave out `to`, or `motion`");
    }
}

fn middle(sheet: &PlannedSheet, held: &[u32]) -> Vec3 {
    let sum: Vec3 = held.iter().map(|&particle| sheet.centers[particle as usize]).sum();
    sum / held.len().max(1) as f32
}
