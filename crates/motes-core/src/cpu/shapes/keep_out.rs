//! Colliders have the last word about bodies, as they have about grains.
//!
//! All contacts of a rigid body are solved at once, in shares; what presses on it may win for as long as iterations are few, and
//! sub-step by sub-step it sinks into a wall. So after all of them, the deepest contact of each body that is too deep is solved alone,
//! against the whole of the body; then the next. Whatever presses is left for the next sub-step to deal with. Particles of bodies that bend,
//! which their shape has pressed into a wall after their contacts were solved, leave it by themselves.

use glam::{Vec3, Vec4Swizzles};
use rayon::prelude::*;

use super::{Flight, NONE};
use crate::constraints::keep_out::{DEEP, ROUNDS, inverse_mass_at};
use crate::constraints::rigid::turned;
use crate::cpu::collide::ColliderContact;
use crate::cpu::{CHUNK, State};

/// Which end of the sub-step.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Moment {
    Start,
    End,
}

impl State {
    /// Moves what has ended deep in a collider out of it.
    pub(in crate::cpu) fn keep_ends_out(&mut self) {
        if self.bodies.is_empty() {
            return;
        }
        if !self.keep_out(Moment::End).is_empty() {
            self.move_members(|motion| motion.is_rigid);
        }
        if self.shapes.flights.iter().any(|motion| !motion.is_rigid) {
            self.keep_particles_out();
        }
    }

    fn keep_particles_out(&mut self) {
        let (shapes, starts) = (&self.shapes, &self.particles.positions);
        (
            self.predicted.par_chunks_mut(CHUNK),
            self.touched.par_chunks_mut(CHUNK),
            &mut self.contacts,
        )
            .into_par_iter()
            .enumerate()
            .for_each(|(chunk, (predicted, touched, contacts))| {
                for contact in &mut contacts.contacts {
                    let offset = contact.offset as usize;
                    let slot = chunk * CHUNK + offset;
                    if shapes.body_in(slot).is_none_or(|body| shapes.flights[body].is_rigid) {
                        continue;
                    }
                    let place = predicted[offset].xyz();
                    let opened = (place - starts[slot].xyz() - contact.travel).dot(contact.normal);
                    let depth = -opened.max(contact.gap_at_end(place) + DEEP * contact.radius);
                    if depth > 0.0 {
                        predicted[offset] += (depth * contact.normal).extend(0.0);
                        contact.normal_sum += depth;
                        touched[offset] = true;
                    }
                }
            });
    }
}

/// A contact of a body that was solved alone: its chunk, its place there, and what that took, metres.
type Done = (usize, usize, f32);

impl State {
    /// Moves rigid bodies out of colliders that they are deep in; says which.
    pub(super) fn keep_out(&mut self, moment: Moment) -> Vec<usize> {
        let state: &Self = self;
        let mut deep: Vec<usize> = { state.contacts.par_iter().enumerate() }
            .flat_map_iter(|(chunk, contacts)| {
                contacts.contacts.iter().filter_map(move |contact| {
                    let slot = chunk * CHUNK + contact.offset as usize;
                    let body = state.shapes.body_in(slot)?;
                    let motion = &state.shapes.flights[body];
                    let is_free = motion.is_rigid && !motion.is_driven;
                    (is_free && state.depth(contact, slot, motion, moment) > 0.0).then_some(body)
                })
            })
            .collect();
        deep.sort_unstable();
        deep.dedup();
        if moment == Moment::End {
            deep.retain(|&place| !self.bodies.is_attached(place));
        }
        let solved: Vec<(Flight, Vec<Done>)> = { deep.par_iter() }
            .map(|&place| self.solve_deepest(place, moment))
            .collect();
        for (&place, (motion, done)) in deep.iter().zip(solved) {
            self.shapes.flights[place] = motion;
            for (chunk, number, along) in done {
                let contact = &mut self.contacts[chunk].contacts[number];
                contact.normal_sum += along;
                self.touched[chunk * CHUNK + contact.offset as usize] = true;
            }
        }
        deep
    }

    /// How much too deep the particle in a slot is in a collider, by where its body has it, metres.
    fn depth(&self, contact: &ColliderContact, slot: usize, motion: &Flight, moment: Moment) -> f32 {
        let allowed = DEEP * contact.radius;
        let rest = self.shapes.held[slot].rest - motion.rest_center;
        match moment {
            Moment::Start => -contact.gap_at_start(motion.from.point(rest)) - allowed,
            Moment::End => {
                let swung = motion.swing.cross(self.arm(contact, slot));
                let place = motion.to.point(rest) + swung;
                let opened = (place - self.particles.positions[slot].xyz() - contact.travel).dot(contact.normal);
                -opened.max(contact.gap_at_end(place) + allowed)
            }
        }
    }

    fn arm(&self, contact: &ColliderContact, slot: usize) -> Vec3 {
        let inscribed = self.shapes.inscribed_in(slot);
        inscribed.map_or(Vec3::ZERO, |(ball, _)| contact.arm(ball))
    }

    fn solve_deepest(&self, place: usize, moment: Moment) -> (Flight, Vec<Done>) {
        let (body, shapes) = (&self.bodies.list[place], &self.shapes);
        let mut motion = shapes.flights[place];
        let mut done = Vec::new();
        let slots = shapes.slots[body.members()].iter().filter(|&&slot| slot != NONE);
        let contacts: Vec<(usize, usize)> = slots
            .flat_map(|&slot| {
                let (chunk, offset) = (slot as usize / CHUNK, slot % CHUNK as u32);
                let all = &self.contacts[chunk].contacts;
                let first = all.partition_point(|contact| contact.offset < offset);
                let own = all[first..].iter().take_while(move |contact| contact.offset == offset);
                own.enumerate().map(move |(number, _)| (chunk, first + number))
            })
            .collect();
        for _ in 0..ROUNDS {
            let depth = |&(chunk, number): &(usize, usize)| {
                let contact = &self.contacts[chunk].contacts[number];
                self.depth(contact, chunk * CHUNK + contact.offset as usize, &motion, moment)
            };
            let deepest = contacts.iter().map(|at| (depth(at), *at));
            let Some((depth, (chunk, number))) = deepest.reduce(|a, b| if b.0 > a.0 { b } else { a }) else {
                break;
            };
            if depth <= 0.0 {
                break;
            }
            let contact = &self.contacts[chunk].contacts[number];
            let slot = chunk * CHUNK + contact.offset as usize;
            let rotation = match moment {
                Moment::Start => motion.from.rotation,
                Moment::End => motion.to.rotation,
            };
            let arm = rotation * (shapes.held[slot].rest - motion.rest_center) + self.arm(contact, slot);
            let inverse_inertia = turned(&body.inverse_inertia, rotation);
            let push = depth / inverse_mass_at(body.mass, &inverse_inertia, arm, contact.normal) * contact.normal;
            let (distance, angular_impulse) = (push / body.mass, arm.cross(push));
            match moment {
                Moment::Start => motion.move_start(body, distance, angular_impulse),
                Moment::End => {
                    motion.move_end(body, distance, angular_impulse);
                    done.push((chunk, number, push.dot(contact.normal) * contact.inverse_mass));
                }
            }
        }
        (motion, done)
    }
}
