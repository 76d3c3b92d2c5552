//! Joints whose axes something acts on, on the device.

use bytemuck::{Pod, Zeroable};
use motes_core::body::attachment::{Anchor, Attached};
use motes_core::body::islands::NONE;
use motes_core::body::joint::{JointKind, Jointed};
use motes_core::constraints::axis::UNLIMITED;
use motes_core::engine::Frame;
use motes_core::glam::{Vec3, Vec4};
use motes_core::{Bodies, ColliderId, JointId, JointMotor, Pose};

use super::attachments::NO_PATH;
use crate::buffers::{Buffer, bytes_of};
use crate::device::Gpu;
use crate::error::GpuError;

/// One joint: `Drive` in `lib/drive.wgsl`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct Drive {
    pub(crate) direction: [f32; 3],
    pub(crate) kind: u32,
    pub(crate) other_direction: [f32; 3],
    pub(crate) leader: u32,
    pub(crate) reference: [f32; 4],
    pub(crate) anchor: [f32; 3],
    pub(crate) path: u32,
    pub(crate) least: f32,
    pub(crate) most: f32,
    pub(crate) stiffness: f32,
    pub(crate) rest: f32,
    pub(crate) damping: f32,
    pub(crate) friction: f32,
    pub(crate) motor: u32,
    pub(crate) motor_target: f32,
    pub(crate) motor_speed: f32,
    pub(crate) motor_most: f32,
    pub(crate) second: u32,
    pub(crate) third: u32,
    pub(crate) position: f32,
    pub(crate) speed: f32,
    pub(crate) impulse: f32,
    pub(crate) before: f32,
    pub(crate) turning: [f32; 3],
    pub(crate) acts: u32,
    pub(crate) along: [f32; 3],
    pub(crate) start: f32,
    pub(crate) base_position: [f32; 3],
    pub(crate) place: f32,
    pub(crate) base_from: [f32; 4],
    pub(crate) base_to: [f32; 4],
    pub(crate) base_end: [f32; 3],
    pub(crate) h: f32,
}

/// Values of `Drive::kind`.
pub(crate) const BALL_JOINT: u32 = 0;
pub(crate) const HINGE: u32 = 1;
pub(crate) const SLIDER: u32 = 2;
pub(crate) const DISTANCE: u32 = 3;

/// Values of `Drive::motor`.
pub(crate) const NO_MOTOR: u32 = 0;
pub(crate) const AT_SPEED: u32 = 1;
pub(crate) const TO_PLACE: u32 = 2;

/// Values of `JointWork::piece`.
pub(crate) const NO_AXIS: u32 = 0;
pub(crate) const UNKNOWN: u32 = 1;
pub(crate) const HELD_AT: u32 = 2;
pub(crate) const SLIDES: u32 = 3;

/// Values of `JointWork::rubbing`.
pub(crate) const NO_FRICTION: u32 = 0;
pub(crate) const STICKS: u32 = 1;
pub(crate) const SLIPS: u32 = 2;

/// The joints that something acts on, in the order in which they were made.
pub(super) struct Drives {
    gpu: Gpu,
    pub(super) rows: Buffer<Drive>,
    ids: Vec<JointId>,
    /// What the device has, as far as the host says.
    known: Vec<Drive>,
    /// Joints to colliders.
    colliders: Vec<(usize, ColliderId)>,
    /// Whether the device knows better where they are when they are written again.
    keeps_state: bool,
}

/// Bytes of a joint that the host has a say in.
const PARAMETERS: usize = std::mem::offset_of!(Drive, position);

impl Drives {
    pub(super) fn new(gpu: &Gpu) -> Result<Self, GpuError> {
        Ok(Self {
            gpu: gpu.clone(),
            rows: Buffer::new(gpu, "driven joints", 1)?,
            ids: Vec::new(),
            known: Vec::new(),
            colliders: Vec::new(),
            keeps_state: false,
        })
    }

    /// Whether the next upload leaves the state of the joints as the device has it; they are the same as before then.
    pub(super) fn keep_state(&mut self, keeps: bool) {
        self.keeps_state = keeps;
    }

    pub(super) fn bytes(&self) -> u64 {
        self.rows.bytes()
    }

    pub(super) fn len(&self) -> usize {
        self.ids.len()
    }

    pub(super) fn any(&self) -> bool {
        !self.ids.is_empty()
    }

    /// Begins anew; says whether memory was replaced.
    pub(super) fn begin_upload(&mut self, bodies: &Bodies) -> Result<bool, GpuError> {
        let driven = bodies.joints.iter().filter(|joint| joint.is_driven());
        (self.ids, self.known) = driven.map(|joint| (joint.id, pack(joint, bodies))).unzip();
        self.colliders.clear();
        for (number, id) in self.ids.iter().enumerate() {
            if let Some(Anchor::Collider(collider, _)) = anchor_of(*id, bodies) {
                self.colliders.push((number, collider));
            }
        }
        self.rows.ensure_exactly(self.ids.len().max(1))
    }

