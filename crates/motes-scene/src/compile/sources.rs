//! Grains, liquids, bodies and emitters by their names.

use std::ops::Range;

use super::{
    PlannedBodies, PlannedCreatures, PlannedEmitter, PlannedFluid, PlannedGrains, PlannedSheet, SheetKind, Surroundings,
};
use crate::issues::Issues;
use crate::model::BodyKind;
use crate::nearest::nearest;

/// Where particles come from: a table, and of bodies which of the copies, or all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum PlannedSource {
    Grains(usize),
    Fluid(usize),
    Sheet(SheetKind, usize),
    Emitter(usize),
    /// All copies.
    Creatures(usize),
    Bodies {
        kind: BodyKind,
        index: usize,
        copies: Range<usize>,
    },
}

/// What can be named.
pub(super) struct Sources<'a> {
    grains: &'a [PlannedGrains],
    fluids: &'a [PlannedFluid],
    sheets: &'a [PlannedSheet],
    bodies: &'a [PlannedBodies],
    creatures: &'a [PlannedCreatures],
    emitters: &'a [PlannedEmitter],
    /// Whether all of the file are there.
    complete: bool,
}

impl<'a> Sources<'a> {
    pub(super) fn new(
        around: &Surroundings<'_>,
        grains: &'a [PlannedGrains],
        fluids: &'a [PlannedFluid],
        sheets: &'a [PlannedSheet],
        bodies: &'a [PlannedBodies],
        creatures: &'a [PlannedCreatures],
        emitters: &'a [PlannedEmitter],
    ) -> Self {
        let scene = around.scene;
        Self {
            grains,
            fluids,
            sheets,
            bodies,
            creatures,
            emitters,
            complete: grains.len() == scene.grains.len()
                && fluids.len() == scene.fluid.len()
                && sheets.len() == scene.cloth.len() + scene.rope.len()
                && bodies.len() == scene.bodies().count()
                && creatures.len() == scene.creature.len()
                && emitters.len() == scene.emitter.len(),
        }
    }

    /// What a name means: one table, or one copy of a body.
    pub(super) fn find(&self, name: &str, path: &str, issues: &mut Issues<'_>) -> Option<PlannedSource> {
        let mut found: Vec<(String, PlannedSource)> = Vec::new();
        for planned in self.grains.iter().filter(|planned| planned.name == name) {
            let place = format!("grains[{}]", planned.index);
            found.push((place, PlannedSource::Grains(planned.index)));
        }
        for planned in self.fluids.iter().filter(|planned| planned.name == name) {
            found.push((planned.path(), PlannedSource::Fluid(planned.index)));
        }
        for planned in self.sheets.iter().filter(|planned| planned.name == name) {
            found.push((planned.path(), PlannedSource::Sheet(planned.kind, planned.index)));
        }
        for planned in self.emitters.iter().filter(|planned| planned.emitter.name == name) {
            let place = format!("emitter[{}]", planned.index);
            found.push((place, PlannedSource::Emitter(planned.index)));
        }
        for planned in self.creatures.iter().filter(|planned| planned.creature.name == name) {
            found.push((planned.path(), PlannedSource::Creatures(planned.index)));
        }
        for planned in self.bodies {
            let copies = match planned.copy_named(name) {
                _ if planned.body.name == name => 0..planned.poses.len(),
                None => continue,
                Some(Ok(copy)) => copy..copy + 1,
                Some(Err(message)) => {
                    issues.error(path, message);
                    return None;
                }
            };
            let (kind, index) = planned.table();
            found.push((planned.path(), PlannedSource::Bodies { kind, index, copies }));
        }
        match found.as_slice() {
            [] => self.unknown(name, path, issues),
            [(_, source)] => return Some(source.clone()),
            [(first, _), (second, _), ..] => {
                let name = name.escape_debug();
                issues.error(path, format!("`{name}` is the name of {first} and of {second}"));
            }
        }
        None
    }

    fn unknown(&self, name: &str, path: &str, issues: &mut Issues<'_>) {
        if !self.complete {
            return;
        }
        let grains = self.grains.iter().map(|planned| planned.name.as_str());
        let fluids = self.fluids.iter().map(|planned| planned.name.as_str());
        let sheets = self.sheets.iter().map(|planned| planned.name.as_str());
        let emitters = self.emitters.iter().map(|planned| planned.emitter.name.as_str());
        let bodies = self.bodies.iter().map(|planned| planned.body.name.as_str());
        let creatures = self.creatures.iter().map(|planned| planned.creature.name.as_str());
        no_such(
            name,
            "grains, fluid, cloth, rope, bodies, creature or emitter",
            grains
                .chain(fluids)
                .chain(sheets)
                .chain(bodies)
                .chain(creatures)
                .chain(emitters),
            path,
            issues,
        );
    }
}

/// Says that nothing has a name, and which is probably meant.
pub(super) fn no_such<'n>(
    name: &str,
    what: &str,
    valid: impl Iterator<Item = &'n str>,
    path: &str,
    issues: &mut Issues<'_>,
) {
    let valid: Vec<&str> = valid.collect();
    let message = format!("no {what} is named `{}`", name.escape_debug());
    match nearest(name, valid.iter().copied()) {
        Some(meant) => issues.error_with_help(path, message, format!("did you mean `{meant}`?")),
        None if valid.is_empty() => issues.error(path, format!("{message}: there is none")),
        None => {
            let names: Vec<String> = valid.iter().take(MOST_NAMES).map(|name| format!("`{name}`")).collect();
            issues.error_with_help(path, message, format!("valid are {}", names.join(", ")));
        }
    }
}

/// Names that a message lists.
const MOST_NAMES: usize = 12;
