//! Attachments of bodies. Those in loops, and those of bodies that bend, are solved one after the other: each sees what those
//! before it did.

use glam::{Vec3, Vec4, Vec4Swizzles};
use rayon::prelude::*;

use super::State;
use super::articulations::Moment;
use super::joints::Slides;
use crate::body::BodyId;
use crate::body::attachment::{Anchor, Attached, Attachment};
use crate::body::bodies::{Body, Part};
use crate::body::islands::Islands;
use crate::body::joint::JointKind;
use crate::constraints::attachment::{JOININGS, SWEEPS, Side, geometric_stiffness, is_beside, lever, slide, solve};
use crate::constraints::grip::{Grip, Held};

/// What one side of an attachment is in a sub-step.
#[derive(Clone, Copy, Debug)]
pub(super) enum End {
    /// A place in the world, where nothing yields, at the start of the sub-step and at its end.
    Place([Vec3; 2]),
    /// A point of a body that keeps its shape, from the middle of its rest shape: the body's place in the list.
    Body(usize, Vec3),
    /// A point of a body that bends: the body's place in the list, and the part that holds the point.
    Part(usize, Part, Grip),
}

impl State {
    /// Finds both ends of every attachment for a sub-step; `None` if one is missing.
    pub(super) fn begin_attachments(&mut self, h: f32) {
        if self.bodies.attachments.is_empty() {
            self.shapes.ends.clear();
            return;
        }
        let attachments = self.bodies.attachments.par_iter().with_min_len(16);
        let joints = &self.bodies;
        let is_on = |attached: &Attached| {
            let joint = attached.joint.and_then(|id| joints.joint(id));
            joint.is_none_or(|joint| joint.is_on)
        };
        let ends = attachments
            .map(|attached| self.ends(&attached.attachment).filter(|_| is_on(attached)))
            .collect();
        self.shapes.ends = ends;
        for node in &self.shapes.islands.trees.nodes {
            self.shapes.flights[node.body as usize].in_tree = true;
        }
        self.shapes.tree_work.begin();
        self.place_levers();
        let is_first = self.part[0] == 0.0;
        for attached in &mut self.bodies.attachments {
            attached.earlier = if is_first {
                Vec3::ZERO
            } else {
                attached.earlier + attached.impulse
            };
            attached.impulse = Vec3::ZERO;
        }
        self.begin_joints(h);
    }

    /// Finds where in the sub-step impulses of attachments act on rigid bodies, by what they did in the one before.
    fn place_levers(&mut self) {
        let (flights, bodies) = (&mut self.shapes.flights, &self.bodies);
        for (ends, attached) in self.shapes.ends.iter().zip(&bodies.attachments) {
            let Some(ends) = *ends else { continue };
            for (end, impulse) in ends.into_iter().zip([attached.impulse, -attached.impulse]) {
                if let End::Body(place, rest) = end {
                    let motion = &mut flights[place];
                    let (arm, body) = (rest - motion.rest_center, &bodies.list[place]);
                    let pull = motion.from.rotation.conjugate() * impulse;
                    motion.stiffness += geometric_stiffness(arm, pull);
                    if is_beside(arm, &body.inertia, &body.inverse_inertia) {
                        motion.lever = 1.0;
                    }
                }
            }
        }
        for (motion, body) in flights.iter_mut().zip(&bodies.list) {
            let found = lever(&body.inverse_inertia, &motion.stiffness, motion.turn_chord());
            motion.lever = motion.lever.max(found);
        }
    }

    /// Moves the matched poses of rigid bodies, and parts of others, so that attachments hold.
    pub(super) fn solve_attachments(&mut self) {
        self.solve_trees(Moment::End, |_| false);
        let order = std::mem::take(&mut self.shapes.islands.loops.order);
        for sweep in 0..SWEEPS * u32::from(!order.is_empty()) {
            for step in 0..order.len() {
                let step = if sweep % 2 == 0 { step } else { order.len() - 1 - step };
                self.solve_attachment(order[step] as usize);
            }
        }
        self.shapes.islands.loops.order = order;
    }

