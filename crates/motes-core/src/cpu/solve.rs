//! Lines 10–22: contacts are worked out for all pairs at once, then each particle moves by the sum of what concerns it.

use glam::{Vec3, Vec4, Vec4Swizzles};
use rayon::prelude::*;

use super::batch::{EMPTY, Rule, RunBlock, Source};
use super::collide::{ChunkContacts, ColliderContact};
use super::feet::Looking;
use super::pairs::{Block, resize};
use super::sums::Totals;
use super::vector::{self, Kernel};
use super::{CHUNK, State};
use crate::constraints::contact::{SLOP, Terms, UNBENDING, hold, stack_shares};
use crate::constraints::inscribed::UNDONE;
use crate::constraints::rolling::{ALONE_ACROSS, TURNING};
use crate::settings::{FrictionModel, Settings};

/// Moves some particles by what their contacts have done since they were moved last.
struct MoveParticles<'a> {
    done: Totals<'a>,
    predicted: &'a mut [Vec4],
    touched: &'a mut [bool],
}

impl Kernel for MoveParticles<'_> {
    #[inline(always)]
    fn run(self) {
        self.done.for_each(|place, done| {
            let predicted = &mut self.predicted[place];
            *predicted += (done * predicted.w).with_w(0.0);
            self.touched[place] |= done.xyz() != Vec3::ZERO;
        });
    }
}

impl State {
    pub(super) fn terms(&self) -> Terms {
        Terms::new(&self.frame.settings, self.h, self.h_before)
    }

    pub(super) fn source<'a>(&'a self, positions: &'a [Vec4], h: f32) -> Source<'a> {
        Source {
            positions,
            anchors: &self.anchors,
            fields: &self.shapes.fields,
            balls: &self.shapes.inscribed,
            materials: &self.particles.materials,
            table: &self.frame.materials,
            grip: match &self.frame.sizes {
                None => Settings::grip(1.0, self.frame.settings.particle_radius, h),
                Some(_) => Settings::grip(1.0, 1.0, h),
            },
            radii: &self.radii,
            turned: &self.turned,
            outlines: self.creature_work.outlines(Looking::End),
        }
    }

    /// Works out one rule for every pair; `prepare` sees to a block beforehand.
    fn for_each_pair(&mut self, rule: Rule, h: f32, prepare: impl Fn(&State, &mut Block) + Sync) {
        let looking = match rule {
            Rule::PushApart => Looking::Start,
            _ => Looking::End,
        };
        self.show_feet(looking);
        let mut pairs = std::mem::take(&mut self.pairs);
        let positions = match looking {
            Looking::Start => &self.particles.positions,
            Looking::End => &self.predicted,
        };
        let (mut source, terms) = (self.source(positions, h), self.terms());
        source.outlines = self.creature_work.outlines(looking);
        pairs.blocks.par_iter_mut().for_each(|block| {
            prepare(self, block);
            vector::run(RunBlock {
                block,
                source: &source,
                rule,
                terms: &terms,
            });
        });
        self.pairs = pairs;
        self.show_particles(looking);
        self.twist_feet();
    }

    /// Takes over the impulses of contacts that existed in the last sub-step, and starts from where they lead.
    pub(super) fn recall_contacts(&mut self, h: f32) {
        let remembers = self.frame.settings.contact_memory > 0.0;
        self.begin_turning(h);
        let turns = self.turns();
        self.for_each_pair(Rule::Recall, h, |state, block| {
            if remembers {
                state.memory.recall(block);
            } else {
                block.impulses.clear();
                resize(&mut block.impulses, block.list.len(), EMPTY);
            }
            block.couples.clear();
            if turns {
                Self::size_couples(block);
                if remembers {
                    state.memory.recall_couples(block);
                }
            }
            state.scale_masses(block);
        });
        self.memory.forget(&mut self.pairs);
        self.carried = false;
        self.move_particles();
        self.turn_particles();
        self.recall_collider_contacts();
        self.recall_couples();
        self.pull_creatures(h);
        self.match_bodies();
    }

