//! Joints whose axes something acts on: where they are in a sub-step, and how they act in loops.

use glam::{Quat, Vec3};

use super::State;
use super::attachments::End;
use crate::body::attachment::Anchor;
use crate::body::joint::{JointKind, Jointed};
use crate::constraints::attachment::{act, rub};
use crate::constraints::axis::{BallLaw, Law};
use crate::constraints::rigid::arc;
use crate::constraints::spatial::Spatial;
use crate::space::pose::Pose;

/// A joint in one sub-step.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Moving {
    /// Whether something acts on it.
    pub(super) acts: bool,
    /// The place in the list of the body that was joined, if it can be moved.
    pub(super) body: Option<usize>,
    /// The first of its attachments.
    leader: usize,
    /// Of a partner that is no body, where it is at the start and at the end, and the point there.
    base: [Pose; 2],
    anchor: Vec3,
    /// How it moves at the start; a ball joint leans as it has got to.
    direction: Spatial,
    pub(super) law: Law,
    pub(super) ball: Option<BallLaw>,
    /// Where it is at the start, with all turns and within half of one.
    pub(super) start: f32,
    place: f32,
    /// Length of the sub-step, seconds.
    pub(super) h: f32,
}

impl Moving {
    /// How far it has moved.
    pub(super) fn displacement(&self, joint: &Jointed, end: &[Pose; 2]) -> f32 {
        joint.apart(self.place, joint.place(end))
    }

    /// How it moves.
    pub(super) fn direction(&self, joint: &Jointed, end: &[Pose; 2]) -> Spatial {
        match joint.kind {
            JointKind::Ball => joint.direction(end),
            _ => self.direction,
        }
    }
}

/// Along what an attachment of a driven joint leaves its point free.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) enum Slides {
    #[default]
    Nowhere,
    Along(Vec3),
    All,
}

impl State {
    /// Finds what acts on joints in a sub-step.
    pub(super) fn begin_joints(&mut self, h: f32) {
        let mut moving = std::mem::take(&mut self.shapes.moving);
        moving.clear();
        moving.resize(self.bodies.joints.len(), Moving::default());
        self.shapes.moving = moving;
        for place in 0..self.bodies.joints.len() {
            if self.bodies.joints[place].is_driven() {
                self.shapes.moving[place] = self.begin_joint(place, h).unwrap_or_default();
            }
        }
    }

    fn begin_joint(&mut self, place: usize, h: f32) -> Option<Moving> {
        let leader = self.bodies.attachment_place(self.bodies.joints[place].first)?;
        let mut moving = Moving {
            leader,
            h,
            ..self.partner(leader)?
        };
        self.shapes.moving[place] = moving;
        let frames = self.frames(place, 0);
        let ends = self.shapes.ends[leader];
        let joint = &mut self.bodies.joints[place];
        (joint.impulse, joint.turning) = (0.0, Vec3::ZERO);
        let frames = frames?;
        moving.place = joint.place(&frames);
        moving.direction = joint.direction(&frames);
        let since = joint.apart(joint.position, moving.place);
        joint.position += since;
        if !joint.is_on {
            joint.speed = since / h;
        }
        moving.start = joint.position;
        moving.law = joint.law(h);
        moving.ball = joint.ball_law(h);
        let bends = |end: &End| matches!(end, End::Part(..));
        let [first, second] = ends?;
        moving.acts = joint.kind == JointKind::Distance || !(bends(&first) || bends(&second));
        Some(moving)
    }

    /// Who is joined by an attachment.
    fn partner(&self, leader: usize) -> Option<Moving> {
        let attachment = &self.bodies.attachments[leader].attachment;
        let (base, anchor) = match attachment.anchor {
            Anchor::World(point) => ([Pose::IDENTITY; 2], point),
            Anchor::Body(..) => ([Pose::IDENTITY; 2], Vec3::ZERO),
            Anchor::Collider(id, point) => {
                let frame = self.frame.collider(id)?;
                (self.part.map(|part| frame.from.lerp(&frame.to, part)), point)
            }
        };
        Some(Moving {
            body: self
                .bodies
                .place(attachment.body)
                .filter(|&place| self.bodies.list[place].path.is_none()),
            base,
            anchor,
            ..Moving::default()
        })
    }

