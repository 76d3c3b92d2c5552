//! Attachments of rigid bodies in trees, all at once.

use std::ops::Range;

use glam::{Mat3, Quat, Vec3};

use super::State;
use super::attachments::End;
use super::shapes::Flight;
use crate::body::joint::JointKind;
use crate::body::trees::{Node, TreeJoint, Trees};
use crate::constraints::articulated::{Articulated, Axis, Joint, LARGEST_TURN, PASSES, SAME_TURN, SPARE, Spread};
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

/// Trees while they are solved, iteration by iteration.
#[derive(Clone, Debug, Default)]
pub(super) struct TreeWork {
    nodes: Vec<NodeWork>,
    joints: Vec<JointWork>,
    /// Of each tree whether its mobilities were worked out in this sub-step, with what acts on its axes where it was in the end.
    are_known: Vec<bool>,
}

/// A body of a tree while its joints are solved.
#[derive(Clone, Copy, Debug)]
struct NodeWork {
    articulated: Articulated,
    /// Rotations in which impulses find their levers: where they act, and halfway from there to the end of the sub-step.
    levers: [Quat; 2],
    inverse_mass: f32,
    inverse_inertia: Mat3,
    /// How far contacts push it: what its joints have to take up in the same go.
    pushed: Spatial,
}

