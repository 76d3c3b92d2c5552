//! Joints of a world: adding, changing, asking and removing them.

use glam::{Quat, Vec3};

use crate::body::attachment::{Anchor, Attachment, Joint, Partner};
use crate::body::joint::{JointAxis, JointId, JointKind, JointMotor, JointState, Jointed, NewJoint};
use crate::body::{BodyId, BodyMotion};
use crate::error::WorldError;
use crate::space::pose::Pose;
use crate::world::World;

impl World {
    /// Joins a body to something as they are.
    ///
    /// What acts on an axis, and sliders, are for rigid and kinematic bodies. Soft and plastic ones can have ball joints,
    /// hinges and fixed ones by the particles nearest to their points, and springs between two points.
    pub fn add_joint(&mut self, new: NewJoint) -> Result<JointId, WorldError> {
        let motion = self.body_motion(new.body).ok_or(WorldError::Gone("body"))?;
        let (kind, direction) = kind_of(&new.joint)?;
        if let Some((field, found, expected)) = new.axis.problem(kind) {
            return Err(WorldError::Value {
                what: "joint".into(),
                field: field.into(),
                found,
                expected: expected.into(),
            });
        }
        let frame = match new.partner {
            Partner::World => Pose::IDENTITY,
            Partner::Collider(id) => self.collider_pose(id).ok_or(WorldError::Gone("collider"))?,
            Partner::Body(id) => self.body_motion(id).ok_or(WorldError::Gone("body"))?.pose,
        };
        let pairs = self.points(&new.joint, &motion);
        let direction = match new.joint {
            Joint::Ball(point) => {
                let cone = new.cone.unwrap_or(motion.center - point);
                cone.normalize_or(Vec3::Y)
            }
            Joint::Distance(a, b) => (a - b).normalize_or(Vec3::Y),
            _ => direction,
        };
        let turned = |pose: &Pose| pose.rotation.conjugate() * direction;
        let mut joint = Jointed {
            id: JointId(0),
            kind,
            first: crate::body::attachment::AttachmentId(0),
            count: pairs.len() as u32,
            directions: [turned(&motion.pose), turned(&frame)],
            reference: frame.rotation.conjugate() * motion.pose.rotation,
            axis: new.axis,
            is_on: true,
            position: 0.0,
            speed: 0.0,
            impulse: 0.0,
            turning: Vec3::ZERO,
        };
        if let Joint::Distance(a, b) = new.joint {
            joint.position = a.distance(b);
            joint.axis.rest = Some(joint.axis.rest.unwrap_or(joint.position));
        }
        if joint.is_driven() && kind != JointKind::Distance {
            self.check_rigid(new.body)?;
            if let Partner::Body(other) = new.partner {
                self.check_rigid(other)?;
            }
        }
        for (place, &[own, other]) in pairs.iter().enumerate() {
            let anchor = match new.partner {
                Partner::World => Anchor::World(other),
                Partner::Collider(id) => Anchor::Collider(id, frame.local_point(other)),
                Partner::Body(id) => Anchor::Body(id, frame.local_point(other)),
            };
            let id = self.attach(Attachment {
                body: new.body,
                point: motion.pose.local_point(own),
                anchor,
                breaking_force: new.breaking_force,
            })?;
            if place == 0 {
                joint.first = id;
            }
        }
        Ok(self.engine.bodies_mut().add_joint(joint))
    }

    /// Points of the world by which a joint holds, on the body and on its partner.
    fn points(&self, joint: &Joint, motion: &BodyMotion) -> Vec<[Vec3; 2]> {
        let size = (motion.inertia.x_axis.x / motion.mass)
            .sqrt()
            .max(self.settings().particle_radius);
        let both = |point: Vec3| [point; 2];
        let corners = |point: Vec3| [Vec3::ZERO, Vec3::X, Vec3::Y].map(|axis| both(point + 2.0 * size * axis));
        match *joint {
            Joint::Ball(point) => vec![both(point)],
            Joint::Hinge(point, axis) => {
                let reach = size * axis.normalize_or_zero();
                vec![both(point - reach), both(point + reach)]
            }
            Joint::Fixed => corners(motion.center).to_vec(),
            Joint::Slider(point, _) => corners(point).to_vec(),
            Joint::Distance(own, other) => vec![[own, other]],
        }
    }

    fn check_rigid(&self, id: BodyId) -> Result<(), WorldError> {
        let bodies = self.engine.bodies();
        let place = bodies.place(id).ok_or(WorldError::Gone("body"))?;
        let body = &bodies.list[place];
        if body.is_rigid() || body.path.is_some() {
            return Ok(());
        }
        Err(WorldError::Value {
            what: "joint".into(),
            field: "body".into(),
            found: "a body that bends".into(),
            expected: "a rigid one, where something acts on the axis of a joint".into(),
        })
    }

    /// Removes a joint.
    pub fn remove_joint(&mut self, id: JointId) -> Result<(), WorldError> {
        let bodies = self.engine.bodies_mut();
        let place = bodies.joint_place(id).ok_or(WorldError::Gone("joint"))?;
        bodies.joints.remove(place);
        bodies.attachments.retain(|attached| attached.joint != Some(id));
        Ok(())
    }

    /// All joints that hold, in the order in which they were made.
    pub fn joints(&self) -> &[Jointed] {
        &self.engine.bodies().joints
    }