    /// Mass scaling (eq. 21), by the heights at the start of the sub-step.
    fn scale_masses(&self, block: &mut Block) {
        let settings = &self.frame.settings;
        block.shares.clear();
        let grains = settings.mass_scaling;
        if grains == 0.0 && !self.bodies.scale(settings) {
            return;
        }
        let scaling = |body: usize| self.bodies.list[body].scaling(settings);
        let (up, level) = (settings.up(), self.bodies.mean_size());
        let (positions, anchors, shapes) = (&self.particles.positions, &self.anchors, &self.shapes);
        block.shares.extend(block.list.iter().map(|(i, j)| {
            let (a, b) = (positions[i], positions[j]);
            let up = up / (self.radius(i) + self.radius(j));
            match (shapes.body_in(i), shapes.body_in(j)) {
                // By bodies as a whole: if each contact had its own ratio, bodies locked into each other would take off.
                (Some(first), Some(second)) => {
                    let center = |body: usize| shapes.flights[body].from.position;
                    let height = settings.up().dot(center(second) - center(first)) / level;
                    let scaling = scaling(first).min(scaling(second));
                    stack_shares([anchors[i].w, anchors[j].w], scaling * height.clamp(-1.0, 1.0))
                }
                _ => stack_shares([a.w, b.w], grains * up.dot((b - a).xyz())),
            }
        }));
    }

    /// Moves each particle by what its contacts have done since it was moved last.
    fn move_particles(&mut self) {
        let (pairs, length) = (&self.pairs, self.pairs.length.max(1));
        self.predicted
            .par_chunks_mut(length)
            .zip(self.touched.par_chunks_mut(length))
            .enumerate()
            .for_each(|(block, (predicted, touched))| {
                let first = block * length;
                vector::run(MoveParticles {
                    done: pairs.totals(0, first..first + predicted.len()),
                    predicted,
                    touched,
                });
            });
    }

    /// Lines 12–14: moves starting and candidate positions alike out of the overlaps at the start.
    pub(super) fn stabilize(&mut self) {
        self.for_each_pair(Rule::PushApart, 0.0, |_, _| {});
        let (pairs, length) = (&self.pairs, self.pairs.length.max(1));
        self.particles
            .positions
            .par_chunks_mut(length)
            .enumerate()
            .for_each(|(block, starts)| {
                let first = block * length;
                pairs
                    .totals(0, first..first + starts.len())
                    .for_each(|place, sum| starts[place] += (sum * starts[place].w).with_w(0.0));
            });
        let shapes = &self.shapes;
        (
            self.particles.positions.par_chunks_mut(CHUNK),
            self.anchors.par_chunks(CHUNK),
            &mut self.contacts,
        )
            .into_par_iter()
            .enumerate()
            .for_each(|(chunk, (starts, anchors, chunk_contacts))| {
                chunk_contacts.begin_twists();
                let ChunkContacts { contacts, twists, .. } = chunk_contacts;
                for contact in contacts {
                    let start = &mut starts[contact.offset as usize];
                    // Contacts of one particle of a body do not see each other: what moves is the body.
                    let seen = if contact.reach == 1.0 {
                        *start
                    } else {
                        anchors[contact.offset as usize]
                    };
                    let depth = -contact.gap_at_start(seen.xyz()) - SLOP * 2.0 * contact.radius;
                    if depth > 0.0 {
                        let mut push = depth * contact.reach * contact.normal;
                        if let Some((ball, _)) = shapes.inscribed_in(chunk * CHUNK + contact.offset as usize) {
                            push *= UNDONE;
                            twists[contact.offset as usize] += contact.arm(ball).cross(push) / contact.inverse_mass;
                        }
                        *start += push.extend(0.0);
                    }
                }
            });
        self.straighten_slowly();
        self.hold_rows();
        self.match_part_starts();
        if !self.bodies.is_empty() {
            self.match_starts();
        }
        (&self.particles.positions, &mut self.predicted, &mut self.anchors)
            .into_par_iter()
            .with_min_len(CHUNK)
            .for_each(|(start, predicted, anchor)| {
                *predicted += (*start - *anchor).with_w(0.0);
                *anchor = start.with_w(anchor.w);
            });
        if !self.bodies.is_empty() {
            self.move_members(|motion| motion.is_rigid());
        }
    }