/// A joint of a tree while it is solved.
#[derive(Clone, Copy, Debug)]
struct JointWork {
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
    /// Whether it is another joint in every iteration.
    changes: bool,
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

/// Up and down a tree; says whether everything that acts on an axis was taken to be on the right piece of its law. Mobilities are
/// those of the time before where only gaps have changed since.
fn solve_once(trees: &Trees, range: Range<usize>, work: &mut TreeWork, again: bool) -> bool {
    let TreeWork { nodes, joints, .. } = work;
    // Levels come in order, so that whatever is below a body is done before it.
    for place in range.clone() {
        let node = &trees.nodes[place];
        let mut upper = nodes[place].alone();
        for number in node.first..node.first + node.count {
            let work = &mut joints[number as usize];
            let lower = nodes.get(trees.joints[number as usize].lower as usize);
            let lower = lower.map(|lower| &lower.articulated);
            match work.holding > 0.0 {
                true if again => work.joint.attach_again(&mut upper.free, lower.map(|lower| lower.free)),
                true => work.joint.attach(&mut upper, lower),
                false => {}
            }
        }
        nodes[place].articulated = upper;
    }
    let mut settled = true;
    for node in trees.nodes[range].iter().rev() {
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
    const NONE: Self = Self {
        articulated: Articulated {
            mobility: SpatialTensor::ZERO,
            free: Spatial::ZERO,
        },
        levers: [Quat::IDENTITY; 2],
        inverse_mass: 0.0,
        inverse_inertia: Mat3::ZERO,
        pushed: Spatial::ZERO,
    };

    /// The body with nothing below it.
    fn alone(&self) -> Articulated {
        Articulated {
            mobility: SpatialTensor::of_body(self.inverse_mass, self.inverse_inertia),
            free: self.pushed,
        }
    }
}

/// Takes away what a slider leaves free.
fn leave_free(gap: &mut Spatial, direction: Spatial) {
    gap.linear -= direction.linear * direction.linear.dot(gap.linear);
}

impl TreeWork {
    /// Has room for these trees, of which nothing is known.
    fn forget(&mut self, trees: &Trees) {
        self.nodes.resize(trees.nodes.len(), NodeWork::NONE);
        self.joints.clear();
        self.joints.resize(trees.joints.len(), JointWork::NONE);
        self.are_known.clear();
        self.are_known.resize(trees.islands.len(), false);
    }

    /// Memory of all of it.
    pub(super) fn bytes(&self) -> usize {
        size_of::<NodeWork>() * self.nodes.capacity() + size_of::<JointWork>() * self.joints.capacity()
    }

    /// Has mobilities worked out anew: a sub-step begins.
    pub(super) fn begin(&mut self) {
        self.are_known.fill(false);
    }
}

impl JointWork {
    const NONE: Self = Self {
        joint: Joint::NONE,
        spread: Spread::POINT,
        middles: [Vec3::ZERO; 2],
        acts_at: [Vec3::ZERO; 2],
        holding: 0.0,
        rubs: None,
        changes: false,
    };

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
        let mut work = std::mem::take(&mut self.shapes.tree_work);
        let has_room = [work.nodes.len(), work.joints.len(), work.are_known.len()]
            == [trees.nodes.len(), trees.joints.len(), trees.islands.len()];
        if at == Moment::Start || !has_room {
            work.forget(&trees);
        }
        for (tree, &island) in trees.islands.iter().enumerate() {
            let nodes = trees.nodes_of(island);
            if is_idle(&trees.nodes[nodes.clone()]) {
                continue;
            }
            let mut again = work.are_known[tree] && self.are_as_before(&trees, nodes.clone(), &work);
            match again {
                true => self.aim_tree(&trees, nodes.clone(), &mut work),
                false => self.begin_tree(&trees, nodes.clone(), trees.nails[tree], &mut work, at),
            }
            for node in nodes.clone() {
                work.nodes[node].pushed = self.pushed(trees.nodes[node].body as usize, &work.nodes[node], at);
            }
            let mut settled = false;
            for _ in 0..PASSES {
                settled = solve_once(&trees, nodes.clone(), &mut work, again);
                again = false;
                if settled {
                    break;
                }
            }
            let joints = trees.joints_of(nodes.clone());
            let is_fixed = work.joints[joints.clone()].iter().all(|joint| !joint.changes);
            work.are_known[tree] = at == Moment::End && settled && is_fixed;
            for node in nodes {
                let (node, own) = (&trees.nodes[node], &work.nodes[node]);
                self.push(node.body as usize, acting_on(node, own, &work.joints), own, at);
            }
            for number in joints.filter(|_| at == Moment::End) {
                let (joint, work) = (&trees.joints[number], &work.joints[number]);
                let upper = trees.nodes[joint.upper as usize].body as usize;
                self.note_impulses(trees.rows_of(joint), upper, work);
                self.note_axis(joint, upper, work);
            }
        }
        self.shapes.islands.trees = trees;
        self.shapes.tree_work = work;
    }

    /// Whether all bodies of a tree are turned nearly as they were when its mobilities were worked out.
    fn are_as_before(&self, trees: &Trees, nodes: Range<usize>, work: &TreeWork) -> bool {
        { trees.nodes[nodes.clone()].iter().zip(&work.nodes[nodes]) }.all(|(node, work)| {
            let [_, halfway] = self.levers(node.body as usize, Moment::End);
            halfway.dot(work.levers[1]).abs() > SAME_TURN
        })
    }

    /// What there is to solve of a tree that is held by so many nails.
    fn begin_tree(&self, trees: &Trees, nodes: Range<usize>, nails: u32, work: &mut TreeWork, at: Moment) {
        let share = if nails > 1 { SPARE } else { SURE };
        for node in nodes.clone() {
            work.nodes[node] = self.node(trees.nodes[node].body as usize, at);
        }
        for number in trees.joints_of(nodes) {
            let joint = &trees.joints[number];
            let bodies = trees.bodies_of(joint);
            let ends = [joint.upper, joint.lower].map(|node| work.nodes.get(node as usize));
            let inverse_masses = ends.iter().flatten().map(|node| node.inverse_mass).sum();
            let mut own = self.joint(trees.rows_of(joint), bodies, [inverse_masses, share], at);
            if at == Moment::End {
                own = self.driven(own, joint, bodies);
            }
            let arm = |end: usize| ends[end].map_or(Vec3::ZERO, |node| node.levers[1] * own.acts_at[end]);
            own.joint.arms = [arm(0), arm(1)];
            work.joints[number] = own;
        }
    }

    /// The gaps of a tree that has not changed otherwise.
    fn aim_tree(&self, trees: &Trees, nodes: Range<usize>, work: &mut TreeWork) {
        for number in trees.joints_of(nodes) {
            let (joint, work) = (&trees.joints[number], &mut work.joints[number]);
            if work.holding == 0.0 {
                continue;
            }
            work.joint.gap = self.gap(trees.rows_of(joint), trees.bodies_of(joint), work, Moment::End);
            let place = joint.drive as usize;
            let jointed = self.bodies.joints.get(place);
            if let Some(jointed) = jointed.filter(|_| self.shapes.moving[place].acts)
                && let Some(end) = self.frames(place, 1)
            {
                if jointed.kind == JointKind::Slider {
                    leave_free(&mut work.joint.gap, jointed.direction(&end));
                }
                if let Some(axis) = &mut work.joint.axis {
                    axis.displacement = self.shapes.moving[place].displacement(jointed, &end);
                    axis.impulse = jointed.impulse;
                }
            }
        }
    }

    /// Rotations in which impulses on a body find their levers.
    fn levers(&self, place: usize, at: Moment) -> [Quat; 2] {
        let motion = &self.shapes.flights[place];
        let to = at.pose(motion).rotation;
        let start = between(motion.from.rotation, to, motion.lever);
        [start, between(start, to, 0.5)]
    }

    fn node(&self, place: usize, at: Moment) -> NodeWork {
        let body = &self.bodies.list[place];
        let levers = self.levers(place, at);
        let inverse_mass = 1.0 / body.mass;
        let inverse_inertia = turned(&body.inverse_inertia, levers[1]);
        NodeWork {
            articulated: Articulated {
                mobility: SpatialTensor::of_body(inverse_mass, inverse_inertia),
                free: Spatial::ZERO,
            },
            levers,
            inverse_mass,
            inverse_inertia,
            pushed: Spatial::ZERO,
        }
    }

    /// What contacts do to a body of a tree.
    fn pushed(&self, place: usize, work: &NodeWork, at: Moment) -> Spatial {
        match at {
            Moment::Start => Spatial::ZERO,
            Moment::End => {
                let [distance, angular_impulse] = self.shapes.flights[place].pushed;
                Spatial {
                    linear: distance,
                    angular: work.inverse_inertia * angular_impulse,
                }
            }
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
        let mut work = JointWork {
            joint: Joint::new(Spatial::ZERO, Mat3::ZERO, inverse_masses, share),
            ..JointWork::NONE
        };
        let mut sums = [Vec3::ZERO; 2];
        for row in self.rows(rows, bodies, at) {
            sums[0] += row.points[0];
            sums[1] += row.points[1];
            work.holding += 1.0;
        }
        let Some(upper) = bodies[0].filter(|_| work.holding > 0.0) else {
            return work;
        };
        work.middles = sums.map(|sum| sum / work.holding);
        work.acts_at = work.middles;
        if work.holding > 1.0 {
            let start = self.shapes.flights[upper].from.rotation;
            let from_middle = |row: Row| start * (row.points[0] - work.middles[0]);
            work.spread = Spread::new(self.rows(rows, bodies, at).map(from_middle));
            work.joint.held = work.spread.held;
        }
        work.joint.gap = self.gap(rows, bodies, &work, at);
        work
    }

    /// Attachments of a joint that hold.
    fn rows<'a>(
        &'a self,
        rows: &'a [u32],
        bodies: [Option<usize>; 2],
        at: Moment,
    ) -> impl Iterator<Item = Row> + use<'a> {
        let is_held = move |number: &&u32| at == Moment::End || self.holds_start(**number as usize);
        { rows.iter().filter(is_held) }.filter_map(move |&number| self.row(number as usize, bodies, at))
    }

