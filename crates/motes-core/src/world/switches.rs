//! Joints, colliders and running surfaces that are switched on and off at a time. What is to come is part of the world and of its saved state.

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
const EARLY: f64 = 1e-6;

impl World {
    /// Switches something on or off with the first frame that begins at a time of the world, seconds, or later.
    pub fn switch_at(&mut self, time: f64, what: Switch, on: bool) -> Result<(), WorldError> {
        let exists = match what {
            Switch::Joint(id) => self.engine.body_paths().joint_place(id).is_some(),
            Switch::Collider(id) | Switch::Surface(id) => self.collider(id).is_some(),
        };
        if !exists {
            return Err(WorldError::Gone(match what {
                Switch::Joint(_) => "joint",
                Switch::Collider(_) | Switch::Surface(_) => "collider",
            }));
        }
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
            let _ = match what {
                Switch::Joint(id) => self.switch_joint(id, on),
                Switch::Collider(id) => self.switch_collider(id, on),
                Switch::Surface(id) => self.switch_surface(id, on),
            };
        }
    }
}