    /// Moves the starts of rigid bodies back together where some of an island were moved out of overlaps. Closed at the end of the
    /// sub-step alone, the gap would become speed, again and again.
    pub(super) fn hold_starts(&mut self, are_moved: &[bool]) {
        if self.shapes.ends.is_empty() || !are_moved.contains(&true) {
            return;
        }
        for _ in 0..JOININGS {
            self.solve_trees(Moment::Start, |nodes| {
                !nodes.iter().any(|node| are_moved[node.body as usize])
            });
        }
        let loops = std::mem::take(&mut self.shapes.islands.loops);
        for [first, last] in loops.ranges() {
            let rows = &loops.order[first as usize..last as usize];
            let is_moved = |end: &End| matches!(*end, End::Body(place, _) if are_moved[place]);
            let ends = |row: &u32| self.shapes.ends[*row as usize];
            if !rows.iter().filter_map(ends).flatten().any(|end| is_moved(&end)) {
                continue;
            }
            for sweep in 0..SWEEPS {
                for step in 0..rows.len() {
                    let step = if sweep % 2 == 0 { step } else { rows.len() - 1 - step };
                    self.hold_start(rows[step] as usize);
                }
            }
        }
        self.shapes.islands.loops = loops;
    }

    /// Whether an attachment holds points of rigid bodies, colliders and the world at the start of a sub-step.
    pub(super) fn holds_start(&self, number: usize) -> bool {
        let attached = &self.bodies.attachments[number];
        let joint = attached.joint.and_then(|id| self.bodies.joint(id));
        let slides = joint.is_some_and(|joint| matches!(joint.kind, JointKind::Slider | JointKind::Distance));
        let ends = self.shapes.ends[number].into_iter().flatten();
        !slides && !{ ends }.any(|end| matches!(end, End::Part(..)))
    }

    fn hold_start(&mut self, number: usize) {
        let Some(ends) = self.shapes.ends[number].filter(|_| self.holds_start(number)) else {
            return;
        };
        let mut sides = ends.map(|end| self.start_side(end));
        let [first, second] = &mut sides;
        solve(first, second);
        for (end, side) in ends.into_iter().zip(&sides) {
            if let End::Body(place, _) = end
                && self.bodies.list[place].path.is_none()
            {
                let body = &self.bodies.list[place];
                self.shapes.flights[place].move_start(body, side.moved, side.angular_impulse);
            }
        }
    }

    /// A side at the start of the sub-step.
    fn start_side(&self, end: End) -> Side {
        let side = self.side(end);
        match end {
            End::Body(place, _) => {
                let from = self.shapes.flights[place].from;
                Side {
                    center: from.position,
                    rotation: from.rotation,
                    angular_impulse: Vec3::ZERO,
                    ..side
                }
            }
            End::Place([from, _]) => Side::fixed(from),
            End::Part(..) => side,
        }
    }

    /// Takes away attachments that held more than they can bear.
    pub(super) fn break_attachments(&mut self, h: f32) {
        let attachments = &mut self.bodies.attachments;
        let before = attachments.len();
        attachments.retain(|attached| attached.impulse.length() <= attached.attachment.breaking_force * h * h);
        if attachments.len() < before {
            self.bodies.drop_loose_joints();
            self.shapes.islands = Islands::of(&self.bodies);
        }
    }

    fn ends(&self, attachment: &Attachment) -> Option<[End; 2]> {
        let other = match attachment.anchor {
            Anchor::World(point) => End::Place([point; 2]),
            Anchor::Body(body, point) => self.end(body, point)?,
            Anchor::Collider(id, point) => {
                let frame = self.frame.collider(id)?;
                End::Place(self.part.map(|part| frame.from.lerp(&frame.to, part).point(point)))
            }
        };
        Some([self.end(attachment.body, attachment.point)?, other])
    }

