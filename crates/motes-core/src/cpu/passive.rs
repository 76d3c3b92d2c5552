//! Line 25: passive particles go with what is around them, or fly on their own.

mod smoke;
mod walls;

use glam::{Vec3, Vec4, Vec4Swizzles};
use rayon::prelude::*;

use self::smoke::Carriers;
use super::{CHUNK, State};
use crate::constraints::smoothing::{poly6_scale, poly6_shape};
use crate::foam::Foam;
use crate::foam::kinds::{Around, Motion};
use crate::heat::AMBIENT;
use crate::particles::passive::PassiveKind;
use crate::particles::sizes::cells_within;
use crate::smoke::Smoke;
use crate::smoke::markers::MarkerMotion;

impl State {
    /// Moves passive particles by the velocities after the solve (§7.2.1), through the cells that neighbours were found in.
    /// Where nothing is within reach they are in free flight with drag.
    pub(super) fn advect_passive(&mut self, h: f32) {
        let mut passive = std::mem::take(&mut self.passive);
        let settings = &self.frame.settings;
        let (kick, decay) = (h * settings.gravity, (-settings.passive_drag * h).exp());
        let foam = self.frame.foam.unwrap_or_else(|| Foam::of(settings));
        let motion = Motion::new(&foam, settings, self.frame.air.velocity, h);
        let smoke = self.frame.smoke.unwrap_or_else(|| Smoke::of(settings));
        let smokes = passive.kinds().par_iter().any(|&kind| kind == PassiveKind::Smoke);
        let asks = self.asks_for_markers();
        let carriers = (smokes || asks).then(|| self.carriers(asks));
        let drift = MarkerMotion::new(smoke.strays, settings, &self.frame.air, h);
        if smokes && self.particles.temperatures.is_stored() {
            passive.store_temperatures();
        }
        let count = passive.len();
        let (positions, velocities, kinds, temperatures) = passive.all_mut();
        let carried = match &carriers {
            Some(carriers) if smokes => carriers.about(positions, kinds),
            _ => Vec::new(),
        };
        let parts = { positions.par_chunks_mut(CHUNK) }
            .zip(velocities.par_chunks_mut(CHUNK))
            .zip(kinds.par_chunks_mut(CHUNK))
            .zip(Self::turned_chunks(temperatures, count));
        parts
            .enumerate()
            .for_each(|(chunk, (((positions, velocities), kinds), temperatures))| {
                let mut planes = Vec::new();
                let markers = positions.iter_mut().zip(velocities).zip(kinds);
                for (k, ((position, velocity), kind)) in markers.enumerate() {
                    if *kind == PassiveKind::Smoke {
                        let warmth = temperatures.get(k).copied().unwrap_or(AMBIENT);
                        let (after, mean, warmth) =
                            drift.moved(position.xyz(), velocity.xyz(), warmth, &carried[chunk * CHUNK + k]);
                        let moved = self.out_of_walls(position.xyz(), mean, h, &mut planes);
                        let hindered = moved.velocity - mean;
                        *position = moved.end.extend(position.w + h);
                        *velocity = (after + hindered).extend(velocity.w);
                        temperatures.iter_mut().skip(k).take(1).for_each(|kept| *kept = warmth);
                        continue;
                    }
                    if *kind != PassiveKind::Marker {
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
        let seen = carriers.map(Carriers::into_seen);
        self.passive = passive;
        if let Some(seen) = seen.filter(|_| asks) {
            self.note_lonely(&seen);
        }
    }

    /// Whether gas is looked through for what has no marker about it: at the end of frames, where it is then removed.
    pub(super) fn asks_for_markers(&self) -> bool {
        let removes = self.frame.smoke.is_some_and(|smoke| smoke.lonely.is_finite());
        removes && self.frame.gas && self.part[1] >= 1.0
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
                    if distance_squared < radius * radius && self.particles.phases[slot].is_liquid() {
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
