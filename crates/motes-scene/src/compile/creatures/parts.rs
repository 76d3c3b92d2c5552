//! Which particles of a creature are meant: by the groups of its file, and by regions of its own frame.

use motes_core::Volume;

use crate::compile::field::volume;
use crate::compile::{Surroundings, Upright};
use crate::issues::Issues;
use crate::model::{CreatureTable, Pick};
use crate::nearest::nearest;
use crate::rig_file::RigModel;

/// Finds particles of a model.
pub(super) struct Picker<'a> {
    model: &'a RigModel,
    upright: Upright,
}

impl<'a> Picker<'a> {
    pub(super) fn new(model: &'a RigModel, around: &Surroundings<'_>) -> Self {
        Self {
            model,
            upright: around.upright,
        }
    }

    /// Numbers of the particles that are meant, in ascending order; notes groups that do not exist, and regions without any.
    pub(super) fn pick(&self, pick: &Pick, path: &str, issues: &mut Issues<'_>) -> Option<Vec<u32>> {
        let found = match pick {
            Pick::Group(name) => return self.group(name, path, issues),
            Pick::Within(region) => {
                let volume = volume(region, self.upright.0.vector(), path, issues)?;
                self.within(&volume)
            }
        };
        if found.is_empty() {
            let bounds = self.model.mesh.bounds();
            let corners = [bounds.min, bounds.max].map(|corner| self.upright.to_scene(corner));
            let (low, high) = (corners[0].min(corners[1]), corners[0].max(corners[1]));
            let message = "no particle of the creature lies in the region";
            let help = format!("in its own frame it reaches from {low} to {high}");
            issues.error_with_help(path, message, help);
            return None;
        }
        Some(found)
    }

    fn within(&self, volume: &Volume) -> Vec<u32> {
        let places = (0..).zip(&self.model.particles);
        let inside = places.filter(|(_, particle)| volume.contains(self.upright.to_scene(particle.position)));
        inside.map(|(number, _)| number).collect()
    }

    fn group(&self, name: &str, path: &str, issues: &mut Issues<'_>) -> Option<Vec<u32>> {
        if let Some(group) = self.model.group(name) {
            let mut members = group.members.clone();
            members.sort_unstable();
            return Some(members);
        }
        let names = self.model.groups.iter().map(|group| group.name.as_str());
        let message = format!("the creature has no group `{}`", name.escape_debug());
        match nearest(name, names) {
            Some(near) => issues.error_with_help(path, message, format!("did you mean `{near}`?")),
            None if self.model.groups.is_empty() => {
                issues.error_with_help(
                    path,
                    message,
                    "groups are given in model files; elsewhere, give a region",
                );
            }
            None => issues.error(path, message),
        }
        None
    }
}

/// The rigid parts of a table and of its file.
pub(super) fn rigid(
    table: &CreatureTable,
    model: &RigModel,
    picker: &Picker<'_>,
    path: &str,
    issues: &mut Issues<'_>,
) -> Option<Vec<Vec<u32>>> {
    let of_file = model.groups.iter().filter(|group| group.rigid);
    let mut parts: Vec<Vec<u32>> = of_file.map(|group| group.members.clone()).collect();
    let mut fine = true;
    for (index, part) in table.rigid.iter().enumerate() {
        match picker.pick(&part.of, &format!("{path}.rigid[{index}].of"), issues) {
            Some(members) => parts.push(members),
            None => fine = false,
        }
    }
    fine.then_some(parts)
}

/// What is different about a particle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Tuned {
    pub(super) stiffness: Option<f32>,
    pub(super) torsion: Option<f32>,
    pub(super) buoyancy: Option<f32>,
    pub(super) mass: f32,
}

/// What is different about each particle; where several tables speak of one, the last counts.
pub(super) fn tuned(
    table: &CreatureTable,
    picker: &Picker<'_>,
    path: &str,
    issues: &mut Issues<'_>,
) -> Option<Vec<Tuned>> {
    let usual = Tuned {
        stiffness: None,
        torsion: None,
        buoyancy: None,
        mass: 1.0,
    };
    let mut all = vec![usual; picker.model.particles.len()];
    let mut fine = true;
    for (index, tune) in table.tune.iter().enumerate() {
        let Some(members) = picker.pick(&tune.of, &format!("{path}.tune[{index}].of"), issues) else {
            fine = false;
            continue;
        };
        for member in members {
            let tuned = &mut all[member as usize];
            tuned.stiffness = tune.stiffness.or(tuned.stiffness);
            tuned.torsion = tune.torsion.or(tuned.torsion);
            tuned.buoyancy = tune.buoyancy.or(tuned.buoyancy);
            tuned.mass = tune.mass.unwrap_or(tuned.mass);
        }
    }
    fine.then_some(all)
}