    /// Bounds what the stabilisation does to particles of bodies that do not follow it as a whole: it puts these out of shape, and
    /// their shape gives that back as speed.
    fn straighten_slowly(&mut self) {
        let (shapes, h) = (&self.shapes, self.h);
        if shapes.flights.iter().all(|motion| motion.is_rigid()) {
            return;
        }
        let (radii, usual) = (&self.radii, self.frame.settings.particle_radius);
        (&mut self.particles.positions, &self.anchors, &shapes.held)
            .into_par_iter()
            .enumerate()
            .with_min_len(CHUNK)
            .for_each(|(slot, (start, anchor, held))| {
                if let Some(motion) = shapes.flights.get(held.body as usize)
                    && !motion.is_rigid()
                {
                    let most = UNBENDING * radii.get(slot).copied().unwrap_or(usual) * h;
                    let moved = (*start - *anchor).xyz().clamp_length_max(most);
                    *start = (anchor.xyz() + moved).extend(start.w);
                }
            });
    }

    /// Lines 18–20 for contacts, as one group: what contacts between particles do is worked out for all of them, then each
    /// particle moves by it and on out of colliders.
    pub(super) fn solve_contacts(&mut self, h: f32, momentum: f32) {
        let carried = std::mem::replace(&mut self.carried, momentum > 0.0);
        self.for_each_pair(Rule::Solve { momentum, carried }, h, |_, _| {});
        self.turn_particles();
        self.move_out_of_colliders();
        self.resist_rolling();
    }