    /// The number of the joint of an attachment, which is in that row; none if nothing acts on it.
    pub(super) fn note(&mut self, attached: &Attached, row: u32, bodies: &Bodies) -> u32 {
        let Some(joint) = attached.joint.and_then(|id| bodies.joint(id)) else {
            return NONE;
        };
        let Ok(number) = self.ids.binary_search(&joint.id) else {
            return NONE;
        };
        let rows = &mut self.known[number];
        match joint.attachments().position(|id| id == attached.id) {
            Some(0) => {
                rows.leader = row;
                // Those with fewer attachments have the same again.
                if joint.count < 2 {
                    rows.second = row;
                }
                if joint.count < 3 {
                    rows.third = row;
                }
            }
            Some(1) => rows.second = row,
            _ => rows.third = row,
        }
        number as u32
    }

    /// Writes all of them, with what the host knows of their state unless that is to be kept.
    pub(super) fn end_upload(&mut self) {
        if !self.keeps_state {
            self.rows.write(0, &self.known);
            return;
        }
        for (number, drive) in self.known.iter().enumerate() {
            self.write_parameters(number, drive);
        }
    }

    fn write_parameters(&self, number: usize, drive: &Drive) {
        let parameters = &bytemuck::bytes_of(drive)[..PARAMETERS];
        let at = bytes_of::<Drive>(number);
        self.gpu.queue().write_buffer(self.rows.raw(), at, parameters);
    }

    /// Adds the poses of what joints are driven against at the ends of all sub-steps; says where those of each begin.
    pub(super) fn poses(&self, frame: &Frame, substeps: u32, anchors: &mut Vec<Vec4>) -> Vec<u32> {
        let mut first = Vec::with_capacity(self.colliders.len());
        for &(_, collider) in &self.colliders {
            first.push(anchors.len() as u32);
            let found = frame.collider(collider);
            for end in 0..=substeps {
                let part = end as f32 / substeps as f32;
                let pose = found.map_or(Pose::IDENTITY, |found| found.from.lerp(&found.to, part));
                anchors.push(pose.position.extend(1.0));
                anchors.push(pose.rotation.into());
            }
        }
        first
    }

    /// Writes what has changed of the joints, but for what the device knows better.
    pub(super) fn write_changed(&mut self, bodies: &Bodies, paths: Option<&[u32]>) {
        for (number, id) in self.ids.iter().enumerate() {
            let Some(joint) = bodies.joint(*id) else { continue };
            let known = self.known[number];
            let mut wanted = Drive {
                leader: known.leader,
                second: known.second,
                third: known.third,
                path: known.path,
                ..pack(joint, bodies)
            };
            let place = self.colliders.iter().position(|&(driven, _)| driven == number);
            if let Some(path) = place.and_then(|place| paths?.get(place)) {
                wanted.path = *path;
            }
            let [before, after] = [&known, &wanted].map(|drive| &bytemuck::bytes_of(drive)[..PARAMETERS]);
            if before != after {
                self.write_parameters(number, &wanted);
                self.known[number] = wanted;
            }
        }
    }

    /// Takes over what the device found.
    pub(super) fn accept(&self, rows: &[Drive], bodies: &mut Bodies) {
        for (id, row) in self.ids.iter().zip(rows) {
            let Some(place) = bodies.joint_place(*id) else { continue };
            let joint = &mut bodies.joints[place];
            joint.position = row.position;
            joint.speed = row.speed;
            joint.impulse = row.impulse;
            joint.turning = Vec3::from_array(row.turning);
        }
    }
}

fn anchor_of(id: JointId, bodies: &Bodies) -> Option<Anchor> {
    let place = bodies.attachment_place(bodies.joint(id)?.first)?;
    Some(bodies.attachments[place].attachment.anchor)
}

fn pack(joint: &Jointed, bodies: &Bodies) -> Drive {
    let axis = &joint.axis;
    let (motor, [motor_target, motor_speed, motor_most]) = match axis.motor {
        None => (NO_MOTOR, [0.0; 3]),
        Some(JointMotor::Speed { speed, most }) => (AT_SPEED, [0.0, speed, most]),
        Some(JointMotor::Position { target, speed, most }) => (TO_PLACE, [target, speed, most]),
    };
    let anchor = match anchor_of(joint.id, bodies) {
        Some(Anchor::World(point) | Anchor::Collider(_, point)) => point,
        _ => Vec3::ZERO,
    };
    let [least, most] = axis.limits.map(|limit| limit.clamp(-UNLIMITED, UNLIMITED));
    Drive {
        direction: joint.directions[0].to_array(),
        kind: match joint.kind {
            JointKind::Ball | JointKind::Fixed => BALL_JOINT,
            JointKind::Hinge => HINGE,
            JointKind::Slider => SLIDER,
            JointKind::Distance => DISTANCE,
        },
        other_direction: joint.directions[1].to_array(),
        reference: joint.reference.to_array(),
        anchor: anchor.to_array(),
        path: NO_PATH,
        least,
        most,
        stiffness: axis.stiffness,
        rest: axis.rest.unwrap_or(0.0),
        damping: axis.damping,
        friction: axis.friction,
        motor,
        motor_target,
        motor_speed,
        motor_most,
        position: joint.position,
        speed: joint.speed,
        impulse: joint.impulse,
        turning: joint.turning.to_array(),
        ..Drive::default()
    }
}
