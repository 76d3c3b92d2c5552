//! Line 24: velocities from positions, and what is left to velocities: rebounds and, if asked for, friction.

use std::sync::atomic::{AtomicBool, Ordering};

use glam::{Vec3, Vec4, Vec4Swizzles};
use rayon::prelude::*;

use super::collide::ChunkContacts;
use super::pairs::{Block, at};
use super::{CHUNK, State};
use crate::constraints::contact::{IN_TOUCH, REBOUNDS};
use crate::constraints::inscribed::NO_BALL;
use crate::constraints::solids::{self, are_solid};
use crate::constraints::surface::{self, NO_FIELD};
use crate::particles::Particles;
use crate::settings::FrictionModel;

impl State {
    /// `v = (x* − x)/h`, then rebounds. The velocities from before the solve are there until all is done.
    pub(super) fn update_velocities(&mut self, h: f32) {
        self.keep_ends_out();
        let settings = &self.frame.settings;
        let most = settings.max_acceleration * h;
        let max_speed = settings.max_speed;
        let particles = &self.particles;
        let mut after = std::mem::take(self.spares.of::<Vec4>());
        after.resize(particles.len(), Vec4::ZERO);
        (&mut after, &particles.velocities, &self.predicted, &particles.positions)
            .into_par_iter()
            .with_min_len(CHUNK)
            .for_each(|(velocity, before, predicted, position)| {
                let after = (predicted.xyz() - position.xyz()) / h;
                let change = (after - before.xyz()).clamp_length_max(most);
                let limited = if most.is_finite() { before.xyz() + change } else { after };
                *velocity = limited.clamp_length_max(max_speed).extend(Particles::FULL_KICK);
            });
        self.update_body_velocities(h, &mut after);
        self.keep_creature_momenta(h, &mut after);
        self.update_spins(h);
        self.feet.untwist();
        for round in 0..REBOUNDS {
            let friction = self.frame.settings.friction == FrictionModel::Velocity && round == 0;
            let mut changed = false;
            if friction || self.frame.materials.pairs_rebound() {
                changed |= self.rebound_from_particles(h, friction, round, &mut after);
            }
            changed |= self.rebound_from_colliders(h, friction, round, &mut after);
            let parts = changed && self.rebound_parts(&mut after);
            if !changed || !(self.rebound_bodies(friction, h, &mut after) | parts) {
                break;
            }
        }
        self.rebound_parts(&mut after);
        *self.spares.of() = std::mem::replace(&mut self.particles.velocities, after);
    }

    /// Says whether anything changed for bodies.
    fn rebound_from_particles(&mut self, h: f32, friction: bool, round: u32, after: &mut [Vec4]) -> bool {
        let mut pairs = std::mem::take(&mut self.pairs);
        let spins = match self.feet.is_empty() {
            true => Vec::new(),
            false => {
                let flights = self.shapes.flights.iter().zip(&self.bodies.list);
                flights
                    .map(|(motion, body)| motion.velocities_after(body, h)[1])
                    .collect()
            }
        };
        let rebound = Rebound {
            state: self,
            after,
            spins,
            h,
            friction,
            only_bodies: round > 0,
        };
        pairs.blocks.par_iter_mut().for_each(|block| {
            let sums = &mut block.sums[0];
            sums.clear(block.list.slots());
            let Block { list, impulses, .. } = block;
            for (pair, (i, j)) in list.iter().enumerate() {
                let change = rebound.pair(i, j, || at(impulses, pair).xyz());
                sums.add(i, change);
                sums.add(j, (-change).with_w(change.w));
            }
        });
        let (touched, predicted, shapes) = (&self.touched, &self.predicted, &self.shapes);
        let length = pairs.length.max(1);
        let changed = AtomicBool::new(false);
        after
            .par_chunks_mut(length)
            .enumerate()
            .for_each(|(block, velocities)| {
                let first = block * length;
                let changes = pairs.totals(0, first..first + velocities.len());
                changes.for_each(|place, sum| {
                    let slot = first + place;
                    if touched[slot] {
                        let shared = shapes.body_in(slot).is_none();
                        if !shared && sum.w != 0.0 {
                            changed.store(true, Ordering::Relaxed);
                        }
                        add_average(predicted[slot].w, sum, shared, &mut velocities[place]);
                    }
                });
            });
        self.pairs = pairs;
        self.twist_feet();
        changed.into_inner()
    }

