//! Kinematic bodies that move by themselves, as colliders do.

use serde::{Deserialize, Serialize};

use crate::body::BodyId;
use crate::error::WorldError;
use crate::space::motion::Motion;
use crate::space::pose::Pose;
use crate::world::World;

/// How a kinematic body moves by itself, and since when.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Drive {
    /// The motion, relative to the pose below.
    pub motion: Motion,
    /// Where it began.
    pub start: Pose,
    /// Time of the world when it began, seconds.
    pub since: f64,
}

impl Drive {
    /// Where the body is at a time of the world, seconds.
    pub fn pose(&self, time: f64) -> Pose {
        self.motion.pose(&self.start, time - self.since)
    }
}

impl World {
    /// Has a kinematic body move by itself from here and now on, until it is moved or let go; [`Motion::Fixed`] stops it.
    pub fn set_body_motion(&mut self, id: BodyId, motion: Motion) -> Result<(), WorldError> {
        if let Some(expected) = motion.problem() {
            return Err(refused("something else", expected));
        }
        let since = self.time();
        let bodies = self.engine.body_paths();
        let place = bodies.place(id).ok_or(WorldError::Gone("body"))?;
        let body = &mut bodies.list[place];
        let Some([start, target]) = &mut body.path else {
            return Err(refused("dynamic", "kinematic, to be moved"));
        };
        *target = *start;
        body.drive = (!motion.is_fixed()).then_some(Drive {
            motion,
            start: *start,
            since,
        });
        Ok(())
    }

    /// Sends the bodies that move by themselves to where they are at a time of the world, seconds.
    pub(crate) fn drive_bodies(&mut self, time: f64) {
        for body in &mut self.engine.body_paths().list {
            if let (Some(path), Some(drive)) = (&mut body.path, &body.drive) {
                let pose = drive.pose(time);
                if pose.is_sound() {
                    path[1] = pose;
                }
            }
        }
    }
}

fn refused(found: &str, expected: &str) -> WorldError {
    WorldError::Value {
        what: "body".into(),
        field: "motion".into(),
        found: found.into(),
        expected: expected.into(),
    }
}
