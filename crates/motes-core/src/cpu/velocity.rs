//! Line 24: velocities from positions, and what is left to velocities: rebounds and, if asked for, friction.

use glam::{Vec3, Vec4, Vec4Swizzles};
use rayon::prelude::*;

use super::neighbors::ChunkLists;
use super::{CHUNK, State};
use crate::constraints::contact::share;
use crate::particles::Particles;
use crate::settings::FrictionModel;

impl State {
    /// `v = (x* − x)/h`, then rebounds. `self.next` keeps the velocities from before the solve meanwhile.
    pub(super) fn update_velocities(&mut self, h: f32) {
        let settings = &self.frame.settings;
        let most = settings.max_acceleration * h;
        let max_speed = settings.max_speed;
        let particles = &mut self.particles;
        self.next.resize(particles.len(), Vec4::ZERO);
        (
            &mut particles.velocities,
            &mut self.next,
            &self.predicted,
            &particles.positions,
        )
            .into_par_iter()
            .with_min_len(CHUNK)
            .for_each(|(velocity, before, predicted, position)| {
                *before = *velocity;
                let after = (predicted.xyz() - position.xyz()) / h;
                let change = (after - before.xyz()).clamp_length_max(most);
                let limited = if most.is_finite() { before.xyz() + change } else { after };
                *velocity = limited.clamp_length_max(max_speed).extend(Particles::FULL_KICK);
            });
        let friction = self.frame.settings.friction == FrictionModel::Velocity;
        if friction || self.frame.materials.pairs_rebound() {
            self.rebound_from_particles(friction);
        }
        self.rebound_from_colliders(h, friction);
    }

    fn rebound_from_particles(&mut self, friction: bool) {
        let after = self.particles.velocities.clone();
        let mut velocities = std::mem::take(&mut self.particles.velocities);
        let rebound = Rebound {
            state: self,
            before: &self.next,
            after: &after,
            friction,
        };
        velocities
            .par_chunks_mut(CHUNK)
            .zip(self.neighbors.chunks())
            .enumerate()
            .for_each(|(chunk, (velocities, lists))| {
                for (offset, velocity) in velocities.iter_mut().enumerate() {
                    let i = chunk * CHUNK + offset;
                    if self.touched[i] && self.predicted[i].w > 0.0 {
                        rebound.apply(i, lists, offset, velocity);
                    }
                }
            });
        self.particles.velocities = velocities;
    }

    fn rebound_from_colliders(&mut self, h: f32, friction: bool) {
        let threshold = self.frame.settings.restitution_threshold;
        let (frame, materials) = (&self.frame, &self.particles.materials);
        self.particles
            .velocities
            .par_chunks_mut(CHUNK)
            .zip(self.next.par_chunks(CHUNK))
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

/// Velocity changes between touching particles.
struct Rebound<'a> {
    state: &'a State,
    before: &'a [Vec4],
    after: &'a [Vec4],
    friction: bool,
}

impl Rebound<'_> {
    fn apply(&self, i: usize, lists: &ChunkLists, offset: usize, velocity: &mut Vec4) {
        let mut sum = Vec3::ZERO;
        let mut count = 0u32;
        let mut bounced = false;
        for (j, _) in lists.contacts(offset, i) {
            if let Some((change, bounce)) = self.pair(i, j as usize) {
                sum += change;
                count += 1;
                bounced |= bounce;
            }
        }
        *velocity += (sum / count.max(1) as f32).extend(0.0);
        if bounced {
            velocity.w = Particles::HALF_KICK;
        }
    }

    /// Change of the velocity of `i` by its contact with `j`, and whether it is a rebound.
    fn pair(&self, i: usize, j: usize) -> Option<(Vec3, bool)> {
        let state = self.state;
        let settings = &state.frame.settings;
        let (a, b) = (state.predicted[i], state.predicted[j]);
        let offset = a.xyz() - b.xyz();
        // Corrected contacts sit a rounding error, or what convergence left over, around the contact distance.
        if offset.length_squared() > (1.01 * settings.contact_distance()).powi(2) {
            return None;
        }
        let normal = offset.normalize_or_zero();
        let materials = &state.particles.materials;
        let pair = state.frame.materials.pair(materials[i], materials[j]);
        let share = share(a.w, b.w, 0.0);
        let impact = (self.before[i].xyz() - self.before[j].xyz()).dot(normal);
        let relative = self.after[i].xyz() - self.after[j].xyz();
        let leaving = relative.dot(normal);
        let wanted = -pair.restitution * impact;
        let bounces = impact < -settings.restitution_threshold && wanted > leaving;
        let mut change = Vec3::ZERO;
        if bounces {
            change += share * (wanted - leaving) * normal;
        }
        if self.friction {
            change -= share * pair.kinetic_friction.min(1.0) * (relative - leaving * normal);
        }
        (bounces || self.friction).then_some((change, bounces))
    }
}
