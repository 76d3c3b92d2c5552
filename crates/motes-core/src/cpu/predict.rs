//! Lines 1–5: forces, then the positions the particles would reach if nothing were in the way.

use glam::{Vec4, Vec4Swizzles};
use rayon::prelude::*;

use super::{CHUNK, State};
use crate::particles::Particles;

impl State {
    pub(super) fn predict(&mut self, h: f32) {
        self.h_before = std::mem::replace(&mut self.h, h);
        let count = self.particles.len();
        self.predicted.resize(count, Vec4::ZERO);
        self.touched.clear();
        self.touched.resize(count, false);
        let frame = &self.frame;
        let floating = self.creature_work.floating(&self.creatures);
        let (gravity, max_speed) = (frame.settings.gravity, frame.settings.max_speed);
        let materials = frame.materials.as_slice();
        let particles = &mut self.particles;
        let (temperatures, ids) = (&particles.temperatures, &particles.ids);
        let is_warm = temperatures.is_stored();
        (
            &mut self.predicted,
            &particles.positions,
            &mut particles.velocities,
            &particles.materials,
        )
            .into_par_iter()
            .enumerate()
            .with_min_len(CHUNK)
            .for_each(|(slot, (predicted, position, velocity, material))| {
                if position.w == 0.0 {
                    velocity.w = Particles::FULL_KICK;
                    *predicted = destination(*position, *velocity, h);
                    return;
                }
                let gravity_scale = materials
                    .get(material.0 as usize)
                    .map_or(1.0, |material| match is_warm {
                        true => material.gravity_share(temperatures.get(slot)),
                        false => material.gravity_scale,
                    });
                let weight = floating.map_or(1.0, |creatures| creatures.weight(ids[slot]));
                let kick = h * velocity.w;
                let mut v = velocity.xyz();
                let mut change = kick * gravity_scale * weight * gravity;
                for field in &frame.fields {
                    change += field.velocity_change(position.xyz(), v, kick);
                }
                v = (v + change).clamp_length_max(max_speed);
                *velocity = v.extend(Particles::FULL_KICK);
                *predicted = destination(*position, *velocity, h);
            });
    }
}

/// Where a velocity takes a particle.
#[inline]
pub(super) fn destination(position: Vec4, velocity: Vec4, h: f32) -> Vec4 {
    position + (h * velocity).with_w(0.0)
}