    /// Moves the particles by their contacts with each other and solves those with colliders. Each of these concerns one
    /// particle only, so they are solved one after the other, without averaging.
    fn move_out_of_colliders(&mut self) {
        let position_friction = self.frame.settings.friction == FrictionModel::Position;
        let (frame, particles, pairs, shapes) = (&self.frame, &self.particles, &self.pairs, &self.shapes);
        let creatures = &self.creature_work;
        let turned = Self::turned_chunks(&mut self.turned, particles.len());
        self.predicted
            .par_chunks_mut(CHUNK)
            .zip(self.touched.par_chunks_mut(CHUNK))
            .zip(&mut self.contacts)
            .zip(turned)
            .enumerate()
            .for_each(|(chunk, (((predicted, touched), contacts), turned))| {
                let first = chunk * CHUNK;
                contacts.begin_twists();
                let solve = |contact: &mut ColliderContact,
                             seen: Vec4,
                             swung: Vec3,
                             touched: &mut bool,
                             mut turned: Option<&mut Vec4>| {
                    let i = first + contact.offset as usize;
                    if let Some(reach) = creatures.reach(i)
                        && contact.normal_sum == 0.0
                        && contact.gap_at_end(seen.xyz()) + contact.radius - reach >= contact.pull
                    {
                        return Vec3::ZERO;
                    }
                    let lever = creatures.lever(i, contact.normal, turned.as_deref());
                    let sunk = lever.as_ref().map_or(0.0, |lever| contact.radius - lever.reach);
                    let gap = contact.gap_at_end(seen.xyz() + swung) + sunk;
                    let moved = (seen - particles.positions[i]).xyz() - contact.travel + swung;
                    let opened = moved.dot(contact.normal);
                    if gap >= contact.pull && contact.normal_sum == 0.0 {
                        return Vec3::ZERO;
                    }
                    let reach = contact.reach / lever.as_ref().map_or(1.0, |lever| lever.meets(contact.normal));
                    let along = (contact.normal_sum - gap.max(opened + sunk) * reach).max(-contact.pull);
                    let mut across = Vec3::ZERO;
                    if position_friction {
                        let collider = &frame.colliders[contact.collider as usize].collider;
                        let surface = frame.materials.surface(particles.materials[i], collider.material);
                        let mut slip = moved - opened * contact.normal;
                        let load = (along + contact.pull).max(0.0);
                        let mut reach = contact.across;
                        if let Some(lever) = &lever {
                            slip += lever.swung_across(contact.normal);
                            reach /= lever.meets(slip.normalize_or_zero());
                        } else if let Some(turned) = &turned {
                            slip -= turned.xyz().cross(contact.normal);
                            reach *= ALONE_ACROSS;
                        }
                        let wanted = contact.friction_sum - slip * reach;
                        across = hold(wanted, load, surface.static_friction, surface.kinetic_friction);
                        if let Some(turned) = &mut turned
                            && lever.is_none()
                        {
                            let twist = (across - contact.friction_sum).cross(contact.normal);
                            **turned += TURNING * twist.extend(0.0);
                        }
                    }
                    *touched |= along != 0.0;
                    let push = contact.hold_with(along, across);
                    if let (Some(turned), Some(lever)) = (turned, lever) {
                        *turned += lever.turned_by(push).extend(0.0);
                    }
                    push
                };
                // Bodies move by all their contacts at once, so those with colliders are worked out before they move.
                let mut pushes: Vec<(usize, Vec3)> = Vec::new();
                for contact in contacts.contacts.iter_mut().filter(|contact| contact.reach != 1.0) {
                    let offset = contact.offset as usize;
                    let inscribed = shapes.inscribed_in(first + offset);
                    let arm = inscribed.map_or(Vec3::ZERO, |(ball, _)| contact.arm(ball));
                    let swung = inscribed.map_or(Vec3::ZERO, |(_, motion)| motion.swing.cross(arm));
                    let turned = turned.get_mut(offset).filter(|turned| turned.w > 0.0);
                    let push = solve(contact, predicted[offset], swung, &mut touched[offset], turned);
                    if let Some(twist) = contacts.twists.get_mut(offset) {
                        *twist += arm.cross(push) / contact.inverse_mass;
                    }
                    pushes.push((offset, push));
                }
                vector::run(MoveParticles {
                    done: pairs.totals(0, first..first + predicted.len()),
                    predicted,
                    touched,
                });
                for (offset, push) in pushes {
                    predicted[offset] += push.extend(0.0);
                }
                for contact in contacts.contacts.iter_mut().filter(|contact| contact.reach == 1.0) {
                    let offset = contact.offset as usize;
                    let turned = turned.get_mut(offset).filter(|turned| turned.w > 0.0);
                    let push = solve(contact, predicted[offset], Vec3::ZERO, &mut touched[offset], turned);
                    predicted[offset] += push.extend(0.0);
                }
            });
    }
}

impl ColliderContact {
    /// Distance from the surface of a particle that started at a place, metres.
    #[inline]
    pub(super) fn gap_at_start(&self, place: Vec3) -> f32 {
        (place - (self.point - self.travel)).dot(self.normal) - self.radius
    }

    /// The same of a particle that ends at a place.
    #[inline]
    pub(super) fn gap_at_end(&self, place: Vec3) -> f32 {
        (place - self.point).dot(self.normal) - self.radius
    }

    /// Changes what the contact has done in the sub-step to new values; returns the change.
    #[inline]
    pub(super) fn hold_with(&mut self, along: f32, across: Vec3) -> Vec3 {
        let change = (along - self.normal_sum) * self.normal + (across - self.friction_sum);
        self.normal_sum = along;
        self.friction_sum = across;
        change
    }
}
