//! Joints, colliders, running surfaces and emitters that are switched on and off at a time. What is to come is part of the world and of its saved state.

use serde::{Deserialize, Serialize};

use super::World;
use crate::body::joint::JointId;
use crate::colliders::collider::ColliderId;
use crate::error::WorldError;

/// What can be switched on and off.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Switch {
    /// A joint: see [`World::switch_joint`].
    Joint(JointId),
    /// A collider: see [`World::switch_collider`].
    Collider(ColliderId),
    /// Whether the surface of a collider runs: see [`World::switch_surface`].
    Surface(ColliderId),
    /// An emitter, by its place among [`World::emitters`]; while it is off it gives off nothing.
    Emitter(usize),
}

/// What is to be switched, and when.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Switching {
    /// Time of the world, seconds.
    time: f64,
    what: Switch,
    on: bool,
}

/// Seconds by which a frame may begin before the time of a switch: what adding up frames is off by.
pub(crate) const EARLY: f64 = 1e-6;

impl World {
    /// Switches something on or off with the first frame that begins at a time of the world, seconds, or later.
    pub fn switch_at(&mut self, time: f64, what: Switch, on: bool) -> Result<(), WorldError> {
        self.find_switch(what)?;
        if !time.is_finite() {
            return Err(WorldError::Value {
                what: "switch".into(),
                field: "time".into(),
                found: time.to_string(),
                expected: "a finite number of seconds".into(),
            });
        }
        let switches = &mut self.model.switches;
        let place = switches.partition_point(|switching| switching.time <= time);
        switches.insert(place, Switching { time, what, on });
        Ok(())
    }

    /// Switches what is due.
    pub(super) fn switch_due(&mut self) {
        let now = self.model.time + EARLY;
        let due = self.model.switches.partition_point(|switching| switching.time <= now);
        let due: Vec<Switching> = self.model.switches.drain(..due).collect();
        for Switching { what, on, .. } in due {
            // What is gone by then is not missed.
            let _ = self.switch(what, on);
        }
    }

    /// Whether there is what is to be switched.
    pub(super) fn find_switch(&mut self, what: Switch) -> Result<(), WorldError> {
        let (exists, kind) = match what {
            Switch::Joint(id) => (self.engine.body_paths().joint_place(id).is_some(), "joint"),
            Switch::Collider(id) | Switch::Surface(id) => (self.collider(id).is_some(), "collider"),
            Switch::Emitter(place) => (place < self.model.emitters.len(), "emitter"),
        };
        if exists { Ok(()) } else { Err(WorldError::Gone(kind)) }
    }

    /// Switches something on or off from the next frame on.
    pub fn switch(&mut self, what: Switch, on: bool) -> Result<(), WorldError> {
        match what {
            Switch::Joint(id) => self.switch_joint(id, on),
            Switch::Collider(id) => self.switch_collider(id, on),
            Switch::Surface(id) => self.switch_surface(id, on),
            Switch::Emitter(place) => {
                let emitter = self.model.emitters.get_mut(place);
                emitter.ok_or(WorldError::Gone("emitter"))?.is_on = on;
                Ok(())
            }
        }
    }
}