    /// How far the body above has to move against the one below.
    fn gap(&self, rows: &[u32], bodies: [Option<usize>; 2], work: &JointWork, at: Moment) -> Spatial {
        let start = bodies[0].map_or(Quat::IDENTITY, |upper| self.shapes.flights[upper].from.rotation);
        let (mut sum, mut moment) = (Vec3::ZERO, Vec3::ZERO);
        for row in self.rows(rows, bodies, at) {
            sum += row.gap;
            moment += (start * (row.points[0] - work.middles[0])).cross(row.gap);
        }
        Spatial {
            linear: sum / work.holding,
            angular: if work.holding > 1.0 {
                work.spread.turn(moment)
            } else {
                Vec3::ZERO
            },
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
                let along = direction.linear;
                work.joint.points = Mat3::IDENTITY - Mat3::from_cols(along * along.x, along * along.y, along * along.z);
                leave_free(&mut work.joint.gap, jointed.direction(&end));
                self.act_where_first_is(&mut work, side > 0.0, bodies);
            }
            _ => {}
        }
        if jointed.kind != JointKind::Ball || jointed.axis.limits[1].is_finite() {
            let so_far = [moving.displacement(jointed, &end), jointed.impulse];
            work.changes |= jointed.kind == JointKind::Ball;
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
            work.changes = true;
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
            End::Place([from, to]) => (Vec3::ZERO, if at == Moment::Start { from } else { to }),
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
        let [pushed, twisted] = match at {
            Moment::Start => [Vec3::ZERO; 2],
            Moment::End => std::mem::take(&mut motion.pushed),
        };
        let angular = impulse.angular + twisted;
        let turn = (work.inverse_inertia * angular).length();
        let angular = angular * (LARGEST_TURN / turn.max(LARGEST_TURN));
        let distance = work.inverse_mass * impulse.linear + pushed;
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