    /// Points and rotations of what a joint joins, at the start of the sub-step or at its end.
    pub(super) fn frames(&self, place: usize, at: usize) -> Option<[Pose; 2]> {
        let moving = &self.shapes.moving[place];
        let frame = |end: End| match end {
            End::Place(_) => Pose {
                position: moving.base[at].point(moving.anchor),
                ..moving.base[at]
            },
            End::Body(body, rest) => {
                let motion = &self.shapes.flights[body];
                let pose = [motion.from, motion.to][at];
                Pose {
                    position: pose.point(rest - motion.rest_center),
                    ..pose
                }
            }
            End::Part(body, part, grip) => {
                let motion = &self.shapes.flights[body];
                let places = [&self.particles.positions, &self.predicted];
                let rotation = [motion.from, motion.to][at].rotation;
                Pose {
                    position: self.held_at(body, part, &grip, places[at]) + rotation * grip.arm,
                    rotation,
                }
            }
        };
        Some(self.shapes.ends[moving.leader]?.map(frame))
    }

    /// How far what is joined has turned against its partner in the sub-step, radians.
    pub(super) fn turn(&self, place: usize) -> Vec3 {
        let moving = &self.shapes.moving[place];
        let turned = |end: End| match end {
            End::Place(_) => turn_of(moving.base.map(|pose| pose.rotation)),
            End::Body(body, _) => {
                let motion = &self.shapes.flights[body];
                turn_of([motion.from, motion.to].map(|pose| pose.rotation))
            }
            End::Part(..) => Vec3::ZERO,
        };
        match self.shapes.ends[moving.leader] {
            Some([first, second]) => turned(first) - turned(second),
            None => Vec3::ZERO,
        }
    }

    /// The joint of an attachment, if something acts on it.
    pub(super) fn driven_joint(&self, number: usize) -> Option<usize> {
        let id = self.bodies.attachments[number].joint?;
        let place = self.bodies.joint_place(id)?;
        let is_distance = self.bodies.joints[place].kind == JointKind::Distance;
        self.shapes
            .moving
            .get(place)
            .filter(|moving| moving.acts || is_distance)
            .map(|_| place)
    }

    pub(super) fn slides(&self, place: usize) -> Slides {
        let joint = &self.bodies.joints[place];
        match (joint.kind, self.frames(place, 1)) {
            (JointKind::Distance, _) => Slides::All,
            (JointKind::Slider, Some(end)) => Slides::Along(joint.direction(&end).linear),
            _ => Slides::Nowhere,
        }
    }

    /// What acts on the axis of a joint in a loop, once for all of its attachments.
    pub(super) fn act_on(&mut self, place: usize, number: usize, ends: [End; 2]) {
        let moving = self.shapes.moving[place];
        if moving.leader != number || !moving.acts {
            return;
        }
        let Some(end) = self.frames(place, 1) else { return };
        let joint = self.bodies.joints[place];
        let mut sides = ends.map(|end| self.side(end));
        let [first, second] = &mut sides;
        let displacement = moving.displacement(&joint, &end);
        if let Some(law) = &moving.ball {
            let so_far = [self.turn(place), joint.turning];
            self.bodies.joints[place].turning += rub(first, second, law, so_far);
        }
        if joint.kind == JointKind::Slider {
            second.arm = second.rotation.conjugate() * (end[0].position - second.center);
        }
        if joint.kind != JointKind::Ball || joint.axis.limits[1].is_finite() {
            let direction = moving.direction(&joint, &end);
            let more = act(first, second, direction, &moving.law, [displacement, joint.impulse]);
            self.bodies.joints[place].impulse += more;
            if joint.kind == JointKind::Distance {
                self.bodies.attachments[number].impulse += more * direction.linear;
            }
        }
        for (end, side) in ends.into_iter().zip(&sides) {
            self.place(end, side);
        }
        let Some(end) = self.frames(place, 1) else { return };
        let joint = &mut self.bodies.joints[place];
        let displacement = moving.displacement(joint, &end);
        (joint.position, joint.speed) = (moving.start + displacement, displacement / moving.h);
    }
}

fn turn_of([from, to]: [Quat; 2]) -> Vec3 {
    arc(to * from.conjugate())
}
