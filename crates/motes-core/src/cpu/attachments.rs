//! Attachments of bodies, one after the other: each sees what those before it did.

use glam::{Mat3, Vec3, Vec4Swizzles};

use super::State;
use super::shapes::NONE;
use crate::attachment::{Anchor, Attachment};
use crate::body::BodyId;
use crate::constraints::attachment::{Side, solve};

/// Times that all attachments are gone through in each iteration, so that a chain holds a heavy ball.
const SWEEPS: usize = 6;

/// What moves when one side of an attachment does.
#[derive(Clone, Copy, PartialEq)]
enum Holder {
    Nothing,
    /// A rigid body, by its place in the list.
    Body(usize),
    /// A particle of a body that is not rigid, by its slot.
    Particle(usize),
}

impl State {
    /// Moves the matched poses of rigid bodies, and particles of others, so that attachments hold.
    pub(super) fn solve_attachments(&mut self) {
        for sweep in 0..SWEEPS * usize::from(!self.bodies.attachments.is_empty()) {
            for step in 0..self.bodies.attachments.len() {
                // There and back again, so that news travels along a chain both ways.
                let number = match sweep % 2 {
                    0 => step,
                    _ => self.bodies.attachments.len() - 1 - step,
                };
                self.solve_attachment(number, false);
            }
        }
    }

    /// Brings particles of bodies that are not rigid back to what holds them, once their shapes have pulled at them.
    pub(super) fn hold_particles(&mut self) {
        for number in 0..self.bodies.attachments.len() {
            self.solve_attachment(number, true);
        }
    }

    /// Takes away attachments that held more than they can bear.
    pub(super) fn break_attachments(&mut self, h: f32) {
        self.bodies
            .attachments
            .retain(|attached| attached.impulse.length() <= attached.attachment.breaking_force * h * h);
    }

    fn solve_attachment(&mut self, number: usize, only_particles: bool) {
        let attachment = self.bodies.attachments[number].attachment;
        let sides = (
            self.side(attachment.body, attachment.point),
            self.other_side(&attachment),
        );
        let (Some((mut first, holder)), Some((mut second, other))) = sides else {
            return;
        };
        if only_particles {
            for (side, holder) in [(&mut first, holder), (&mut second, other)] {
                if !matches!(holder, Holder::Particle(_)) {
                    (side.inverse_mass, side.inverse_inertia) = (0.0, Mat3::ZERO);
                }
            }
        }
        self.bodies.attachments[number].impulse += solve(&mut first, &mut second);
        self.place(holder, &first);
        self.place(other, &second);
    }

    fn other_side(&self, attachment: &Attachment) -> Option<(Side, Holder)> {
        match attachment.anchor {
            Anchor::World(point) => Some((Side::fixed(point), Holder::Nothing)),
            Anchor::Body(body, point) => self.side(body, point),
            Anchor::Collider(id, point) => {
                let frame = self.frame.colliders.iter().find(|frame| frame.id == id)?;
                let pose = frame.from.lerp(&frame.to, self.part[1]);
                Some((Side::fixed(pose.point(point)), Holder::Nothing))
            }
        }
    }

    /// A point of a body, given in its user's frame. A body that is not rigid is held by the particle nearest to it.
    fn side(&self, id: BodyId, point: Vec3) -> Option<(Side, Holder)> {
        let place = self.bodies.place(id)?;
        let (body, motion) = (&self.bodies.list[place], &self.shapes.motions[place]);
        let rest = point - body.origin;
        if body.is_rigid() || body.path.is_some() {
            let pose = Side {
                center: motion.to.position,
                rotation: motion.to.rotation,
                arm: rest - motion.rest_center,
                ..Side::fixed(Vec3::ZERO)
            };
            if body.path.is_some() {
                return Some((pose, Holder::Nothing));
            }
            let side = Side {
                inverse_mass: 1.0 / body.mass,
                inverse_inertia: body.inverse_inertia,
                ..pose
            };
            return Some((side, Holder::Body(place)));
        }
        let alive = body.members().filter(|&member| self.shapes.slots[member] != NONE);
        let distance = |member: usize| self.bodies.rest[member].xyz().distance_squared(rest);
        let nearest = alive.min_by(|&a, &b| distance(a).total_cmp(&distance(b)))?;
        let slot = self.shapes.slots[nearest] as usize;
        let side = Side {
            inverse_mass: self.predicted[slot].w,
            ..Side::fixed(self.predicted[slot].xyz())
        };
        Some((side, Holder::Particle(slot)))
    }

    fn place(&mut self, holder: Holder, side: &Side) {
        match holder {
            Holder::Nothing => {}
            Holder::Body(place) => {
                let to = &mut self.shapes.motions[place].to;
                (to.position, to.rotation) = (side.center, side.rotation);
            }
            Holder::Particle(slot) => {
                self.predicted[slot] = side.center.extend(self.predicted[slot].w);
            }
        }
    }
}