    /// Says whether anything changed for rigid bodies, or may have.
    fn rebound_from_colliders(&mut self, h: f32, friction: bool, round: u32, after: &mut [Vec4]) -> bool {
        let changed = AtomicBool::new(friction);
        let threshold = self.frame.settings.restitution_threshold;
        let (frame, materials, shapes) = (&self.frame, &self.particles.materials, &self.shapes);
        let bodies = &self.bodies.list;
        let (creatures, turned) = (&self.creature_work, &self.turned);
        after
            .par_chunks_mut(CHUNK)
            .zip(self.particles.velocities.par_chunks(CHUNK))
            .zip(&mut self.contacts)
            .enumerate()
            .for_each(|(chunk, ((after, before), contacts))| {
                contacts.begin_twists();
                let ChunkContacts { contacts, twists, .. } = contacts;
                for contact in contacts {
                    if contact.normal_sum <= 0.0 {
                        continue;
                    }
                    let offset = contact.offset as usize;
                    let slot = chunk * CHUNK + offset;
                    let is_rigid = shapes.is_rigid_in(slot) || creatures.is_in_part(slot);
                    if round > 0 && !is_rigid {
                        continue;
                    }
                    let collider = &frame.colliders[contact.collider as usize].collider;
                    let surface = frame
                        .materials
                        .surface(materials[chunk * CHUNK + offset], collider.material);
                    let wall = contact.travel / h;
                    let (mut arm, mut swung) = (Vec3::ZERO, Vec3::ZERO);
                    if let Some((ball, motion)) = shapes.inscribed_in(chunk * CHUNK + offset) {
                        // The travel of the contact has what the body's turn would have moved it by.
                        let body = &bodies[shapes.held[chunk * CHUNK + offset].body as usize];
                        let [_, spin] = motion.velocities_after(body, h);
                        arm = contact.arm(ball);
                        swung = (spin - motion.spin.turn / h).cross(arm);
                    }
                    let start = after[offset].xyz();
                    let impact = (before[offset].xyz() - wall).dot(contact.normal);
                    let leaving = (start + swung - wall).dot(contact.normal);
                    let lever = creatures.lever(
                        chunk * CHUNK + offset,
                        contact.normal,
                        turned.get(chunk * CHUNK + offset).filter(|turned| turned.w > 0.0),
                    );
                    let turns = lever.map_or(1.0, |lever| lever.meets(contact.normal));
                    let wanted = -surface.restitution * impact / turns;
                    let bounces = impact < -threshold && wanted > leaving;
                    if bounces {
                        let bounced = start + (wanted - leaving) * contact.reach * contact.normal;
                        after[offset] = bounced.extend(Particles::HALF_KICK);
                        if is_rigid {
                            changed.store(true, Ordering::Relaxed);
                        }
                    }
                    if friction {
                        let slip = after[offset].xyz() + swung - wall;
                        let across = slip - slip.dot(contact.normal) * contact.normal;
                        let taken = surface.kinetic_friction.min(1.0) * contact.reach * across;
                        after[offset] -= taken.extend(0.0);
                    }
                    if let Some(twist) = twists.get_mut(offset) {
                        *twist += arm.cross(after[offset].xyz() - start) / contact.inverse_mass;
                    }
                }
            });
        changed.into_inner()
    }
}

/// What a change of velocity counts, in w: so that the sum tells how many there were, and whether one was a rebound.
const SLOWED: f32 = 1.0;
const BOUNCED: f32 = 65_537.0;

/// Applies the changes that concern a particle: their average, unless they are shared out already.
fn add_average(inverse_mass: f32, sum: Vec4, average: bool, velocity: &mut Vec4) {
    let count = if average { (sum.w as u32 % 65_536).max(1) } else { 1 };
    *velocity += (sum.xyz() * inverse_mass / count as f32).extend(0.0);
    if sum.w >= BOUNCED {
        velocity.w = Particles::HALF_KICK;
    }
}

/// Velocity changes between touching particles.
struct Rebound<'a> {
    state: &'a State,
    after: &'a [Vec4],
    /// How each body turns, where there are feet, rad/s.
    spins: Vec<Vec3>,
    h: f32,
    friction: bool,
    /// Whether pairs without a body are done.
    only_bodies: bool,
}

