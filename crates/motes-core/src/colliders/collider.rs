//! A collider in a world: a shape, where it is and was, and what it does to particles.

use serde::{Deserialize, Serialize};

use crate::colliders::Shape;
use crate::material::MaterialId;
use crate::particles::phase::Phase;
use crate::space::bounds::Bounds;
use crate::space::motion::Motion;
use crate::space::pose::Pose;

/// Names one collider for as long as it lives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct ColliderId {
    pub(crate) index: u32,
    pub(crate) generation: u32,
}

/// A shape that particles cannot enter, or, as a trigger, one that notices them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Collider {
    /// Name for messages.
    pub name: String,
    /// The shape, in its local frame.
    pub shape: Shape,
    /// Its surface: friction and restitution.
    pub material: MaterialId,
    /// Pose at time zero; motions are relative to it.
    pub initial_pose: Pose,
    /// How it moves by itself.
    pub motion: Motion,
    /// Particles that share a channel with it are affected.
    pub channels: u8,
    /// Reports overlaps instead of colliding.
    pub trigger: bool,
}

impl Collider {
    /// The same for no channel.
    pub(crate) fn touching_nothing(&self) -> Self {
        Self {
            channels: 0,
            ..self.clone()
        }
    }

    /// A fixed collider for every channel.
    pub fn new(name: impl Into<String>, shape: Shape, material: MaterialId, pose: Pose) -> Self {
        Self {
            name: name.into(),
            shape,
            material,
            initial_pose: pose,
            motion: Motion::Fixed,
            channels: Phase::ALL_CHANNELS,
            trigger: false,
        }
    }

    /// The same collider with a motion.
    pub fn moving(self, motion: Motion) -> Self {
        Self { motion, ..self }
    }

    /// The same collider as a trigger.
    pub fn as_trigger(self) -> Self {
        Self { trigger: true, ..self }
    }
}

/// A collider over one frame, as engines see it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ColliderFrame {
    /// Handle of the collider.
    pub id: ColliderId,
    /// The collider itself.
    pub collider: Collider,
    /// Pose at the start of the frame.
    pub from: Pose,
    /// Pose at the end of the frame.
    pub to: Pose,
}

impl ColliderFrame {
    /// Whether the collider can touch anything in a box during the frame. Says no only for planes, which have no
    /// bounds of their own to go by.
    pub(crate) fn reaches(&self, bounds: &Bounds) -> bool {
        let Shape::Plane(plane) = &self.collider.shape else {
            return true;
        };
        [self.from, self.to].iter().any(|pose| {
            let normal = pose.direction(plane.normal());
            let height = (bounds.center() - pose.point(plane.offset() * plane.normal())).dot(normal);
            height <= 0.5 * bounds.size().dot(normal.abs())
        })
    }
}
