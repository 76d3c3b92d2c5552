//! Attachments of rigid bodies in trees, all at once.

use glam::{Mat3, Quat, Vec3};

use super::State;
use super::attachments::End;
use super::shapes::Flight;
use crate::body::joint::JointKind;
use crate::body::trees::{Node, TreeJoint, Trees};
use crate::constraints::articulated::{Articulated, Axis, Joint, LARGEST_TURN, PASSES, SPARE, Spread};
use crate::constraints::attachment::{SURE, between};
use crate::constraints::axis::BallLaw;
use crate::constraints::rigid::turned;
use crate::constraints::spatial::{Spatial, SpatialTensor};
use crate::space::pose::Pose;

/// The end of the sub-step at which joints are to hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Moment {
    /// After some bodies were moved out of overlaps: points alone, with nothing that acts on axes.
    Start,
    /// Impulses act where [`lever`](crate::constraints::attachment::lever) has them.
    End,
}

impl Moment {
    fn pose(self, flight: &Flight) -> Pose {
        match self {
            Self::Start => flight.from,
            Self::End => flight.to,
        }
    }
}

/// A body of a tree while its joints are solved.
#[derive(Clone, Copy, Debug)]
pub(super) struct NodeWork {
    articulated: Articulated,
    /// Rotations in which impulses find their levers: where they act, and halfway from there to the end of the sub-step.
    levers: [Quat; 2],
    inverse_mass: f32,
    inverse_inertia: Mat3,
}

/// A joint of a tree while it is solved.
#[derive(Clone, Copy, Debug)]
pub(super) struct JointWork {
    joint: Joint,
    spread: Spread,
    /// Middles of its points, from the centres in the frames of both bodies, metres.
    middles: [Vec3; 2],
    /// Where impulses act, in the same frames: there, or of a slider where the first of its bodies has its points.
    acts_at: [Vec3; 2],
    /// Attachments that hold.
    holding: f32,
    /// Friction and damping of a ball joint.
    rubs: Option<Rubbing>,
}

/// Friction and damping of a ball joint while it is solved, on the body above.
#[derive(Clone, Copy, Debug)]
struct Rubbing {
    law: BallLaw,
    turn: Vec3,
    impulse: Vec3,
    /// What friction does if it does not hold.
    slips: Option<Vec3>,
}

/// One attachment of a joint.
struct Row {
    number: usize,
    /// Where it holds, from the centres of both bodies in their frames, metres.
    points: [Vec3; 2],
    /// From the one above to the one below, metres.
    gap: Vec3,
}

/// All that joints do to a body, about its centre, with the levers where impulses act.
fn acting_on(node: &Node, work: &NodeWork, joints: &[JointWork]) -> Spatial {
    let mut impulse = Spatial::ZERO;
    for below in &joints[node.first as usize..(node.first + node.count) as usize] {
        impulse += below.joint.impulse.impulse_from(work.levers[0] * below.acts_at[0]);
    }
    if let Some(above) = joints.get(node.above as usize) {
        impulse += (-above.joint.impulse).impulse_from(work.levers[0] * above.acts_at[1]);
    }
    impulse
}

/// Up and down all trees; says whether everything that acts on an axis was taken to be on the right piece of its law.
fn solve_once(trees: &Trees, nodes: &mut [NodeWork], joints: &mut [JointWork]) -> bool {
    let mut settled = true;
    // Levels come in order, so that whatever is below a body is done before it.
    for (place, node) in trees.nodes.iter().enumerate() {
        let mut upper = nodes[place].alone();
        for number in node.first..node.first + node.count {
            let work = &mut joints[number as usize];
            let lower = nodes.get(trees.joints[number as usize].lower as usize);
            if work.holding > 0.0 {
                work.joint.attach(&mut upper, lower.map(|lower| &lower.articulated));
            }
        }
        nodes[place].articulated = upper;
    }
    for node in trees.nodes.iter().rev() {
        let mut acting = match joints.get(node.above as usize) {
            Some(above) => (-above.joint.impulse).impulse_from(above.joint.arms[1]),
            None => Spatial::ZERO,
        };
        for number in (node.first..node.first + node.count).rev() {
            let work = &mut joints[number as usize];
            if work.holding > 0.0 {
                settled &= work.joint.release(&mut acting);
                settled &= work.rub();
            }
        }
    }
    settled
}

