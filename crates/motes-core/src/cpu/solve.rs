//! Lines 10–22: contacts are worked out for all pairs at once, then each particle gathers what concerns it.

use std::ops::Range;

use glam::{Vec3, Vec4, Vec4Swizzles};
use rayon::prelude::*;

use super::batch::{Batch, Rule, Source};
use super::collide::ColliderContact;
use super::pairs::{Foreign, Owned};
use super::vector::{self, Kernel};
use super::{CHUNK, State};
use crate::constraints::contact::{Terms, hold, stack_shares};
use crate::settings::FrictionModel;

/// What passes between particles, by pair: the first of a pair receives it, the second its reverse.
#[derive(Clone, Copy)]
pub(super) struct Messages<'a> {
    pub(super) impulses: &'a [Vec4],
    /// With mass scaling, how far an impulse moves each of the two.
    shares: &'a [[f32; 2]],
}

impl Messages<'_> {
    /// Sum of what concerns one particle.
    #[inline(always)]
    fn gather(&self, own: Range<usize>, foreign: &[u32]) -> Vec4 {
        let mut sum = Vec4::ZERO;
        if self.shares.is_empty() {
            for &impulse in &self.impulses[own] {
                sum += impulse;
            }
            for &pair in foreign {
                sum -= self.impulses[pair as usize];
            }
        } else {
            for pair in own {
                sum += self.impulses[pair] * self.shares[pair][0];
            }
            for &pair in foreign {
                sum -= self.impulses[pair as usize] * self.shares[pair as usize][1];
            }
        }
        sum
    }
}

/// Moves the particles of a chunk by what their contacts have done since they were moved last.
struct GatherChunk<'a> {
    messages: Messages<'a>,
    owned: &'a Owned,
    foreign: &'a Foreign,
    /// Number of the chunk's first pair.
    first: usize,
    predicted: &'a mut [Vec4],
    pushed: &'a mut [Vec4],
    touched: &'a mut [bool],
}

impl Kernel for GatherChunk<'_> {
    #[inline(always)]
    fn run(self) {
        let particles = self.predicted.iter_mut().zip(self.pushed).zip(self.touched);
        for (place, ((predicted, pushed), touched)) in particles.enumerate() {
            let own = numbers(self.owned, self.first, place);
            let sum = self.messages.gather(own, self.foreign.pairs(place));
            *predicted += ((sum - *pushed) * predicted.w).with_w(0.0);
            *pushed = sum;
            *touched |= sum.xyz() != Vec3::ZERO;
        }
    }
}

impl State {
    fn source<'a>(&'a self, positions: &'a [Vec4], h: f32) -> Source<'a> {
        Source {
            positions,
            anchors: &self.anchors,
            materials: &self.particles.materials,
            table: &self.frame.materials,
            grip: self.frame.settings.grip(1.0, h),
        }
    }

    /// Works out one rule for every pair; `prepare` fills in the impulses of a chunk beforehand.
    fn for_each_pair(
        &self,
        source: &Source,
        impulses: &mut [Vec4],
        previous: &mut [Vec4],
        rule: Rule,
        h: f32,
        prepare: impl Fn(&Owned, &mut [Vec4]) + Sync,
    ) {
        let terms = Terms::new(&self.frame.settings, h);
        (
            self.pairs.owned(),
            self.pairs.split(impulses),
            self.pairs.split(previous),
        )
            .into_par_iter()
            .for_each_init(
                || Batch::new(source),
                |batch, (owned, impulses, previous)| {
                    prepare(owned, impulses);
                    batch.run(owned, source, impulses, previous, rule, &terms);
                },
            );
    }

    /// Takes over the impulses of contacts that existed in the last sub-step, and starts from where they lead.
    pub(super) fn recall_contacts(&mut self, h: f32) {
        let mut impulses = std::mem::take(&mut self.impulses);
        resize(&mut impulses, self.pairs.len());
        let source = self.source(&self.predicted, h);
        if self.frame.settings.contact_memory > 0.0 {
            self.for_each_pair(&source, &mut impulses, &mut [], Rule::Recall, h, |owned, impulses| {
                self.memory.recall(owned, impulses);
            });
        } else {
            impulses.fill(Vec4::ZERO);
        }
        self.impulses = impulses;
        self.scale_masses();
        self.pushed.clear();
        self.pushed.resize(self.particles.len(), Vec4::ZERO);
        self.gather_contacts();
    }

    /// Mass scaling (eq. 21), by the heights at the start of the sub-step.
    fn scale_masses(&mut self) {
        let settings = &self.frame.settings;
        self.shares.clear();
        if settings.mass_scaling == 0.0 {
            return;
        }
        let stack = settings.mass_scaling / settings.contact_distance() * settings.up();
        let positions = &self.particles.positions;
        let pairs = self.pairs.owned().iter().flat_map(Owned::iter);
        self.shares.extend(pairs.map(|(i, j)| {
            let (a, b) = (positions[i], positions[j]);
            stack_shares([a.w, b.w], stack.dot((b - a).xyz()))
        }));
    }

    /// Moves each particle by what its contacts have done since it was moved last.
    fn gather_contacts(&mut self) {
        let messages = Messages {
            impulses: &self.impulses,
            shares: &self.shares,
        };
        let pairs = &self.pairs;
        (
            self.predicted.par_chunks_mut(CHUNK),
            self.pushed.par_chunks_mut(CHUNK),
            self.touched.par_chunks_mut(CHUNK),
            pairs.owned(),
            pairs.foreign(),
        )
            .into_par_iter()
            .enumerate()
            .for_each(|(chunk, (predicted, pushed, touched, owned, foreign))| {
                vector::run(GatherChunk {
                    messages,
                    owned,
                    foreign,
                    first: pairs.offset(chunk),
                    predicted,
                    pushed,
                    touched,
                });
            });
    }

