//! What holds particles of creatures, and carries them along.

use glam::Vec3;
use motes_core::Pose;

use super::parts::Picker;
use super::{Carriers, PlannedCreatures};
use crate::compile::attachments::Carried;
use crate::compile::clamps::collider_named;
use crate::compile::motion::motion;
use crate::compile::{PlannedBase, PlannedCarrier, PlannedCollider, Surroundings};
use crate::issues::Issues;
use crate::model::{CreatureTable, MotionTable};

/// The particles that each pin of a table holds.
pub(super) fn held(
    table: &CreatureTable,
    picker: &Picker<'_>,
    path: &str,
    issues: &mut Issues<'_>,
) -> Option<Vec<(usize, Vec<u32>)>> {
    let mut all = Vec::new();
    let mut fine = true;
    for (index, pin) in table.pin.iter().enumerate() {
        let path = format!("{path}.pin[{index}]");
        if pin.to.is_some() && pin.motion.is_some() {
            let message = "only what is pinned to the world has a motion of its own";
            issues.error_with_help(&format!("{path}.motion"), message, "leave out `to`, or `motion`");
            fine = false;
        }
        match picker.pick(&pin.of, &format!("{path}.of"), issues) {
            Some(members) => all.push((index, members)),
            None => fine = false,
        }
    }
    fine.then_some(all)
}

/// What carries the pinned particles of all creatures.
pub(in crate::compile) fn carriers(
    around: &Surroundings<'_>,
    creatures: &[PlannedCreatures],
    colliders: &[PlannedCollider],
    issues: &mut Issues<'_>,
) -> Carriers {
    let mut carriers = Vec::new();
    for planned in creatures {
        let Some(table) = around.scene.creature.get(planned.index) else {
            continue;
        };
        for (index, members) in &planned.pins {
            let pin = &table.pin[*index];
            let path = format!("{}.pin[{index}]", planned.path());
            if pin.motion.is_none() && pin.to.is_none() {
                continue;
            }
            if matches!(pin.motion, Some(MotionTable::Path(_))) && planned.poses.len() > 1 {
                issues.error(&format!("{path}.motion"), "a path leads one creature, not copies");
                continue;
            }
            for copy in 0..planned.poses.len() {
                let by = match &pin.to {
                    Some(name) => collider_named(name, around, colliders, &format!("{path}.to"), issues)
                        .map(PlannedBase::Collider),
                    None => {
                        let origin = Pose {
                            position: middle(planned, copy, members),
                            rotation: planned.poses[copy].rotation,
                        };
                        let path = format!("{path}.motion");
                        motion(pin.motion.as_ref(), &origin, &Pose::IDENTITY, &path, issues)
                            .map(|motion| PlannedBase::Motion(origin, motion))
                    }
                };
                let Some(by) = by else { break };
                carriers.push(PlannedCarrier {
                    path: path.clone(),
                    of: Carried::Creature(planned.index, copy),
                    particles: members.clone(),
                    by,
                });
            }
        }
    }
    carriers
}

fn middle(planned: &PlannedCreatures, copy: usize, members: &[u32]) -> Vec3 {
    let places = members
        .iter()
        .map(|&number| planned.creature.particles[number as usize].position);
    planned.poses[copy].point(places.sum::<Vec3>() / members.len().max(1) as f32)
}