impl NodeWork {
    /// The body with nothing below it.
    fn alone(&self) -> Articulated {
        Articulated {
            mobility: SpatialTensor::of_body(self.inverse_mass, self.inverse_inertia),
            free: Spatial::ZERO,
        }
    }
}

impl JointWork {
    /// What the points of the joint do, without what acts on its axis.
    fn held(&self) -> Spatial {
        let axis = self.joint.axis.iter();
        axis.fold(self.joint.impulse, |impulse, axis| {
            impulse - axis.direction.scaled(axis.found[1])
        })
    }

    /// Whether the friction of a ball joint bears what it was taken to; if not, it slips from here on.
    fn rub(&mut self) -> bool {
        let turning = self.held().angular;
        let Some(rubs) = self.rubs.as_mut().filter(|rubs| rubs.slips.is_none()) else {
            return true;
        };
        let needed = rubs.impulse + turning;
        let size = needed.length();
        if size <= rubs.law.friction {
            return true;
        }
        let rubs = *rubs;
        self.slip(needed * (rubs.law.friction / size), rubs);
        false
    }

    /// Has friction do so much, and damping besides.
    fn slip(&mut self, friction: Vec3, rubs: Rubbing) {
        self.rubs = Some(Rubbing {
            slips: Some(friction),
            ..rubs
        });
        let more = friction - rubs.impulse;
        let joint = &mut self.joint;
        if rubs.law.damping > 0.0 {
            joint.yielding = 1.0 / rubs.law.damping;
            joint.gap.angular = more / rubs.law.damping - rubs.turn;
        } else {
            joint.held = Mat3::ZERO;
            joint.gap.angular = Vec3::ZERO;
            joint.given.angular = more;
        }
    }
}

impl State {
    /// Moves poses of bodies in trees so that their joints hold, except in those trees.
    pub(super) fn solve_trees(&mut self, at: Moment, is_idle: impl Fn(&[Node]) -> bool) {
        let trees = std::mem::take(&mut self.shapes.islands.trees);
        let mut nodes = std::mem::take(&mut self.shapes.nodes);
        let mut joints = std::mem::take(&mut self.shapes.joints);
        nodes.clear();
        nodes.extend(trees.nodes.iter().map(|node| self.node(node.body as usize, at)));
        joints.clear();
        let rows = |joint: &TreeJoint| {
            let first = joint.first as usize;
            &trees.order[first..first + joint.count as usize]
        };
        let mut shares = vec![SURE; nodes.len()];
        let mut are_idle = vec![false; nodes.len()];
        for (&island, &nails) in trees.islands.iter().zip(&trees.nails) {
            let range = trees.nodes_of(island);
            if nails > 1 {
                shares[range.clone()].fill(SPARE);
            }
            are_idle[range.clone()].fill(is_idle(&trees.nodes[range]));
        }
        joints.extend(trees.joints.iter().map(|joint| {
            let bodies =
                [joint.upper, joint.lower].map(|node| trees.nodes.get(node as usize).map(|node| node.body as usize));
            let inverse_masses = nodes[joint.upper as usize].inverse_mass
                + nodes.get(joint.lower as usize).map_or(0.0, |lower| lower.inverse_mass);
            let rows = if are_idle[joint.upper as usize] {
                &[]
            } else {
                rows(joint)
            };
            let work = self.joint(rows, bodies, [inverse_masses, shares[joint.upper as usize]], at);
            match at {
                Moment::Start => work,
                Moment::End => self.driven(work, joint, bodies),
            }
        }));
        for (work, joint) in joints.iter_mut().zip(&trees.joints) {
            let arm = |node: u32, arm: Vec3| nodes.get(node as usize).map_or(Vec3::ZERO, |node| node.levers[1] * arm);
            work.joint.arms = [arm(joint.upper, work.acts_at[0]), arm(joint.lower, work.acts_at[1])];
        }
        for _ in 0..PASSES {
            if solve_once(&trees, &mut nodes, &mut joints) {
                break;
            }
        }
        for (node, work) in trees.nodes.iter().zip(&nodes) {
            self.push(node.body as usize, acting_on(node, work, &joints), work, at);
        }
        for (joint, work) in trees.joints.iter().zip(&joints).filter(|_| at == Moment::End) {
            let upper = trees.nodes[joint.upper as usize].body as usize;
            self.note_impulses(rows(joint), upper, work);
            self.note_axis(joint, upper, work);
        }
        self.shapes.islands.trees = trees;
        (self.shapes.nodes, self.shapes.joints) = (nodes, joints);
    }

