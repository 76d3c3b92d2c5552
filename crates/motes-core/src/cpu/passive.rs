//! Line 25: passive particles go with what is around them, or fly on their own.

mod walls;

use glam::{Vec3, Vec4, Vec4Swizzles};
use rayon::prelude::*;

use super::{CHUNK, State};
use crate::constraints::smoothing::{poly6_scale, poly6_shape};
use crate::foam::Foam;
use crate::foam::kinds::{Around, Motion};
use crate::particles::passive::PassiveKind;
use crate::particles::phase::Phase;
use crate::particles::sizes::cells_within;

impl State {
    /// Moves passive particles by the velocities after the solve (§7.2.1), through the cells that neighbours were found in.
    /// Where nothing is within reach they are in free flight with drag.
    pub(super) fn advect_passive(&mut self, h: f32) {
        let mut passive = std::mem::take(&mut self.passive);
        let settings = &self.frame.settings;
        let (kick, decay) = (h * settings.gravity, (-settings.passive_drag * h).exp());
        let foam = self.frame.foam.unwrap_or_else(|| Foam::of(settings));
        let motion = Motion::new(&foam, settings, self.frame.air.velocity, h);
        let (positions, velocities, kinds) = passive.all_mut();
        let parts = { positions.par_chunks_mut(CHUNK) }
            .zip(velocities.par_chunks_mut(CHUNK))
            .zip(kinds.par_chunks_mut(CHUNK));
        parts.for_each(|((positions, velocities), kinds)| {
            let mut planes = Vec::new();
            for ((position, velocity), kind) in positions.iter_mut().zip(velocities).zip(kinds) {
                if !matches!(kind, PassiveKind::Marker | PassiveKind::Smoke) {
                    let around = self.liquid_around(position.xyz());
                    *kind = motion.kind(&around);
                    let after = motion.velocity(*kind, velocity.xyz(), &around);
                    let moved = self.out_of_walls(position.xyz(), after, h, &mut planes);
                    let ageing = moved.ageing(*kind);
                    *position = moved.end.extend(position.w + h * ageing);
                    *velocity = moved.velocity.extend(velocity.w);
                    continue;
                }
                let before = velocity.xyz();
                let (after, mean) = match self.velocity_around(position.xyz()) {
                    Some(carried) => (carried, carried),
                    None => {
                        let after = decay * (before + kick);
                        (after, 0.5 * (before + after))
                    }
                };
                *position += (h * mean).extend(h);
                *velocity = after.extend(velocity.w);
            }
        });
        self.passive = passive;
    }

    /// Mean velocity of the particles around a point, weighted by their kernels (eq. 28); `None` where there are none.
    #[inline]
    fn velocity_around(&self, point: Vec3) -> Option<Vec3> {
        let settings = &self.frame.settings;
        let aside = cells_within(settings.smoothing_radius / self.cell_width(), 0);
        let (places, velocities) = (&self.predicted, &self.particles.velocities);
        let mut sum = Vec4::ZERO;
        self.grid.around(
            point,
            |_| aside,
            |from, to| {
                let slots = from as usize..to as usize;
                let around = places[slots.clone()].iter().zip(&velocities[slots.clone()]);
                for (slot, (place, velocity)) in slots.zip(around) {
                    let distance_squared = (place.xyz() - point).length_squared();
                    let radius = 2.0 * settings.smoothing_radius * self.radius(slot);
                    if distance_squared < radius * radius {
                        let weight = poly6_scale(radius) * poly6_shape(distance_squared, radius);
                        sum += weight * velocity.with_w(1.0);
                    }
                }
            },
        );
        (sum.w > 0.0).then(|| sum.xyz() / sum.w)
    }

    /// What there is of liquid around a point.
    #[inline]
    fn liquid_around(&self, point: Vec3) -> Around {
        let settings = &self.frame.settings;
        let aside = cells_within(settings.smoothing_radius / self.cell_width(), 0);
        let (places, velocities) = (&self.predicted, &self.particles.velocities);
        let (mut sum, mut count, mut above) = (Vec4::ZERO, 0, 0);
        self.grid.around(
            point,
            |_| aside,
            |from, to| {
                for slot in from as usize..to as usize {
                    let offset = places[slot].xyz() - point;
                    let radius = 2.0 * settings.smoothing_radius * self.radius(slot);
                    let distance_squared = offset.length_squared();
                    if distance_squared < radius * radius && self.particles.phases[slot].has(Phase::FLUID) {
                        let weight = poly6_scale(radius) * poly6_shape(distance_squared, radius);
                        sum += weight * velocities[slot].with_w(1.0);
                        count += 1;
                        above += u32::from(offset.dot(settings.gravity) <= 0.0);
                    }
                }
            },
        );
        let velocity = if sum.w > 0.0 { sum.xyz() / sum.w } else { Vec3::ZERO };
        Around { count, above, velocity }
    }
}
