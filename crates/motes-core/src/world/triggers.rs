//! Regions that notice what is in them: they count it, remove it, and switch other things on and off.
//!
//! A region is looked at when a frame begins, and acts when the next one does: by then an engine on a device has answered
//! without anybody waiting for it. What is to come is part of the world and of its saved state.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};

use super::World;
use super::questions::Pending;
use crate::body::BodyId;
use crate::engine::query::{Answer, Query, Watch};
use crate::error::WorldError;
use crate::particles::ParticleId;
use crate::space::volume::Volume;
use crate::world::group::GroupId;
use crate::world::switches::Switch;

/// A region that notices particles and bodies. A grain counts once its centre is inside; a body counts as one, as soon as the
/// centre of one of its particles is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Trigger {
    /// Name for messages and logs.
    pub name: String,
    /// Where it looks, metres.
    pub region: Volume,
    /// Groups that count; all if there are none.
    pub of: Vec<GroupId>,
    /// How many of them it takes; 1 by default.
    pub count: u64,
    /// Whether those count that are inside, or all that ever entered; those inside by default.
    pub counting: Counting,
    /// Whether what enters is removed, bodies as a whole.
    pub kill: bool,
    /// What is switched when enough have come, and which way.
    pub switches: Vec<(Switch, bool)>,
    /// That is undone when they are fewer than this; never by default. More than `count` counts as that.
    pub back_below: Option<u64>,
}

/// What the count of a [`Trigger`] is compared with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Counting {
    /// How many are inside.
    #[default]
    Inside,
    /// How many have entered since the start. What leaves and comes back counts again.
    Entered,
}

impl Trigger {
    /// Notices everything in a region, and does nothing about it.
    pub fn new(name: impl Into<String>, region: Volume) -> Self {
        Self {
            name: name.into(),
            region,
            of: Vec::new(),
            count: 1,
            counting: Counting::Inside,
            kill: false,
            switches: Vec::new(),
            back_below: None,
        }
    }
}

/// A trigger of a world, and what it has noticed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Triggered {
    trigger: Trigger,
    present: Vec<Thing>,
    entered: u64,
    removed: u64,
    is_set: bool,
    changed_at: Option<f64>,
}

impl Triggered {
    /// What it looks for, and what it does then.
    pub fn trigger(&self) -> &Trigger {
        &self.trigger
    }

    /// Grains and bodies inside, when it looked last.
    pub fn inside(&self) -> u64 {
        self.present.len() as u64
    }

    /// Grains and bodies that have entered since the start.
    pub fn entered(&self) -> u64 {
        self.entered
    }

    /// Grains and bodies that it has removed.
    pub fn removed(&self) -> u64 {
        self.removed
    }

    /// Whether enough have come.
    pub fn is_set(&self) -> bool {
        self.is_set
    }

    /// Time of the world at which that last changed, seconds.
    pub fn changed_at(&self) -> Option<f64> {
        self.changed_at
    }
}

/// A grain, or a body by the index of its group.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
enum Thing {
    Grain(ParticleId),
    Body(u32),
}

/// Particles in each of the regions, and the index of the group of each.
pub(crate) type Seen = Vec<Vec<(ParticleId, u32)>>;

/// What triggers are about to act on.
#[derive(Debug)]
pub(crate) struct Look(Pending<Seen>);

impl World {
    /// Adds a trigger. It looks for the first time when the next frame begins.
    pub fn add_trigger(&mut self, trigger: Trigger) -> Result<(), WorldError> {
        for &(what, _) in &trigger.switches {
            self.find_switch(what)?;
        }
        if !trigger.of.iter().all(|&group| self.group(group).is_some()) {
            return Err(WorldError::Gone("group"));
        }
        if trigger.count == 0 {
            return Err(WorldError::Value {
                what: format!("trigger \"{}\"", trigger.name),
                field: "count".into(),
                found: "0".into(),
                expected: "at least 1".into(),
            });
        }
        self.model.triggers.push(Triggered {
            trigger,
            present: Vec::new(),
            entered: 0,
            removed: 0,
            is_set: false,
            changed_at: None,
        });
        Ok(())
    }