    /// A point of a body, given in its user's frame. A body that is not rigid is held by the part of it that is nearest.
    fn end(&self, id: BodyId, point: Vec3) -> Option<End> {
        let place = self.bodies.place(id)?;
        let body = &self.bodies.list[place];
        let rest = point - body.origin;
        if keeps_its_shape(body) {
            return Some(End::Body(place, rest));
        }
        let part = self.bodies.part_at(place, rest);
        let held = self.bodies.members_of(part).filter_map(|member| {
            let position = self.particles.positions.get(self.shapes.slots[member] as usize)?;
            let rest = self.bodies.rest[member];
            Some(Held {
                mass: rest.w,
                rest: rest.xyz(),
                is_free: position.w != 0.0,
            })
        });
        Some(End::Part(place, part, Grip::new(held, rest)?))
    }

    /// Where a part has the point that it holds, of places by slot; the body's rotation turns what the part misses of it.
    pub(super) fn held_at(&self, place: usize, part: Part, grip: &Grip, places: &[Vec4]) -> Vec3 {
        // Relative to something near, because sums are exact only near zero.
        let near = self.shapes.flights[place].from.position;
        let held = self.bodies.members_of(part).filter_map(|member| {
            let position = places.get(self.shapes.slots[member] as usize)?;
            let rest = self.bodies.rest[member];
            Some(rest.w * grip.response(rest.xyz()) * (position.xyz() - near))
        });
        near + held.sum::<Vec3>()
    }

    fn solve_attachment(&mut self, number: usize) {
        let Some(ends) = self.shapes.ends[number] else { return };
        let joint = self.driven_joint(number);
        let slides = joint.map(|place| self.slides(place)).unwrap_or_default();
        if slides != Slides::All {
            let mut sides = ends.map(|end| self.side(end));
            let [first, second] = &mut sides;
            self.bodies.attachments[number].impulse += match slides {
                Slides::Along(direction) => slide(first, second, direction),
                _ => solve(first, second),
            };
            for (end, side) in ends.into_iter().zip(&sides) {
                self.place(end, side);
            }
        }
        if let Some(place) = joint {
            self.act_on(place, number, ends);
        }
    }

    pub(super) fn side(&self, end: End) -> Side {
        match end {
            End::Place([_, to]) => Side::fixed(to),
            End::Body(place, rest) => {
                let (body, motion) = (&self.bodies.list[place], &self.shapes.flights[place]);
                let mut side = Side {
                    center: motion.to.position,
                    from: motion.from.rotation,
                    lever: motion.lever,
                    rotation: motion.to.rotation,
                    angular_impulse: motion.angular_impulse,
                    arm: rest - motion.rest_center,
                    ..Side::fixed(Vec3::ZERO)
                };
                if body.path.is_none() {
                    side.inverse_mass = 1.0 / body.mass;
                    side.inverse_inertia = body.inverse_inertia;
                }
                side
            }
            End::Part(place, part, grip) => Side {
                rotation: self.shapes.flights[place].to.rotation,
                arm: grip.arm,
                inverse_mass: grip.inverse_mass,
                ..Side::fixed(self.held_at(place, part, &grip, &self.predicted))
            },
        }
    }

    pub(super) fn place(&mut self, end: End, side: &Side) {
        match end {
            End::Body(place, _) if self.bodies.list[place].path.is_none() => {
                let motion = &mut self.shapes.flights[place];
                let body = &self.bodies.list[place];
                let turned = side.angular_impulse - motion.angular_impulse;
                motion.move_end(body, side.moved, turned);
            }
            End::Part(_, part, grip) if grip.inverse_mass > 0.0 => {
                let impulse = side.moved / grip.inverse_mass;
                for member in self.bodies.members_of(part) {
                    let Some(predicted) = self.predicted.get_mut(self.shapes.slots[member] as usize) else {
                        continue;
                    };
                    if predicted.w != 0.0 {
                        let response = grip.response(self.bodies.rest[member].xyz());
                        *predicted += (response * impulse).extend(0.0);
                    }
                }
            }
            End::Part(..) | End::Place(_) | End::Body(..) => {}
        }
    }
}

fn keeps_its_shape(body: &Body) -> bool {
    body.is_rigid() || body.path.is_some()
}