    /// Where a joint is and what it did in the last sub-step of a frame of `dt` seconds; `None` once it is broken.
    pub fn joint_state(&self, id: JointId, dt: f32) -> Option<JointState> {
        let h = dt / self.settings().substeps as f32;
        let bodies = self.engine.bodies();
        let joint = bodies.joint(id)?;
        let held = joint.attachments().filter_map(|id| bodies.attachment_place(id));
        let of_frame = held.map(|place| bodies.attachments[place].earlier + bodies.attachments[place].impulse);
        let held: Vec3 = of_frame.sum::<Vec3>() / self.settings().substeps as f32;
        let along = match joint.kind {
            JointKind::Slider => self.partner_rotation(joint)? * joint.directions[1] * joint.impulse,
            _ => Vec3::ZERO,
        };
        let effort = match joint.kind {
            JointKind::Ball => joint.turning.length().max(joint.impulse.abs()),
            _ => joint.impulse,
        };
        let (position, speed) = match joint.is_driven() {
            true => (joint.position, joint.speed),
            false => self.measured(joint)?,
        };
        Some(JointState {
            position,
            speed,
            force: (held + along) / (h * h),
            effort: effort / (h * h),
            is_on: joint.is_on,
        })
    }

    /// Position and speed of a joint that nothing acts on, of the poses and velocities of what it joins.
    fn measured(&self, joint: &Jointed) -> Option<(f32, f32)> {
        let bodies = self.engine.bodies();
        let attached = &bodies.attachments[bodies.attachment_place(joint.first)?].attachment;
        let motion = self.body_motion(attached.body)?;
        let (partner, turning) = match attached.anchor {
            Anchor::World(point) => (Pose::at(point), Vec3::ZERO),
            Anchor::Collider(id, point) => {
                let pose = self.collider_pose(id)?;
                let position = pose.point(point);
                (Pose { position, ..pose }, Vec3::ZERO)
            }
            Anchor::Body(other, point) => {
                let other = self.body_motion(other)?;
                let position = other.pose.point(point);
                (Pose { position, ..other.pose }, other.angular_velocity)
            }
        };
        let own = Pose {
            position: motion.pose.point(attached.point),
            ..motion.pose
        };
        let frames = [own, partner];
        let direction = joint.direction(&frames).angular;
        Some((joint.place(&frames), direction.dot(motion.angular_velocity - turning)))
    }

    fn partner_rotation(&self, joint: &Jointed) -> Option<Quat> {
        let bodies = self.engine.bodies();
        let place = bodies.attachment_place(joint.first)?;
        match bodies.attachments[place].attachment.anchor {
            Anchor::World(_) => Some(Quat::IDENTITY),
            Anchor::Collider(id, _) => Some(self.collider_pose(id)?.rotation),
            Anchor::Body(id, _) => Some(bodies.list[bodies.place(id)?].rotation),
        }
    }

    /// Changes what drives a joint that something acts on already, without waiting for a device.
    pub fn set_joint_motor(&mut self, id: JointId, motor: Option<JointMotor>) -> Result<(), WorldError> {
        let bodies = self.engine.body_paths();
        let joint = bodies.joint(id).ok_or(WorldError::Gone("joint"))?;
        let axis = JointAxis { motor, ..joint.axis };
        self.set_joint_axis(id, axis)
    }

    /// Changes what acts on a joint. A device is waited for only if something begins or ceases to.
    pub fn set_joint_axis(&mut self, id: JointId, axis: JointAxis) -> Result<(), WorldError> {
        let bodies = self.engine.body_paths();
        let place = bodies.joint_place(id).ok_or(WorldError::Gone("joint"))?;
        let joint = bodies.joints[place];
        if let Some((field, found, expected)) = axis.problem(joint.kind) {
            return Err(WorldError::Value {
                what: "joint".into(),
                field: field.into(),
                found,
                expected: expected.into(),
            });
        }
        let rest = axis.rest.or(joint.axis.rest);
        let changed = Jointed {
            axis: JointAxis { rest, ..axis },
            ..joint
        };
        if changed.is_driven() == joint.is_driven() {
            bodies.joints[place].axis = changed.axis;
            return Ok(());
        }
        if changed.is_driven() {
            let attached = bodies.attachment_place(joint.first).ok_or(WorldError::Gone("joint"))?;
            let attached = bodies.attachments[attached].attachment;
            self.check_rigid(attached.body)?;
            if let Anchor::Body(other, _) = attached.anchor {
                self.check_rigid(other)?;
            }
        }
        let bodies = self.engine.bodies_mut();
        let place = bodies.joint_place(id).ok_or(WorldError::Gone("joint"))?;
        bodies.joints[place].axis = changed.axis;
        Ok(())
    }

    /// Switches a joint on or off: while it is off, what it joined moves freely. Where it is by then counts when it is on again.
    pub fn switch_joint(&mut self, id: JointId, on: bool) -> Result<(), WorldError> {
        let bodies = self.engine.body_paths();
        let place = bodies.joint_place(id).ok_or(WorldError::Gone("joint"))?;
        bodies.joints[place].is_on = on;
        Ok(())
    }
}

/// What a joint leaves free, and the unit direction of its axis if it is given with one.
fn kind_of(joint: &Joint) -> Result<(JointKind, Vec3), WorldError> {
    let (kind, what, axis) = match *joint {
        Joint::Ball(_) => (JointKind::Ball, "", Vec3::Y),
        Joint::Fixed => (JointKind::Fixed, "", Vec3::Y),
        Joint::Distance(..) => (JointKind::Distance, "", Vec3::Y),
        Joint::Hinge(_, axis) => (JointKind::Hinge, "hinge", axis),
        Joint::Slider(_, axis) => (JointKind::Slider, "slider", axis),
    };
    let direction = axis.try_normalize().ok_or_else(|| WorldError::Value {
        what: what.into(),
        field: "direction".into(),
        found: format!("{axis}"),
        expected: "a vector of some length".into(),
    })?;
    Ok((kind, direction))
}
