//! Line 24: velocities from positions, and what is left to velocities: rebounds and, if asked for, friction.

use glam::{Vec3, Vec4, Vec4Swizzles};
use rayon::prelude::*;

use super::solve::{numbers, resize};
use super::{CHUNK, State};
use crate::particles::Particles;
use crate::settings::FrictionModel;

impl State {
    /// `v = (x* − x)/h`, then rebounds. The velocities from before the solve are there until all is done.
    pub(super) fn update_velocities(&mut self, h: f32) {
        let settings = &self.frame.settings;
        let most = settings.max_acceleration * h;
        let max_speed = settings.max_speed;
        let particles = &self.particles;
        let mut after = std::mem::take(&mut self.sort.vectors);
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
        let friction = settings.friction == FrictionModel::Velocity;
        if friction || self.frame.materials.pairs_rebound() {
            self.rebound_from_particles(friction, &mut after);
        }
        self.rebound_from_colliders(h, friction, &mut after);
        self.sort.vectors = std::mem::replace(&mut self.particles.velocities, after);
    }

    fn rebound_from_particles(&mut self, friction: bool, after: &mut [Vec4]) {
        let mut changes = std::mem::take(&mut self.memory.impulses);
        resize(&mut changes, self.pairs.len());
        let rebound = Rebound {
            state: self,
            after,
            friction,
        };
        self.pairs
            .owned()
            .par_iter()
            .zip(self.pairs.split(&mut changes))
            .for_each(|(owned, changes)| {
                for ((i, j), change) in owned.iter().zip(changes) {
                    *change = rebound.pair(i, j);
                }
            });
        let (pairs, touched, predicted) = (&self.pairs, &self.touched, &self.predicted);
        (after.par_chunks_mut(CHUNK), pairs.owned(), pairs.foreign())
            .into_par_iter()
            .enumerate()
            .for_each(|(chunk, (velocities, owned, foreign))| {
                for (place, velocity) in velocities.iter_mut().enumerate() {
                    let slot = chunk * CHUNK + place;
                    if touched[slot] {
                        let own = &changes[numbers(owned, pairs.offset(chunk), place)];
                        let others = foreign.pairs(place).iter().map(|&pair| &changes[pair as usize]);
                        add_average(predicted[slot].w, own.iter(), others, velocity);
                    }
                }
            });
        self.memory.impulses = changes;
    }

    fn rebound_from_colliders(&self, h: f32, friction: bool, after: &mut [Vec4]) {
        let threshold = self.frame.settings.restitution_threshold;
        let (frame, materials) = (&self.frame, &self.particles.materials);
        after
            .par_chunks_mut(CHUNK)
            .zip(self.particles.velocities.par_chunks(CHUNK))
            .zip(&self.contacts)
            .enumerate()
            .for_each(|(chunk, ((after, before), contacts))| {
                for contact in &contacts.contacts {
                    if contact.normal_sum <= 0.0 {
                        continue;
                    }
                    let offset = contact.offset as usize;
                    let collider = &frame.colliders[contact.collider as usize].collider;
                    let surface = frame
                        .materials
                        .surface(materials[chunk * CHUNK + offset], collider.material);
                    let wall = contact.travel / h;
                    let impact = (before[offset].xyz() - wall).dot(contact.normal);
                    let leaving = (after[offset].xyz() - wall).dot(contact.normal);
                    let wanted = -surface.restitution * impact;
                    if impact < -threshold && wanted > leaving {
                        let bounced = after[offset].xyz() + (wanted - leaving) * contact.normal;
                        after[offset] = bounced.extend(Particles::HALF_KICK);
                    }
                    if friction {
                        let slip = after[offset].xyz() - wall;
                        let across = slip - slip.dot(contact.normal) * contact.normal;
                        let taken = surface.kinetic_friction.min(1.0) * across;
                        after[offset] -= taken.extend(0.0);
                    }
                }
            });
    }
}

/// Marks, in w, a change of velocity that is no rebound, and one that is.
const SLOWED: f32 = 1.0;
const BOUNCED: f32 = 2.0;

/// Applies the average of the changes that concern a particle.
fn add_average<'a>(
    inverse_mass: f32,
    own: impl Iterator<Item = &'a Vec4>,
    others: impl Iterator<Item = &'a Vec4>,
    velocity: &mut Vec4,
) {
    let mut sum = Vec3::ZERO;
    let mut count = 0u32;
    let mut bounced = false;
    for (change, sign) in own
        .map(|change| (change, 1.0))
        .chain(others.map(|change| (change, -1.0)))
    {
        sum += sign * change.xyz();
        count += u32::from(change.w != 0.0);
        bounced |= change.w == BOUNCED;
    }
    *velocity += (sum * inverse_mass / count.max(1) as f32).extend(0.0);
    if bounced {
        velocity.w = Particles::HALF_KICK;
    }
}

/// Velocity changes between touching particles.
struct Rebound<'a> {
    state: &'a State,
    after: &'a [Vec4],
    friction: bool,
}

impl Rebound<'_> {
    /// Change of momentum of the first particle of a pair, and of what kind it is.
    fn pair(&self, i: usize, j: usize) -> Vec4 {
        let state = self.state;
        let settings = &state.frame.settings;
        let (a, b) = (state.predicted[i], state.predicted[j]);
        let offset = a.xyz() - b.xyz();
        // Corrected contacts sit a rounding error, or what convergence left over, around the contact distance.
        if offset.length_squared() > (1.01 * settings.contact_distance()).powi(2) {
            return Vec4::ZERO;
        }
        let normal = offset.normalize_or_zero();
        let particles = &state.particles;
        let pair = state
            .frame
            .materials
            .pair(particles.materials[i], particles.materials[j]);
        let impact = (particles.velocities[i].xyz() - particles.velocities[j].xyz()).dot(normal);
        let relative = self.after[i].xyz() - self.after[j].xyz();
        let leaving = relative.dot(normal);
        let wanted = -pair.restitution * impact;
        let bounces = impact < -settings.restitution_threshold && wanted > leaving;
        let mut change = Vec3::ZERO;
        if bounces {
            change += (wanted - leaving) * normal;
        }
        if self.friction {
            change -= pair.kinetic_friction.min(1.0) * (relative - leaving * normal);
        }
        let kind = match (bounces, self.friction) {
            (true, _) => BOUNCED,
            (false, true) => SLOWED,
            (false, false) => return Vec4::ZERO,
        };
        (change / (a.w + b.w)).extend(kind)
    }
}
