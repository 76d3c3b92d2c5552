//! Contact reports, forces on colliders, trigger overlaps.

use glam::{DVec3, Vec3, Vec4Swizzles};
use rayon::prelude::*;

use super::pairs::Block;
use super::{CHUNK, State};
use crate::colliders::collider::ColliderId;
use crate::engine::query::{Answer, Query};
use crate::engine::report::{ColliderForce, Contact, Touched, TriggerOverlap};
use crate::engine::{Blowup, Frame};
use crate::particles::ParticleId;
use crate::particles::sizes::Sizes;
use crate::store::ConstraintKind;
use crate::tear::most_strained;

/// What is gathered over the sub-steps of a frame.
#[derive(Default)]
pub(crate) struct FrameReport {
    colliders: Vec<ColliderSum>,
    pub(super) overlaps: Vec<TriggerOverlap>,
    pub(super) blowup: Option<Blowup>,
}

#[derive(Clone, Copy)]
struct ColliderSum {
    id: ColliderId,
    impulse: DVec3,
    angular_impulse: DVec3,
    contacts: u32,
}

impl FrameReport {
    pub(super) fn begin(&mut self, frame: &Frame) {
        self.blowup = None;
        self.overlaps.clear();
        self.colliders.clear();
        self.colliders
            .extend(frame.colliders.iter().map(|collider| ColliderSum {
                id: collider.id,
                impulse: DVec3::ZERO,
                angular_impulse: DVec3::ZERO,
                contacts: 0,
            }));
    }

    pub(super) fn add_blowups(&mut self, chunks: Vec<Option<Blowup>>) {
        for found in chunks.into_iter().flatten() {
            let blowup = self.blowup.get_or_insert(Blowup { count: 0, ..found });
            blowup.count += found.count;
        }
    }

    pub(super) fn forces(&self, dt: f32) -> Vec<ColliderForce> {
        let per_second = 1.0 / f64::from(dt).max(f64::MIN_POSITIVE);
        self.colliders
            .iter()
            .map(|sum| ColliderForce {
                collider: sum.id,
                force: (sum.impulse * per_second).as_vec3(),
                torque: (sum.angular_impulse * per_second).as_vec3(),
                contacts: sum.contacts,
            })
            .collect()
    }
}

impl State {
    /// Adds what each collider received in this sub-step: the reverse of what it did to the particles.
    pub(super) fn add_collider_impulses(&mut self, h: f32) {
        for sum in &mut self.report.colliders {
            sum.contacts = 0;
        }
        let origins: Vec<DVec3> = self
            .frame
            .colliders
            .iter()
            .map(|frame| frame.to.position.as_dvec3())
            .collect();
        for contacts in &self.contacts {
            for contact in &contacts.contacts {
                if contact.normal_sum == 0.0 {
                    continue;
                }
                let moved = contact.normal_sum * contact.normal + contact.friction_sum;
                let impulse = (moved / (-h * contact.inverse_mass)).as_dvec3();
                let sum = &mut self.report.colliders[contact.collider as usize];
                let arm = contact.point.as_dvec3() - origins[contact.collider as usize];
                sum.impulse += impulse;
                sum.angular_impulse += arm.cross(impulse);
                sum.contacts += 1;
            }
        }
    }

    /// The answer to a query.
    pub(super) fn answer(&self, query: &Query) -> Option<Answer> {
        Some(match query {
            Query::Motions(ids) => {
                let motions = ids.iter().map(|&id| self.bodies.motion(id, &self.particles));
                Answer::Motions(motions.collect())
            }
            Query::ColliderContacts => Answer::Contacts(self.collider_contact_reports()),
            Query::ParticleContacts => Answer::Contacts(self.particle_contact_reports()),
            Query::ColliderForces => Answer::ColliderForces(self.report.forces(self.frame.dt)),
            Query::Strained => {
                let particles = &self.particles;
                let end = |id| particles.slot(id).map(|slot| particles.positions[slot]);
                let batch = self.constraints.batch(ConstraintKind::Distance);
                let h = self.frame.dt / self.frame.settings.substeps as f32;
                Answer::Strained(most_strained(batch, h, end))
            }
            Query::TriggerOverlaps => Answer::TriggerOverlaps(self.report.overlaps.clone()),
            _ => return self.particles.answer(query),
        })
    }

    /// Ids of the particles as they were in the last sub-step; none if they have changed since.
    pub(super) fn contact_ids(&self) -> &[ParticleId] {
        self.memory.ids()
    }

    pub(super) fn collider_contact_reports(&self) -> Vec<Contact> {
        let h = self.frame.dt / self.frame.settings.substeps as f32;
        let ids = self.contact_ids();
        let mut reports = Vec::new();
        for (chunk, contacts) in self.contacts.iter().enumerate() {
            for contact in contacts.contacts.iter().filter(|contact| contact.normal_sum != 0.0) {
                let Some(&particle) = ids.get(chunk * CHUNK + contact.offset as usize) else {
                    continue;
                };
                let newtons = 1.0 / (h * h * contact.inverse_mass);
                reports.push(Contact {
                    particle,
                    other: Touched::Collider(self.frame.colliders[contact.collider as usize].id),
                    point: contact.point,
                    normal: contact.normal,
                    normal_force: newtons * contact.normal_sum,
                    friction_force: newtons * contact.friction_sum,
                });
            }
        }
        reports
    }

    pub(super) fn particle_contact_reports(&self) -> Vec<Contact> {
        let h = self.frame.dt / self.frame.settings.substeps as f32;
        let (ids, positions) = (self.contact_ids(), &self.predicted);
        let mut reports = Vec::new();
        for ((i, j), impulse) in self.pairs.blocks.iter().flat_map(Block::iter) {
            let (Some(&first), Some(&second)) = (ids.get(i), ids.get(j)) else {
                break;
            };
            let force = impulse.xyz() / (h * h);
            if force == Vec3::ZERO {
                continue;
            }
            let places = [i, j].map(|slot| positions[slot].xyz());
            let radii = [i, j].map(|slot| self.radius(slot));
            reports.extend(Contact::between([first, second], places, radii, force));
        }
        reports
    }

    pub(super) fn find_trigger_overlaps(&mut self) {
        let (one, radii) = (self.frame.settings.particle_radius, &self.radii);
        let largest = self.frame.sizes.as_ref().map_or(one, Sizes::largest);
        let particles = &self.particles;
        for frame in self.frame.colliders.iter().filter(|frame| frame.collider.trigger) {
            let shape = &frame.collider.shape;
            let bounds = shape.bounds().transformed(&frame.to).expanded(largest);
            let inside = |slot: &usize| {
                let position = particles.positions[*slot].xyz();
                particles.phases[*slot].channels() & frame.collider.channels != 0
                    && bounds.contains(position)
                    && shape.contains(frame.to.local_point(position), radii.get(*slot).copied().unwrap_or(one))
            };
            self.report.overlaps.par_extend(
                (0..particles.len())
                    .into_par_iter()
                    .with_min_len(CHUNK)
                    .filter(inside)
                    .map(|slot| TriggerOverlap {
                        collider: frame.id,
                        particle: particles.ids()[slot],
                    }),
            );
        }
        self.report.overlaps.sort_unstable();
    }
}