    fn node(&self, place: usize, at: Moment) -> NodeWork {
        let (body, motion) = (&self.bodies.list[place], &self.shapes.flights[place]);
        let (from, to) = (motion.from.rotation, at.pose(motion).rotation);
        let start = between(from, to, motion.lever);
        let half = between(start, to, 0.5);
        let inverse_mass = 1.0 / body.mass;
        let inverse_inertia = turned(&body.inverse_inertia, half);
        NodeWork {
            articulated: Articulated {
                mobility: SpatialTensor::of_body(inverse_mass, inverse_inertia),
                free: Spatial::ZERO,
            },
            levers: [start, half],
            inverse_mass,
            inverse_inertia,
        }
    }

    /// What a joint between an upper and perhaps a lower body has to close.
    fn joint(
        &self,
        rows: &[u32],
        bodies: [Option<usize>; 2],
        [inverse_masses, share]: [f32; 2],
        at: Moment,
    ) -> JointWork {
        let is_held = |number: &&u32| at == Moment::End || self.holds_start(**number as usize);
        let rows = || { rows.iter().filter(is_held) }.filter_map(|&number| self.row(number as usize, bodies, at));
        let holding = rows().count() as f32;
        let Some(upper) = bodies[0].filter(|_| holding > 0.0) else {
            return JointWork {
                joint: Joint::new(Spatial::ZERO, Mat3::ZERO, inverse_masses, share),
                spread: Spread::POINT,
                middles: [Vec3::ZERO; 2],
                acts_at: [Vec3::ZERO; 2],
                holding,
                rubs: None,
            };
        };
        let mut sums = [Vec3::ZERO; 3];
        for row in rows() {
            sums[0] += row.points[0];
            sums[1] += row.points[1];
            sums[2] += row.gap;
        }
        let middles = [sums[0] / holding, sums[1] / holding];
        let start = self.shapes.flights[upper].from.rotation;
        let from_middle = |row: &Row| start * (row.points[0] - middles[0]);
        let mut spread = Spread::POINT;
        let mut moment = Vec3::ZERO;
        if holding > 1.0 {
            spread = Spread::new(rows().map(|row| from_middle(&row)));
            moment = rows().map(|row| from_middle(&row).cross(row.gap)).sum();
        }
        let gap = Spatial {
            linear: sums[2] / holding,
            angular: spread.turn(moment),
        };
        JointWork {
            joint: Joint::new(gap, spread.held, inverse_masses, share),
            spread,
            middles,
            acts_at: middles,
            holding,
            rubs: None,
        }
    }

    /// The same with what acts on its axis.
    fn driven(&self, mut work: JointWork, joint: &TreeJoint, bodies: [Option<usize>; 2]) -> JointWork {
        let place = joint.drive as usize;
        let Some(moving) = self
            .shapes
            .moving
            .get(place)
            .filter(|moving| moving.acts && work.holding > 0.0)
        else {
            return work;
        };
        let jointed = &self.bodies.joints[place];
        let Some(end) = self.frames(place, 1) else { return work };
        let direction = moving.direction(jointed, &end);
        let side = if moving.body == bodies[0] { 1.0 } else { -1.0 };
        match jointed.kind {
            JointKind::Distance => work.joint.points = Mat3::ZERO,
            JointKind::Slider => {
                let along = |along: Vec3| Mat3::from_cols(along * along.x, along * along.y, along * along.z);
                work.joint.points = Mat3::IDENTITY - along(direction.linear);
                let gap = &mut work.joint.gap.linear;
                *gap -= along(jointed.direction(&end).linear) * *gap;
                self.act_where_first_is(&mut work, side > 0.0, bodies);
            }
            _ => {}
        }
        if jointed.kind != JointKind::Ball || jointed.axis.limits[1].is_finite() {
            let so_far = [moving.displacement(jointed, &end), jointed.impulse];
            work.joint.axis = Some(Axis::new(direction.scaled(side), moving.law, so_far));
        }
        if let Some(law) = moving.ball {
            let rubs = Rubbing {
                law,
                turn: side * self.turn(place),
                impulse: side * jointed.turning,
                slips: None,
            };
            work.joint.held = Mat3::IDENTITY;
            work.joint.gap.angular = -rubs.turn;
            work.rubs = Some(rubs);
            if law.friction == 0.0 {
                work.slip(Vec3::ZERO, rubs);
            }
        }
        work
    }

