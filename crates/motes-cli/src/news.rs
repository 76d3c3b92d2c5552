//! What the triggers of a run notice, in words.

use motes_core::{Switch, Triggered, World};
use serde_json::{Value, json};

use crate::progress::Progress;

/// Which triggers were set before.
pub(crate) struct News {
    was_set: Vec<bool>,
    told: Vec<bool>,
}

impl News {
    pub(crate) fn new(world: &World) -> Self {
        let was_set: Vec<bool> = world.triggers().iter().map(Triggered::is_set).collect();
        Self {
            told: was_set.clone(),
            was_set,
        }
    }

    /// Tells of triggers that changed: each time where something is switched back, else the first time.
    pub(crate) fn tell(&mut self, world: &World, progress: &Progress) {
        let changes = world.triggers().iter().zip(&mut self.was_set).zip(&mut self.told);
        for ((triggered, was_set), told) in changes {
            let is_set = triggered.is_set();
            if is_set == std::mem::replace(was_set, is_set) {
                continue;
            }
            let goes_back = triggered.trigger().back_below.is_some();
            if goes_back || (is_set && !*told) {
                *told = true;
                progress.say(&line(world, triggered));
            }
        }
    }
}

fn line(world: &World, triggered: &Triggered) -> String {
    let time = triggered.changed_at().unwrap_or(world.time());
    let (name, inside, entered) = (&triggered.trigger().name, triggered.inside(), triggered.entered());
    let mut line = format!("{time:.2} s: trigger \"{name}\": {inside} inside, {entered} entered");
    for &(what, on) in &triggered.trigger().switches {
        let word = if on == triggered.is_set() { "on" } else { "off" };
        line.push_str(&format!("; {} {word}", called(world, what)));
    }
    line
}

/// The name of what is switched.
fn called(world: &World, what: Switch) -> String {
    let collider = |id| world.collider(id).map_or("", |collider| collider.name.as_str());
    match what {
        Switch::Collider(id) => collider(id).to_owned(),
        Switch::Surface(id) => format!("{}.surface", collider(id)),
        Switch::Emitter(place) => world
            .emitters()
            .get(place)
            .map_or_else(String::new, |emitter| emitter.name.clone()),
        Switch::Joint(_) => "a joint".to_owned(),
    }
}

/// All triggers of a run, for programs.
pub(crate) fn triggers(world: &World) -> Vec<Value> {
    let all = world.triggers().iter().map(|triggered| {
        json!({
            "name": triggered.trigger().name,
            "inside": triggered.inside(),
            "entered": triggered.entered(),
            "removed": triggered.removed(),
            "set": triggered.is_set(),
        })
    });
    all.collect()
}

/// All triggers of a run, for people.
pub(crate) fn sum_up(world: &World) {
    for triggered in world.triggers() {
        let (name, inside, entered) = (&triggered.trigger().name, triggered.inside(), triggered.entered());
        let removed = match triggered.removed() {
            0 => String::new(),
            removed => format!(", {removed} removed"),
        };
        tell!("trigger \"{name}\": {entered} entered, {inside} inside{removed}");
    }
}
