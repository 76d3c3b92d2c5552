//! Lines 26–27: damping, then positions are accepted, or particles sleep.

use glam::{Vec4, Vec4Swizzles};
use rayon::prelude::*;

use super::{CHUNK, State};
use crate::engine::Blowup;

impl State {
    /// Line 26: velocities decay at the rate of their material.
    pub(super) fn damp(&mut self, h: f32) {
        let decay: Vec<f32> = self
            .frame
            .materials
            .as_slice()
            .iter()
            .map(|material| (-material.damping * h).exp())
            .collect();
        if decay.iter().all(|&factor| factor == 1.0) {
            return;
        }
        self.particles
            .velocities
            .par_iter_mut()
            .zip(&self.particles.materials)
            .with_min_len(CHUNK)
            .for_each(|(velocity, material)| {
                let factor = decay.get(material.0 as usize).copied().unwrap_or(1.0);
                *velocity *= Vec4::new(factor, factor, factor, 1.0);
            });
        let count = if self.turned.is_empty() {
            0
        } else {
            self.particles.len()
        };
        let spins = self.particles.spins.values_mut(count).par_iter_mut();
        spins
            .zip(&self.particles.materials)
            .with_min_len(CHUNK)
            .for_each(|(spin, material)| {
                let factor = decay.get(material.0 as usize).copied().unwrap_or(1.0);
                spin.velocity *= Vec4::new(factor, factor, factor, 1.0);
            });
    }

    /// Line 27 with eq. 14. A sleeping particle keeps its position to the last bit, so it cannot drift; only one
    /// that something holds may sleep, so none hangs in the air.
    pub(super) fn finish(&mut self, h: f32) {
        self.turn_creatures(h);
        let rest = self.frame.settings.sleep_speed * h;
        let settings = &self.frame.settings;
        let (ids, phases) = (&self.particles.ids, &self.particles.phases);
        let turned = &self.turned;
        let count = self.particles.positions.len();
        let spins = match turned.is_empty() {
            true => Self::turned_chunks(&mut [], count),
            false => Self::turned_chunks(self.particles.spins.values_mut(count), count),
        };
        let collected: Vec<Option<Blowup>> = self
            .particles
            .positions
            .par_chunks_mut(CHUNK)
            .zip(self.particles.velocities.par_chunks_mut(CHUNK))
            .zip(self.predicted.par_chunks(CHUNK))
            .zip(self.touched.par_chunks(CHUNK))
            .zip(spins)
            .enumerate()
            .map(|(chunk, ((((positions, velocities), predicted), touched), spins))| {
                let mut blowup: Option<Blowup> = None;
                for k in 0..positions.len() {
                    let (position, target) = (&mut positions[k], predicted[k]);
                    if !(target.is_finite() && velocities[k].is_finite()) {
                        velocities[k] = Vec4::ZERO.with_w(1.0);
                        let slot = chunk * CHUNK + k;
                        let first = Blowup {
                            particle: ids[slot],
                            group: phases[slot].group(),
                            count: 0,
                        };
                        blowup.get_or_insert(first).count += 1;
                        continue;
                    }
                    if target.w == 0.0 {
                        // Nothing has acted on a pin, whatever touched it.
                        velocities[k] = ((target - *position) / h).with_w(1.0);
                        *position = target;
                        continue;
                    }
                    let moved = (target - *position).xyz().length_squared();
                    if touched[k] && moved < rest * rest && settings.sleep_speed > 0.0 {
                        velocities[k] = Vec4::ZERO.with_w(1.0);
                        if let Some(spin) = spins.get_mut(k)
                            && turned[chunk * CHUNK + k].xyz().length_squared() < rest * rest
                        {
                            spin.velocity = Vec4::ZERO.with_w(spin.velocity.w);
                        }
                    } else {
                        *position = target;
                    }
                }
                blowup
            })
            .collect();
        self.report.add_blowups(collected);
        self.keep_supports();
        self.add_collider_impulses(h);
    }
}
