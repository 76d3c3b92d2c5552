//! Warm starting of contacts with colliders.
//!
//! A particle keeps one vector: what colliders did to it in the last sub-step. Which plane of which collider did how much is
//! found anew, since planes come and go as a particle moves along a mesh, and on the particle itself only the sum acts.

use glam::{Vec3, Vec4};
use rayon::prelude::*;

use super::collide::ColliderContact;
use super::{CHUNK, State};
use crate::constraints::contact::{SLOP, hold};
use crate::constraints::rolling::TURNING;
use crate::particles::phase::Phase;
use crate::settings::FrictionModel;

impl State {
    /// Starts contacts with colliders from where those of the last sub-step ended.
    pub(super) fn recall_collider_contacts(&mut self) {
        let memory = self.terms().memory;
        let rubs = self.frame.settings.friction == FrictionModel::Position;
        let (frame, particles, anchors, remembered) = (&self.frame, &self.particles, &self.anchors, &self.memory);
        let (shapes, creatures) = (&self.shapes, &self.creature_work);
        let turned = Self::turned_chunks(&mut self.turned, particles.len());
        let friction = |slot: usize, contact: &ColliderContact| {
            let other = frame.colliders[contact.collider as usize].collider.material;
            let surface = frame.materials.surface(particles.materials[slot], other);
            [surface.static_friction, surface.kinetic_friction].map(|friction| if rubs { friction } else { 0.0 })
        };
        (
            self.predicted.par_chunks_mut(CHUNK),
            self.touched.par_chunks_mut(CHUNK),
            &mut self.contacts,
            turned,
        )
            .into_par_iter()
            .enumerate()
            .for_each(|(chunk, (predicted, touched, contacts, turned))| {
                contacts.begin_twists();
                for run in contacts.contacts.chunk_by_mut(|a, b| a.offset == b.offset) {
                    let offset = run[0].offset as usize;
                    let slot = chunk * CHUNK + offset;
                    if particles.phases[slot].has(Phase::FLUID) {
                        bear(run, particles.positions[slot].truncate(), &mut predicted[offset]);
                        continue;
                    }
                    let carried = remembered.support(slot) * (memory * run[0].inverse_mass);
                    if carried == Vec3::ZERO {
                        continue;
                    }
                    let start = anchors[slot].truncate();
                    let moved = share_out(carried, run, start, |contact| friction(slot, contact));
                    predicted[offset] += moved.extend(0.0);
                    touched[offset] |= moved != Vec3::ZERO;
                    if let Some(turned) = turned.get_mut(offset).filter(|turned| turned.w > 0.0) {
                        for contact in run.iter() {
                            if let Some(lever) = creatures.lever(slot, contact.normal, Some(&*turned)) {
                                let push = contact.normal_sum * contact.normal + contact.friction_sum;
                                *turned += lever.turned_by(push).extend(0.0);
                                continue;
                            }
                            let twist = contact.friction_sum.cross(contact.normal);
                            *turned += TURNING * twist.extend(0.0);
                        }
                    }
                    if let Some(twist) = contacts.twists.get_mut(offset) {
                        let ball = shapes.inscribed[slot];
                        for contact in run {
                            let push = contact.normal_sum * contact.normal + contact.friction_sum;
                            *twist += contact.arm(ball).cross(push) / contact.inverse_mass;
                        }
                    }
                }
            });
    }

    /// Notes what colliders did to each particle in the sub-step.
    pub(super) fn keep_supports(&mut self) {
        let supports = self.memory.supports_mut(self.particles.len());
        supports
            .par_chunks_mut(CHUNK)
            .zip(&self.contacts)
            .for_each(|(supports, contacts)| {
                supports.fill(Vec3::ZERO);
                for contact in &contacts.contacts {
                    let moved = contact.normal_sum * contact.normal + contact.friction_sum;
                    supports[contact.offset as usize] += moved / contact.inverse_mass;
                }
            });
    }
}

/// Puts a particle of a liquid back out of colliders before its density is looked at. Pressures are not remembered, so what held against
/// them is not either.
fn bear(contacts: &mut [ColliderContact], start: Vec3, predicted: &mut Vec4) {
    for contact in contacts {
        let place = predicted.truncate();
        let opened = (place - start - contact.travel).dot(contact.normal);
        let along = (-contact.gap_at_end(place).max(opened)).max(0.0);
        *predicted += contact.hold_with(along, Vec3::ZERO).extend(0.0);
    }
}

/// Shares a displacement out among the contacts of one particle that touch: first along their normals, then across them, as
/// far as friction holds. Returns what was given out.
fn share_out(
    displacement: Vec3,
    contacts: &mut [ColliderContact],
    start: Vec3,
    friction: impl Fn(&ColliderContact) -> [f32; 2],
) -> Vec3 {
    let mut left = displacement;
    for contact in contacts.iter_mut() {
        let touches = contact.gap_at_start(start) <= SLOP * 2.0 * contact.radius;
        let along = left.dot(contact.normal);
        if touches && along > 0.0 {
            left -= contact.hold_with(along, Vec3::ZERO);
        }
    }
    for contact in contacts.iter_mut().filter(|contact| contact.normal_sum > 0.0) {
        let [static_friction, kinetic_friction] = friction(contact);
        let across = left - left.dot(contact.normal) * contact.normal;
        let held = hold(
            across,
            contact.normal_sum + contact.pull,
            static_friction,
            kinetic_friction,
        );
        left -= contact.hold_with(contact.normal_sum, held);
    }
    displacement - left
}
