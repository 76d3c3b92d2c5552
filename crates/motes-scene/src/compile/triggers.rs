//! Triggers: the regions they look into, who counts there, and what they switch.

use std::collections::BTreeSet;

use motes_core::{Counting, Volume};

use super::field::volume;
use super::sources::{PlannedSource, Sources, no_such};
use super::{PlannedCollider, PlannedEmitter, PlannedJoint, Surroundings, named};
use crate::issues::Issues;
use crate::model::{CountingWord, TriggerTable};

/// A trigger of parts that are not in a world yet.
pub(crate) struct PlannedTrigger {
    pub(crate) index: usize,
    pub(crate) name: String,
    pub(crate) region: Volume,
    /// Everything if there are none.
    pub(crate) of: Vec<PlannedSource>,
    pub(crate) counting: Counting,
    pub(crate) switches: Vec<(PlannedSwitch, bool)>,
}

/// What a trigger switches, by its place in the file; of joints all that have a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum PlannedSwitch {
    Collider(usize),
    Surface(usize),
    Emitter(usize),
    Joints(String),
}

/// What follows the name of a collider whose surface is meant.
const SURFACE: &str = ".surface";

/// What triggers can switch.
pub(super) struct Switchable<'a> {
    pub(super) colliders: &'a [PlannedCollider],
    pub(super) joints: &'a [PlannedJoint],
    pub(super) emitters: &'a [PlannedEmitter],
}

/// Every `[[trigger]]`.
pub(super) fn all(
    around: &Surroundings<'_>,
    sources: &Sources<'_>,
    switchable: &Switchable<'_>,
    issues: &mut Issues<'_>,
) -> Vec<PlannedTrigger> {
    let tables = around.scene.trigger.iter().enumerate();
    tables
        .filter_map(|(index, table)| trigger(table, index, around, sources, switchable, issues))
        .collect()
}

fn trigger(
    table: &TriggerTable,
    index: usize,
    around: &Surroundings<'_>,
    sources: &Sources<'_>,
    switchable: &Switchable<'_>,
    issues: &mut Issues<'_>,
) -> Option<PlannedTrigger> {
    let path = format!("trigger[{index}]");
    let region = volume(
        &table.within,
        around.scene.up.vector(),
        &format!("{path}.within"),
        issues,
    );
    let of: Vec<Option<PlannedSource>> = { table.of.iter().enumerate() }
        .map(|(place, name)| sources.find(name, &format!("{path}.of[{place}]"), issues))
        .collect();
    if let Some(fewer) = table.back_below.filter(|&fewer| fewer > table.count) {
        let message = format!("{fewer} is more than the {} at which it switches", table.count);
        issues.error(&format!("{path}.back_below"), message);
    }
    let mut switches = Vec::new();
    let mut named_before = BTreeSet::new();
    for (key, names, on) in [("on", &table.on, true), ("off", &table.off, false)] {
        for (place, name) in names.iter().enumerate() {
            let path = format!("{path}.{key}[{place}]");
            if !named_before.insert(name) {
                issues.error(&path, format!("`{}` is switched twice", name.escape_debug()));
                continue;
            }
            switches.push(switchable.find(name, around, &path, issues).map(|what| (what, on)));
        }
    }
    Some(PlannedTrigger {
        index,
        name: named(&table.name, "trigger", index),
        region: region?,
        of: of.into_iter().collect::<Option<_>>()?,
        counting: match table.counting {
            CountingWord::Inside => Counting::Inside,
            CountingWord::Entered => Counting::Entered,
        },
        switches: switches.into_iter().collect::<Option<_>>()?,
    })
}

impl Switchable<'_> {
    fn find(
        &self,
        name: &str,
        around: &Surroundings<'_>,
        path: &str,
        issues: &mut Issues<'_>,
    ) -> Option<PlannedSwitch> {
        let colliders = |name: &str| -> Vec<usize> {
            let named = self.colliders.iter().filter(|planned| planned.collider.name == name);
            named.map(|planned| planned.index).collect()
        };
        let mut found: Vec<(String, PlannedSwitch)> = Vec::new();
        for index in colliders(name) {
            found.push((format!("collider[{index}]"), PlannedSwitch::Collider(index)));
        }
        for index in name.strip_suffix(SURFACE).map(colliders).unwrap_or_default() {
            let place = format!("collider[{index}]");
            if self.runs(index) {
                found.push((place, PlannedSwitch::Surface(index)));
            } else {
                let help = "give it a `surface_velocity` or a `surface_spin`";
                issues.error_with_help(path, format!("the surface of {place} does not run"), help);
                return None;
            }
        }
        for planned in self.emitters.iter().filter(|planned| planned.emitter.name == name) {
            let index = planned.index;
            found.push((format!("emitter[{index}]"), PlannedSwitch::Emitter(index)));
        }
        if let Some(planned) = self.joints.iter().find(|planned| planned.name.as_deref() == Some(name)) {
            found.push((planned.path.clone(), PlannedSwitch::Joints(name.to_owned())));
        }
        match found.as_slice() {
            [] => self.unknown(name, around, path, issues),
            [(_, what)] => return Some(what.clone()),
            [(first, _), (second, _), ..] => {
                let name = name.escape_debug();
                issues.error(path, format!("`{name}` is the name of {first} and of {second}"));
            }
        }
        None
    }

    fn runs(&self, index: usize) -> bool {
        let mut colliders = self.colliders.iter();
        colliders.any(|planned| planned.index == index && !planned.collider.surface.is_still())
    }

    fn unknown(&self, name: &str, around: &Surroundings<'_>, path: &str, issues: &mut Issues<'_>) {
        let scene = around.scene;
        let complete = self.colliders.len() == scene.collider.len()
            && self.emitters.len() == scene.emitter.len()
            && issues.sound("joint");
        if !complete {
            return;
        }
        let colliders = self.colliders.iter().map(|planned| planned.collider.name.clone());
        let running = self.colliders.iter().filter(|planned| self.runs(planned.index));
        let surfaces = running.map(|planned| format!("{}{SURFACE}", planned.collider.name));
        let emitters = self.emitters.iter().map(|planned| planned.emitter.name.clone());
        let joints = self.joints.iter().filter_map(|planned| planned.name.clone());
        let valid: BTreeSet<String> = colliders.chain(surfaces).chain(emitters).chain(joints).collect();
        let what = "collider, joint or emitter";
        no_such(name, what, valid.iter().map(String::as_str), path, issues);
    }
}