impl Rebound<'_> {
    /// Change of momentum of the first particle of a pair, and of what kind it is; `impulse` is what the pair did.
    fn pair(&self, i: usize, j: usize, impulse: impl Fn() -> Vec3) -> Vec4 {
        let state = self.state;
        let in_body = |slot: usize| state.shapes.body_in(slot).is_some();
        if self.only_bodies && !in_body(i) && !in_body(j) {
            return Vec4::ZERO;
        }
        let settings = &state.frame.settings;
        let (a, b) = (state.predicted[i], state.predicted[j]);
        let offset = a.xyz() - b.xyz();
        let contact = state.radius(i) + state.radius(j);
        let fields = &state.shapes.fields;
        let balls = [i, j].map(|slot| state.shapes.inscribed.get(slot).copied().unwrap_or(NO_BALL));
        let is_solid = are_solid(balls);
        if !is_solid && offset.length_squared() > (IN_TOUCH * contact).powi(2) {
            return Vec4::ZERO;
        }
        let ellipsoids = state.creature_work.rebound([i, j], offset, [a.w, b.w]);
        if ellipsoids.is_some() && impulse() == Vec3::ZERO {
            return Vec4::ZERO;
        }
        let normal = match (ellipsoids, fields.get(i), fields.get(j)) {
            (Some((normal, _)), ..) => normal,
            (None, Some(&first), Some(&second)) if is_solid => {
                if impulse() == Vec3::ZERO {
                    return Vec4::ZERO;
                }
                solids::touch(offset, [first, second], balls, [state.radius(i), state.radius(j)]).0
            }
            (None, Some(&first), Some(&second)) if first != NO_FIELD || second != NO_FIELD => {
                if impulse() == Vec3::ZERO {
                    return Vec4::ZERO;
                }
                surface::shapes(offset, first, second, contact).0
            }
            _ => offset.normalize_or_zero(),
        };
        let particles = &state.particles;
        let pair = state
            .frame
            .materials
            .pair(particles.materials[i], particles.materials[j]);
        let (mut before, mut relative) = (
            particles.velocities[i].xyz() - particles.velocities[j].xyz(),
            self.after[i].xyz() - self.after[j].xyz(),
        );
        if is_solid {
            let [first, second] = [i, j].map(|slot| self.faster_foot(slot));
            before += first[0] - second[0];
            relative += first[1] - second[1];
        }
        let impact = before.dot(normal);
        let leaving = relative.dot(normal);
        // Centres rebound by less where a part of the impact turns them.
        let turns = ellipsoids.map_or(1.0, |(_, turns)| turns);
        let wanted = -pair.restitution * impact / turns;
        let bounces = impact < -settings.restitution_threshold && wanted > leaving;
        let mobility = match is_solid {
            true => self.yields(i) + self.yields(j),
            false => self.mobility(i) + self.mobility(j),
        };
        let mut change = Vec3::ZERO;
        if bounces {
            change += (wanted - leaving) * normal;
        }
        if self.friction {
            change -= pair.kinetic_friction.min(1.0) * (relative - leaving * normal);
        }
        let kind = match (bounces, self.friction || change != Vec3::ZERO) {
            (true, _) => BOUNCED,
            (false, true) => SLOWED,
            (false, false) => return Vec4::ZERO,
        };
        (change / mobility).extend(kind)
    }

    fn faster_foot(&self, slot: usize) -> [Vec3; 2] {
        let body = self.state.shapes.held[slot].body as usize;
        let motion = &self.state.shapes.flights[body];
        self.state.faster_foot(slot, motion, self.spins[body], self.h)
    }

    /// Effective inverse mass of a particle of a body along its contacts, 1/kg.
    fn yields(&self, slot: usize) -> f32 {
        let own = self.state.predicted[slot].w;
        let yields = self.state.shapes.flights[self.state.shapes.held[slot].body as usize].yields;
        if own == 0.0 || yields == 0.0 { own } else { yields }
    }

    /// Effective inverse mass of a particle, 1/kg.
    fn mobility(&self, slot: usize) -> f32 {
        match self.state.shapes.body_in(slot) {
            None => self.state.predicted[slot].w,
            Some(_) => self.state.anchors[slot].w,
        }
    }
}
