//! Joints that hold nothing, or far from what they join.

use glam::Vec3;
use motes_core::Joint;

use super::Subject;
use crate::compile::{BodyRef, PlannedBodies, PlannedJoint, PlannedPartner};
use crate::issues::Issues;

pub(super) fn check(subject: &Subject<'_>, issues: &mut Issues<'_>) {
    for planned in &subject.plan.joints {
        let Some(body) = subject.body(&planned.body) else {
            continue;
        };
        let other = match &planned.partner {
            PlannedPartner::Body(other) => subject.body(other),
            PlannedPartner::World | PlannedPartner::Collider(_) => None,
        };
        if body.body.kinematic && other.is_none_or(|other| other.body.kinematic) {
            issues.warning(&planned.path, "joins two things that nothing can move");
        }
        far_away(subject, planned, body, issues);
        if let (Some(place), Some(other)) = (place_of(planned), other)
            && let PlannedPartner::Body(second) = &planned.partner
        {
            long_arm(planned, body, planned.body.copy, place, issues);
            long_arm(planned, other, second.copy, place, issues);
        }
        if let Joint::Distance(a, b) = planned.joint {
            let (length, [least, most]) = (a.distance(b), planned.axis.limits);
            if length < least || length > most {
                let message = format!("the points are {length:.3} m apart at the start, outside of the limits");
                issues.warning(&planned.path, message);
            }
            if !planned.axis.acts() {
                issues.warning(
                    &planned.path,
                    "nothing acts on this distance: give it `stiffness` or `limits`",
                );
            }
        } else if planned.axis.limits[0] > 0.0 || planned.axis.limits[1] < 0.0 {
            issues.warning(&planned.path, "it starts at 0, outside of its limits");
        }
    }
}

/// The one place that a joint has on both sides.
fn place_of(planned: &PlannedJoint) -> Option<Vec3> {
    match planned.joint {
        Joint::Ball(place) | Joint::Hinge(place, _) => Some(place),
        _ => None,
    }
}

/// Warns of a body that is further from its joint than it is long: what holds it there is an arm that nobody sees.
fn long_arm(planned: &PlannedJoint, body: &PlannedBodies, copy: usize, place: Vec3, issues: &mut Issues<'_>) {
    let gap = distance(body, copy, place) - body.radius;
    let bounds = body.form.mesh.bounds();
    if gap > bounds.size().length() {
        let message = format!(
            "`{}` is {gap:.3} m away from the joint, further than it is long",
            body.name(copy)
        );
        issues.warning_with_help(
            &planned.path,
            message,
            "join it to something near, or put the joint nearer",
        );
    }
}

/// A place further from the surfaces of both sides than a particle is wide.
fn far_away(subject: &Subject<'_>, planned: &PlannedJoint, body: &PlannedBodies, issues: &mut Issues<'_>) {
    let (Joint::Ball(place) | Joint::Hinge(place, _) | Joint::Distance(place, _)) = planned.joint else {
        return;
    };
    let radius = body.radius;
    let mut gap = distance(body, planned.body.copy, place) - radius;
    match &planned.partner {
        PlannedPartner::World => {}
        PlannedPartner::Body(_) | PlannedPartner::Collider(_) if matches!(planned.joint, Joint::Distance(..)) => {}
        PlannedPartner::Body(other) => {
            let Some(second) = subject.body(other) else { return };
            gap = gap.min(distance(second, other.copy, place) - radius);
        }
        PlannedPartner::Collider(index) => {
            let obstacle = subject.plan.colliders.iter().find(|planned| planned.index == *index);
            let Some(obstacle) = obstacle else { return };
            let pose = obstacle.collider.motion.pose(&obstacle.collider.initial_pose, 0.0);
            if obstacle.collider.shape.contains(pose.local_point(place), 2.0 * radius) {
                return;
            }
        }
    }
    if gap > 2.0 * radius {
        let path = match planned.path.ends_with("joined") {
            true => planned.path.clone(),
            false => format!("{}.at", planned.path),
        };
        let message = format!(
            "the joint lies {gap:.3} m outside of `{}`",
            body.name(planned.body.copy)
        );
        issues.warning_with_help(&path, message, "they turn about a point of empty space");
    }
}

/// How far the nearest particle of a body is.
fn distance(body: &PlannedBodies, copy: usize, place: Vec3) -> f32 {
    let local = body.poses[copy].local_point(place);
    let distances = body.body.positions.iter().map(|center| center.distance(local));
    distances.fold(f32::INFINITY, f32::min)
}

impl Subject<'_> {
    pub(super) fn body(&self, body: &BodyRef) -> Option<&PlannedBodies> {
        let mut bodies = self.plan.bodies.iter();
        bodies.find(|planned| planned.table() == (body.kind, body.index))
    }

    /// Whether joints hold the bodies of a table to something that does not fall, directly or through others.
    pub(super) fn is_held(&self, table: &PlannedBodies) -> bool {
        let mut held = Vec::new();
        for planned in &self.plan.bodies {
            held.extend(planned.body.kinematic.then_some(planned.table()));
        }
        loop {
            let before = held.len();
            for planned in &self.plan.joints {
                let first = (planned.body.kind, planned.body.index);
                match &planned.partner {
                    PlannedPartner::World | PlannedPartner::Collider(_) => note(&mut held, first),
                    PlannedPartner::Body(other) => {
                        let second = (other.kind, other.index);
                        if held.contains(&first) || held.contains(&second) {
                            note(&mut held, first);
                            note(&mut held, second);
                        }
                    }
                }
            }
            if held.len() == before {
                return held.contains(&table.table());
            }
        }
    }
}

fn note<T: PartialEq>(list: &mut Vec<T>, item: T) {
    if !list.contains(&item) {
        list.push(item);
    }
}
