//! Attachments: points of bodies held to the world, to colliders and to other bodies.

use glam::Vec3;
use serde::{Deserialize, Serialize};

use crate::body::BodyId;
use crate::body::joint::{JointId, NewJoint};
use crate::colliders::collider::ColliderId;
use crate::error::WorldError;
use crate::world::World;

/// Names one attachment for as long as it holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct AttachmentId(pub(crate) u32);

/// A point of a body, held somewhere. One holds like a ball joint, two like a hinge through both, three like glue.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Attachment {
    /// The body.
    pub body: BodyId,
    /// The point, in the body's frame, metres.
    pub point: Vec3,
    /// What it is held to.
    pub anchor: Anchor,
    /// Force at which it breaks, newtons; infinite holds for ever.
    pub breaking_force: f32,
}

/// What a point is held to.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum Anchor {
    /// A place in the world, metres.
    World(Vec3),
    /// A point of a collider, in its frame, metres.
    Collider(ColliderId, Vec3),
    /// A point of another body, in its frame, metres.
    Body(BodyId, Vec3),
}

/// How two bodies, or a body and the world, are joined.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Joint {
    /// They share a point of the world, metres.
    Ball(Vec3),
    /// They share an axis: a point of the world, metres, and its direction.
    Hinge(Vec3, Vec3),
    /// They do not move against each other at all.
    Fixed,
    /// They slide along a direction and do not turn against each other: a point of the world, metres, and the direction.
    Slider(Vec3, Vec3),
    /// Points of the world, metres, on the body and on its partner, of which only the distance matters.
    Distance(Vec3, Vec3),
}

/// An attachment in use.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Attached {
    /// Its handle.
    pub id: AttachmentId,
    /// What it is.
    pub attachment: Attachment,
    /// What it did in the last sub-step, on the body, kg·m.
    pub impulse: Vec3,
    /// What it did in the sub-steps of the frame before that one, kg·m.
    pub earlier: Vec3,
    /// The joint that it is a part of.
    pub joint: Option<JointId>,
}

/// What a body can be joined to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Partner {
    /// The world.
    World,
    /// A collider, as it is placed now.
    Collider(ColliderId),
    /// Another body.
    Body(BodyId),
}

impl World {
    /// Holds a point of a body somewhere.
    pub fn attach(&mut self, attachment: Attachment) -> Result<AttachmentId, WorldError> {
        let bodies = self.engine.bodies();
        bodies.place(attachment.body).ok_or(WorldError::Gone("body"))?;
        let point = match attachment.anchor {
            Anchor::World(point) => point,
            Anchor::Body(other, point) => {
                bodies.place(other).ok_or(WorldError::Gone("body"))?;
                point
            }
            Anchor::Collider(collider, point) => {
                self.collider(collider).ok_or(WorldError::Gone("collider"))?;
                point
            }
        };
        let fine = point.is_finite() && attachment.point.is_finite() && attachment.breaking_force > 0.0;
        if !fine || attachment.anchor == Anchor::Body(attachment.body, point) {
            return Err(WorldError::Value {
                what: "attachment".into(),
                field: "points".into(),
                found: format!("{attachment:?}"),
                expected: "finite points of two different things and a positive breaking force".into(),
            });
        }
        Ok(self.engine.bodies_mut().attach(attachment))
    }

    /// Joins a body to something as they are now, by one, two or three attachments; the force breaks each of them.
    pub fn join(
        &mut self,
        body: BodyId,
        partner: Partner,
        joint: Joint,
        breaking_force: f32,
    ) -> Result<Vec<AttachmentId>, WorldError> {
        let id = self.add_joint(NewJoint {
            breaking_force,
            ..NewJoint::new(body, partner, joint)
        })?;
        let joint = self.engine.body_paths().joint(id).ok_or(WorldError::Gone("joint"))?;
        Ok(joint.attachments().collect())
    }

    /// Lets go. A joint with a spring, a motor, limits or friction goes as a whole.
    pub fn detach(&mut self, id: AttachmentId) -> Result<(), WorldError> {
        let bodies = self.engine.bodies_mut();
        let place = bodies.attachment_place(id).ok_or(WorldError::Gone("attachment"))?;
        bodies.attachments.remove(place);
        bodies.drop_loose_joints();
        Ok(())
    }

    /// Ends what is attached to a collider.
    pub(crate) fn let_go_of(&mut self, collider: ColliderId) {
        let holds =
            |attached: &Attached| matches!(attached.attachment.anchor, Anchor::Collider(id, _) if id == collider);
        // Engines need not be asked for their bodies if nothing is.
        if self.engine.body_paths().attachments.iter().any(holds) {
            let bodies = self.engine.bodies_mut();
            bodies.attachments.retain(|attached| !holds(attached));
            bodies.drop_loose_joints();
        }
    }

    /// Force of an attachment on its body in the last sub-step of a frame of `dt` seconds, newtons; `None` once it is broken.
    pub fn attachment_force(&self, id: AttachmentId, dt: f32) -> Option<Vec3> {
        let h = dt / self.settings().substeps as f32;
        let bodies = self.engine.bodies();
        let place = bodies.attachment_place(id)?;
        Some(bodies.attachments[place].impulse / (h * h))
    }

    /// Force of an attachment on its body, averaged over the last frame of `dt` seconds, newtons; `None` once it is broken.
    pub fn mean_attachment_force(&self, id: AttachmentId, dt: f32) -> Option<Vec3> {
        let substeps = self.settings().substeps as f32;
        let h = dt / substeps;
        let bodies = self.engine.bodies();
        let attached = &bodies.attachments[bodies.attachment_place(id)?];
        Some((attached.earlier + attached.impulse) / (substeps * h * h))
    }
}
