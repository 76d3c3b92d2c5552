//! What carries the clamped parts of soft and plastic bodies: a motion of their own, or a collider.

use glam::Vec3;
use motes_core::{Motion, Pose};

use super::attachments::Carried;
use super::{PlannedBase, PlannedBodies, PlannedCarrier, PlannedCollider, Surroundings, motion, named};
use crate::issues::Issues;
use crate::model::{BodyKind, MotionTable};
use crate::nearest::nearest;

/// What a table says of how its clamped part goes.
struct Going<'a> {
    motion: Option<&'a MotionTable>,
    to: Option<&'a str>,
}

impl<'a> Going<'a> {
    fn of(planned: &PlannedBodies, around: &'a Surroundings<'_>) -> Option<Self> {
        let (motion, to) = match planned.kind {
            BodyKind::Rigid => return None,
            BodyKind::Soft => {
                let table = around.scene.soft.get(planned.index)?;
                (&table.clamp_motion, &table.clamp_to)
            }
            BodyKind::Plastic => {
                let table = around.scene.plastic.get(planned.index)?;
                (&table.clamp_motion, &table.clamp_to)
            }
        };
        let (motion, to) = (motion.as_ref(), to.as_deref());
        (motion.is_some() || to.is_some()).then_some(Self { motion, to })
    }
}

/// What carries the clamped parts of all bodies.
pub(super) fn all(
    around: &Surroundings<'_>,
    bodies: &[PlannedBodies],
    colliders: &[PlannedCollider],
    issues: &mut Issues<'_>,
) -> Vec<PlannedCarrier> {
    let mut carriers = Vec::new();
    for planned in bodies {
        let Some(going) = Going::of(planned, around) else {
            continue;
        };
        let path = planned.path();
        let key = if going.to.is_some() { "clamp_to" } else { "clamp_motion" };
        let key = format!("{path}.{key}");
        if planned.clamp.is_none() {
            issues.error_with_help(&key, "nothing of it is clamped", "say where by `clamp`");
            continue;
        }
        if going.to.is_some() && going.motion.is_some() {
            let message = "only what is clamped to the world has a motion of its own";
            let help = "leave out `clamp_to`, or `clamp_motion`";
            issues.error_with_help(&format!("{path}.clamp_motion"), message, help);
            continue;
        }
        if matches!(going.motion, Some(MotionTable::Path(_))) && planned.poses.len() > 1 {
            issues.error(&key, "a path leads one body, not copies");
            continue;
        }
        for copy in 0..planned.poses.len() {
            let held: Vec<usize> = planned.clamped(copy).collect();
            if held.is_empty() {
                continue;
            }
            let Some(by) = base(&going, middle(planned, copy, &held), around, colliders, &key, issues) else {
                break;
            };
            carriers.push(PlannedCarrier {
                path: path.clone(),
                of: Carried::Body(planned.table(), copy),
                particles: held.into_iter().map(|number| number as u32).collect(),
                by,
            });
        }
    }
    carriers
}

fn base(
    going: &Going<'_>,
    middle: Vec3,
    around: &Surroundings<'_>,
    colliders: &[PlannedCollider],
    path: &str,
    issues: &mut Issues<'_>,
) -> Option<PlannedBase> {
    let Some(name) = going.to else {
        let origin = Pose::at(middle);
        let motion: Motion = motion::motion(going.motion, &origin, &Pose::IDENTITY, path, issues)?;
        return Some(PlannedBase::Motion(origin, motion));
    };
    collider_named(name, around, colliders, path, issues).map(PlannedBase::Collider)
}

/// The place in the file of the collider of a name; notes a name that none has.
pub(super) fn collider_named(
    name: &str,
    around: &Surroundings<'_>,
    colliders: &[PlannedCollider],
    path: &str,
    issues: &mut Issues<'_>,
) -> Option<usize> {
    if let Some(found) = colliders.iter().find(|planned| planned.collider.name == name) {
        return Some(found.index);
    }
    let tables = around.scene.collider.iter().enumerate();
    let names: Vec<String> = tables
        .map(|(index, table)| named(&table.name, "collider", index))
        .collect();
    if names.iter().any(|other| other == name) {
        // What is wrong with it has been said.
        return None;
    }
    let message = format!("there is no collider `{}`", name.escape_debug());
    match nearest(name, names.iter().map(String::as_str)) {
        Some(near) => issues.error_with_help(path, message, format!("did you mean `{near}`?")),
        None => issues.error(path, message),
    }
    None
}

fn middle(planned: &PlannedBodies, copy: usize, held: &[usize]) -> Vec3 {
    let places = held
        .iter()
        .map(|&number| planned.poses[copy].point(planned.body.positions[number]));
    places.sum::<Vec3>() / held.len() as f32
}