    /// Lines 12–14: moves starting and candidate positions alike out of the overlaps at the start.
    pub(super) fn stabilize(&mut self) {
        let mut impulses = std::mem::take(&mut self.memory.impulses);
        resize(&mut impulses, self.pairs.len());
        let source = self.source(&self.particles.positions, 0.0);
        self.for_each_pair(&source, &mut impulses, &mut [], Rule::PushApart, 0.0, |_, _| {});
        let messages = Messages {
            impulses: &impulses,
            shares: &self.shares,
        };
        let (pairs, radius) = (&self.pairs, self.frame.settings.particle_radius);
        (
            self.particles.positions.par_chunks_mut(CHUNK),
            self.predicted.par_chunks_mut(CHUNK),
            self.anchors.par_chunks_mut(CHUNK),
            &self.contacts,
            pairs.owned(),
            pairs.foreign(),
        )
            .into_par_iter()
            .enumerate()
            .for_each(|(chunk, (starts, predicted, anchors, contacts, owned, foreign))| {
                let first = pairs.offset(chunk);
                for (place, start) in starts.iter_mut().enumerate() {
                    let sum = messages.gather(numbers(owned, first, place), foreign.pairs(place));
                    *start += (sum * start.w).with_w(0.0);
                }
                for contact in &contacts.contacts {
                    let start = &mut starts[contact.offset as usize];
                    let surface = contact.point - contact.travel;
                    let gap = (start.xyz() - surface).dot(contact.normal) - radius;
                    if gap < 0.0 {
                        *start -= (gap * contact.normal).extend(0.0);
                    }
                }
                for ((start, predicted), anchor) in starts.iter().zip(predicted).zip(anchors) {
                    *predicted += (*start - *anchor).with_w(0.0);
                    *anchor = start.with_w(anchor.w);
                }
            });
        self.memory.impulses = impulses;
    }

    /// Lines 18–20 for contacts between particles.
    pub(super) fn solve_particle_contacts(&mut self, h: f32, momentum: f32) {
        let mut impulses = std::mem::take(&mut self.impulses);
        let mut previous = std::mem::take(&mut self.memory.impulses);
        resize(&mut previous, self.pairs.len());
        let source = self.source(&self.predicted, h);
        self.for_each_pair(
            &source,
            &mut impulses,
            &mut previous,
            Rule::Solve { momentum },
            h,
            |_, _| {},
        );
        self.memory.impulses = previous;
        self.impulses = impulses;
        self.gather_contacts();
    }

    /// Lines 18–20 for contacts with colliders. Each concerns one particle only, so they are solved one after the
    /// other, without averaging.
    pub(super) fn solve_collider_contacts(&mut self) {
        let radius = self.frame.settings.particle_radius;
        let position_friction = self.frame.settings.friction == FrictionModel::Position;
        let (frame, particles) = (&self.frame, &self.particles);
        self.predicted
            .par_chunks_mut(CHUNK)
            .zip(self.touched.par_chunks_mut(CHUNK))
            .zip(&mut self.contacts)
            .enumerate()
            .for_each(|(chunk, ((predicted, touched), contacts))| {
                for contact in &mut contacts.contacts {
                    let offset = contact.offset as usize;
                    let i = chunk * CHUNK + offset;
                    let gap = (predicted[offset].xyz() - contact.point).dot(contact.normal) - radius;
                    if gap >= contact.pull && contact.normal_sum == 0.0 {
                        continue;
                    }
                    let along = (contact.normal_sum - gap).max(-contact.pull);
                    let mut across = Vec3::ZERO;
                    if position_friction {
                        let collider = &frame.colliders[contact.collider as usize].collider;
                        let surface = frame.materials.surface(particles.materials[i], collider.material);
                        let slip = (predicted[offset] - particles.positions[i]).xyz() - contact.travel;
                        let slip = slip - slip.dot(contact.normal) * contact.normal;
                        let load = (along + contact.pull).max(0.0);
                        let wanted = contact.friction_sum - slip;
                        across = hold(wanted, load, surface.static_friction, surface.kinetic_friction);
                    }
                    touched[offset] |= along != 0.0;
                    contact.hold_with(along, across, &mut predicted[offset]);
                }
            });
    }
}

/// Numbers of the pairs that the particle at a place in a chunk owns; `first` is that of the chunk's first pair.
#[inline]
pub(super) fn numbers(owned: &Owned, first: usize, place: usize) -> Range<usize> {
    let range = owned.range(place);
    first + range.start..first + range.end
}

/// Makes room for a value per pair, without the doubling of a vector that grows.
pub(super) fn resize(values: &mut Vec<Vec4>, count: usize) {
    if values.capacity() < count || values.capacity() > count + count / 4 + 64 {
        values.clear();
        values.shrink_to(0);
        values.reserve_exact(count + count / 16);
    }
    values.resize(count, Vec4::ZERO);
}

impl ColliderContact {
    /// Changes what the contact has done in the sub-step to new values.
    #[inline]
    fn hold_with(&mut self, along: f32, across: Vec3, position: &mut Vec4) {
        let change = (along - self.normal_sum) * self.normal + (across - self.friction_sum);
        self.normal_sum = along;
        self.friction_sum = across;
        *position += change.extend(0.0);
    }
}