    /// The triggers in the order in which they were added, with what they have noticed.
    pub fn triggers(&self) -> &[Triggered] {
        &self.model.triggers
    }

    /// Acts on what was seen when the frame before began, and looks again.
    pub(super) fn pull_triggers(&mut self) {
        if self.model.triggers.is_empty() {
            return;
        }
        let seen = self.seen();
        // Before anything is removed: an engine that has particles to remove cannot answer at once.
        self.watch = Some(Look(self.look_into_regions()));
        self.model.seen = None;
        let Some(seen) = seen else {
            return;
        };
        let bodies = { self.engine.body_paths().list.iter() }.map(|body| (body.group.index, body.id));
        let bodies: HashMap<u32, BodyId> = bodies.collect();
        let mut triggers = std::mem::take(&mut self.model.triggers);
        for (triggered, seen) in triggers.iter_mut().zip(seen) {
            self.take_note(triggered, &seen, &bodies);
        }
        self.model.triggers = triggers;
    }

    /// What was seen when the last frame began, which is waited for.
    pub(super) fn seen(&self) -> Option<Seen> {
        match &self.watch {
            Some(Look(pending)) => {
                self.wait_until(pending);
                pending.look_at()
            }
            None => self.model.seen.clone(),
        }
    }

    fn look_into_regions(&self) -> Pending<Seen> {
        let watches = self.model.triggers.iter().map(|triggered| Watch {
            region: triggered.trigger.region.clone(),
            groups: triggered.trigger.of.iter().map(|group| group.index).collect(),
        });
        self.ask_query(Query::Watch(watches.collect()), |answer| match answer {
            Answer::Watched(seen) => seen,
            _ => Vec::new(),
        })
    }

    fn take_note(&mut self, triggered: &mut Triggered, seen: &[(ParticleId, u32)], bodies: &HashMap<u32, BodyId>) {
        let mut things: Vec<(Thing, Option<BodyId>)> = { seen.iter() }
            // Of what was removed since.
            .filter(|(_, group)| self.model.groups.at(*group).is_some())
            .map(|&(id, group)| match bodies.get(&group) {
                Some(&body) => (Thing::Body(group), Some(body)),
                None => (Thing::Grain(id), None),
            })
            .collect();
        things.sort_unstable_by_key(|(thing, _)| *thing);
        things.dedup();
        let is_new = |thing: &Thing| triggered.present.binary_search(thing).is_err();
        let new: Vec<(Thing, Option<BodyId>)> = { things.iter() }.filter(|(thing, _)| is_new(thing)).copied().collect();
        triggered.entered += new.len() as u64;
        triggered.present = things.iter().map(|(thing, _)| *thing).collect();
        let found = match triggered.trigger.counting {
            Counting::Inside => triggered.inside(),
            Counting::Entered => triggered.entered,
        };
        let Trigger { count, back_below, .. } = triggered.trigger;
        let is_set = match triggered.is_set {
            true => found >= back_below.map_or(count, |fewer| fewer.min(count)),
            false => found >= count,
        };
        if is_set != triggered.is_set {
            triggered.is_set = is_set;
            triggered.changed_at = Some(self.model.time);
            if is_set || back_below.is_some() {
                for &(what, on) in &triggered.trigger.switches {
                    // What is gone by then is not missed.
                    let _ = self.switch(what, on == is_set);
                }
            }
        }
        if triggered.trigger.kill {
            // They are still inside when the region is looked at next, and no longer new.
            triggered.removed += self.remove_things(&new);
        }
    }

    fn remove_things(&mut self, things: &[(Thing, Option<BodyId>)]) -> u64 {
        let grains = things.iter().filter_map(|(thing, _)| match thing {
            Thing::Grain(id) => Some(*id),
            Thing::Body(_) => None,
        });
        let removed = self.remove_particles(&grains.collect::<Vec<_>>()) as u64;
        let bodies = things.iter().filter_map(|(_, body)| *body);
        removed + bodies.filter(|&body| self.remove_body(body).is_ok()).count() as u64
    }
}
