//! Liquids of weakly compressible SPH: forces from how dense it is at the start of a sub-step, once, before its iterations.

use glam::{Vec3, Vec4, Vec4Swizzles};
use rayon::prelude::*;

use super::density::{At, FluidWork, note};
use super::passes::Pressing;
use super::sums::{LANES, Mutual, eights, fetch, total, total3};
use crate::constraints::sph::{Lattice, Sph};
use crate::constraints::sph_kernels::{Spiky, laplacian, spiky, spiky_slope};
use crate::constraints::viscosity::between;
use crate::cpu::pairs::Gather;
use crate::cpu::{CHUNK, State};
use crate::material::Material;
use crate::particles::phase::Phase;

impl State {
    /// Adds what pressures and viscosity do within the sub-step to where everybody would go.
    pub(super) fn push_by_pressures(&mut self, work: &mut FluidWork, sph: Sph) {
        let smoothing = self.frame.settings.smoothing_radius;
        let lattice = work.sph_lattice(smoothing);
        let h = self.h;
        let positions = &self.particles.positions;
        let FluidWork {
            places,
            velocities,
            walls,
            pressing,
            ..
        } = work;
        self.find_walls_by::<Spiky>(positions, At::Start, lattice.wall, walls);
        note(places, positions, |_| 0.0);
        pressing.resize(positions.len(), Pressing::default());
        with_mutual!(self, lattice, |mutual| self.neighbors.gather(
            pressing,
            &Compress {
                mutual,
                sph,
                lattice,
                places,
                walls,
                phases: &self.particles.phases,
                inverse_masses: positions,
                smoothing,
            }
        ));
        (places, &*pressing, &mut self.touched)
            .into_par_iter()
            .with_min_len(CHUNK)
            .for_each(|(place, pressing, touched)| {
                place.w = pressing.multiplier;
                *touched |= pressing.multiplier > 0.0;
            });
        note(velocities, &self.particles.velocities, |slot| {
            self.sph_viscosity(slot, sph, smoothing)
        });
        let drags = self.wall_drags(walls);
        with_mutual!(self, lattice, |mutual| self.neighbors.gather(
            &mut self.predicted,
            &Push {
                mutual,
                lattice,
                places: &work.places,
                velocities,
                walls,
                drags: &drags,
                smoothing,
                h,
            }
        ));
        // Walls bear what they push with.
        { pressing.par_iter_mut().enumerate() }
            .with_min_len(CHUNK)
            .for_each(|(slot, pressing)| {
                let volume = (2.0 * self.radius(slot)).powi(3);
                pressing.multiplier *= h * h * volume;
            });
    }

    /// Viscosity of a particle, Pa·s, with what is added to that of its material; negative in solids.
    fn sph_viscosity(&self, slot: usize, sph: Sph, smoothing: f32) -> f32 {
        let diameter = 2.0 * self.radius(slot);
        let yields = self.particles.positions[slot].w;
        let added = match yields {
            0.0 => 0.0,
            _ => sph.added_viscosity(1.0 / (yields * diameter.powi(3)), diameter * smoothing),
        };
        match self.particles.phases[slot].has(Phase::FLUID) {
            true => added + self.property(slot, |material| material.viscosity, 0.0),
            false => -1.0,
        }
    }

    /// Velocities of the walls that drag liquids along, and how much of its surroundings they are (w), times the viscosity of the material; none where
    /// nothing is viscous.
    fn wall_drags(&self, walls: &[Vec4]) -> Vec<Vec4> {
        let viscous = |material: &Material| material.viscosity > 0.0;
        if !self.frame.materials.as_slice().iter().any(viscous) {
            return Vec::new();
        }
        let mut drags = walls.to_vec();
        { drags.par_chunks_mut(CHUNK).zip(&self.contacts) }
            .enumerate()
            .for_each(|(chunk, (drags, contacts))| {
                for planes in contacts.contacts.chunk_by(|a, b| a.offset == b.offset) {
                    let travel: Vec3 = planes.iter().map(|plane| plane.travel).sum();
                    let offset = planes[0].offset as usize;
                    let viscosity = self.property(chunk * CHUNK + offset, |material| material.viscosity, 0.0);
                    let drag = viscosity * drags[offset].w;
                    drags[offset] = (travel / (self.h * planes.len() as f32)).extend(drag);
                }
            });
        drags
    }
}