    /// Has a slider act on both of its bodies where the first has its points.
    fn act_where_first_is(&self, work: &mut JointWork, first_is_above: bool, bodies: [Option<usize>; 2]) {
        let [own, other] = if first_is_above { [0, 1] } else { [1, 0] };
        let place_of = |body: usize| &self.shapes.flights[body].from;
        let place = match bodies[own] {
            Some(body) => place_of(body).point(work.middles[own]),
            // What does not yield has no lever; the other has its own.
            None => return,
        };
        if let Some(body) = bodies[other] {
            work.acts_at[other] = place_of(body).local_point(place);
        }
    }

    /// Adds what acted on the axis of a joint.
    fn note_axis(&mut self, joint: &TreeJoint, upper: usize, work: &JointWork) {
        let Some(moving) = self.shapes.moving.get(joint.drive as usize) else {
            return;
        };
        let side = if moving.body == Some(upper) { 1.0 } else { -1.0 };
        let (start, h) = (moving.start, moving.h);
        let jointed = &mut self.bodies.joints[joint.drive as usize];
        if let Some(axis) = work.joint.axis {
            let [further, more] = axis.found;
            let displacement = axis.displacement + further;
            jointed.impulse += more;
            (jointed.position, jointed.speed) = (start + displacement, displacement / h);
        }
        if work.rubs.is_some() {
            jointed.turning += side * work.held().angular;
        }
    }

    /// One attachment as its joint sees it; `None` if an end is missing.
    fn row(&self, number: usize, bodies: [Option<usize>; 2], at: Moment) -> Option<Row> {
        let ends = self.shapes.ends.get(number).copied().flatten()?;
        let is_upper = |end: &End| matches!(*end, End::Body(place, _) if Some(place) == bodies[0]);
        let [upper, lower] = if is_upper(&ends[0]) { ends } else { [ends[1], ends[0]] };
        let [(point, place), (anchor, other)] = [upper, lower].map(|end| match end {
            End::Place(point) => (Vec3::ZERO, point),
            End::Part(..) => (Vec3::ZERO, Vec3::ZERO),
            End::Body(place, rest) => {
                let motion = &self.shapes.flights[place];
                let arm = rest - motion.rest_center;
                (arm, at.pose(motion).point(arm))
            }
        });
        Some(Row {
            number,
            points: [point, anchor],
            gap: other - place,
        })
    }

    fn push(&mut self, place: usize, impulse: Spatial, work: &NodeWork, at: Moment) {
        let (body, motion) = (&self.bodies.list[place], &mut self.shapes.flights[place]);
        let turn = (work.inverse_inertia * impulse.angular).length();
        let angular = impulse.angular * (LARGEST_TURN / turn.max(LARGEST_TURN));
        let distance = work.inverse_mass * impulse.linear;
        match at {
            Moment::Start if impulse == Spatial::ZERO => {}
            Moment::Start => motion.move_start(body, distance, angular),
            Moment::End => motion.move_end(body, distance, angular),
        }
    }

    /// Adds what the attachments of a joint did on their first bodies.
    fn note_impulses(&mut self, rows: &[u32], upper: usize, work: &JointWork) {
        // A spring is all that its points bear.
        let is_spring = work.joint.points == Mat3::ZERO;
        let held = if is_spring { work.joint.impulse } else { work.held() };
        let start = self.shapes.flights[upper].from.rotation;
        for &number in rows {
            let Some(row) = self.row(number as usize, [Some(upper), None], Moment::End) else {
                continue;
            };
            let from_middle = start * (row.points[0] - work.middles[0]);
            let part = work.spread.part(held.angular, from_middle);
            let impulse = held.linear / work.holding + part;
            let first = self.shapes.ends[row.number].map(|ends| ends[0]);
            let is_first = matches!(first, Some(End::Body(place, _)) if place == upper);
            self.bodies.attachments[row.number].impulse += if is_first { impulse } else { -impulse };
        }
    }
}