/// Pressures over squared densities, as multipliers, pascals.
struct Compress<'a, M> {
    mutual: M,
    sph: Sph,
    lattice: Lattice,
    places: &'a [Vec4],
    walls: &'a [Vec4],
    phases: &'a [Phase],
    inverse_masses: &'a [Vec4],
    smoothing: f32,
}

impl<M: Mutual> Gather for Compress<'_, M> {
    type Value = Pressing;

    #[inline(always)]
    fn renew(&self, i: usize, others: &[u32], pressing: &mut Pressing) {
        *pressing = Pressing::default();
        let yields = self.inverse_masses[i].w;
        if !self.phases[i].has(Phase::FLUID) || yields == 0.0 {
            return;
        }
        let mut sum = [0.0; LANES];
        for eight in eights((i, others), self.places, self.mutual) {
            let [counts, _] = self.mutual.counts(i, &eight.slots);
            for k in 0..LANES {
                sum[k] += counts[k] * spiky(eight.q[k]);
            }
        }
        let density = self.mutual.own() + total(sum) + self.walls[i].w;
        let diameters = self.mutual.inverse_reach(i) * self.smoothing;
        let rest_density = diameters * diameters * diameters / yields;
        pressing.multiplier = self.sph.pressure(&self.lattice, rest_density, density);
    }
}

/// Moves everybody by the pressures and viscosities of the start of the sub-step.
struct Push<'a, M> {
    mutual: M,
    lattice: Lattice,
    /// With pressures over squared densities, which are 0 in solids.
    places: &'a [Vec4],
    /// With viscosities, below zero in solids.
    velocities: &'a [Vec4],
    walls: &'a [Vec4],
    drags: &'a [Vec4],
    smoothing: f32,
    h: f32,
}

impl<M: Mutual> Gather for Push<'_, M> {
    type Value = Vec4;

    #[inline(always)]
    fn renew(&self, i: usize, others: &[u32], predicted: &mut Vec4) {
        if predicted.w == 0.0 {
            return;
        }
        let (own, before) = (self.places[i].w, self.velocities[i]);
        let mut force = [[0.0; LANES]; 3];
        for eight in eights((i, others), self.places, self.mutual) {
            let [counts, _] = self.mutual.counts(i, &eight.slots);
            let [x, y, z] = eight.offset;
            let [u, v, w, viscosity] = fetch(self.velocities, &eight.slots);
            for k in 0..LANES {
                let (q, inverse_reach) = (eight.q[k], eight.inverse_reach[k]);
                let scale = counts[k] * inverse_reach * inverse_reach;
                let pushed = scale * (own + eight.w[k]) * spiky_slope(q) / q;
                let slowed = scale
                    * between(before.w, viscosity[k])
                    * (self.lattice.sum * self.lattice.laplacian)
                    * laplacian(q);
                force[0][k] += pushed * x[k] + slowed * (u[k] - before.x);
                force[1][k] += pushed * y[k] + slowed * (v[k] - before.y);
                force[2][k] += pushed * z[k] + slowed * (w[k] - before.z);
            }
        }
        let mut force = total3(force) + own * self.walls[i].xyz();
        let inverse_reach = self.mutual.inverse_reach(i);
        if let Some(drag) = self.drags.get(i) {
            let held = self.lattice.wall_laplacian * drag.w.max(0.0) * inverse_reach * inverse_reach;
            force += held * (drag.xyz() - before.xyz());
        }
        let diameter = 1.0 / (inverse_reach * self.smoothing);
        let volume = diameter * diameter * diameter;
        *predicted += (self.h * self.h * predicted.w * volume * force).extend(0.0);
    }
}
