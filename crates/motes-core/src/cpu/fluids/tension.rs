//! Line 26 for liquids: cohesion, surface tension and wetting.

use glam::{Vec4, Vec4Swizzles};
use rayon::prelude::*;

use super::density::{At, note, plane};
use super::sums::{LANES, Mutual, eights, fetch, total3};
use crate::constraints::density::{self, WallPlane};
use crate::constraints::tension::{self, Surface, alike, curves, each_wall, pull, solid_pull, wall_pull};
use crate::cpu::pairs::Gather;
use crate::cpu::{CHUNK, State};
use crate::particles::phase::Phase;

impl State {
    /// Surfaces contract, and liquids hold together and on to solids.
    pub(super) fn contract(&mut self, h: f32) {
        let mut work = std::mem::take(&mut self.fluids);
        let smoothing = self.frame.settings.smoothing_radius;
        let lattice = work.lattice(smoothing);
        let surface = Surface::new(smoothing, &lattice);
        let strengths = tension::strengths(&self.frame, &surface, h);
        let (phases, materials) = (&self.particles.phases, &self.particles.materials);
        let strength = |slot: usize| match phases[slot].has(Phase::FLUID) {
            true => strengths[materials[slot].0 as usize],
            false => Vec4::new(-1.0, 0.0, 0.0, 0.0),
        };
        note(&mut work.places, &self.predicted, |slot| strength(slot).x);
        self.find_walls(&self.predicted, At::End, lattice.wall, &mut work.walls);
        let mut pulls: Vec<Vec4> = { (0..self.predicted.len()).into_par_iter() }
            .map(|slot| strength(slot).yyyz())
            .collect();
        let (places, walls) = (&work.places, &work.walls);
        let steeper = surface.steeper;
        with_mutual!(self, lattice, |mutual| self.neighbors.gather(
            &mut pulls,
            &Tauten {
                mutual,
                places,
                walls,
                steeper,
            }
        ));
        self.pull_to_walls(h, &pulls, [lattice.wall, steeper], &strengths);
        pulls.push(Vec4::ZERO);
        with_mutual!(self, lattice, |mutual| self.neighbors.gather(
            &mut self.particles.velocities,
            &Contract {
                mutual,
                places,
                pulls: &pulls,
                inverse_masses: &self.predicted,
                h,
            }
        ));
        self.fluids = work;
    }

    /// Walls pull as solids do, and have their part in slopes; what they do is done to them.
    fn pull_to_walls(&mut self, h: f32, pulls: &[Vec4], [wall, steeper]: [f32; 2], strengths: &[Vec4]) {
        let (smoothing, predicted) = (self.frame.settings.smoothing_radius, &self.predicted);
        let (phases, materials) = (&self.particles.phases, &self.particles.materials);
        { self.particles.velocities.par_chunks_mut(CHUNK) }
            .zip(&mut self.contacts)
            .enumerate()
            .for_each(|(chunk, (velocities, contacts))| {
                for run in contacts.contacts.chunk_by_mut(|a, b| a.offset == b.offset) {
                    let offset = run[0].offset as usize;
                    let slot = chunk * CHUNK + offset;
                    let strength = strengths[materials[slot].0 as usize];
                    if !phases[slot].has(Phase::FLUID) || strength.x == 0.0 {
                        continue;
                    }
                    let place = predicted[slot].xyz();
                    let planes: Vec<WallPlane> = { run.iter() }
                        .map(|contact| plane(contact, place, At::End, smoothing))
                        .collect();
                    let parts = each_wall(&planes, wall);
                    for ((contact, plane), [curve, part]) in run.iter_mut().zip(&planes).zip(parts) {
                        let reach = 2.0 * contact.radius * smoothing;
                        let along = plane.normal.dot(pulls[slot].xyz()) * steeper * curve / (reach * reach);
                        let force = along - part * strength.w * wall_pull(plane.q) * reach;
                        let gained = force * h * predicted[slot].w;
                        velocities[offset] += (gained * plane.normal).extend(0.0);
                        contact.normal_sum += gained * h;
                    }
                }
            });
    }
}

/// From what squared slopes count to the slope of the density times that, N m², of which the second slopes of the kernel make forces. What solids pull
/// with stays behind it.
struct Tauten<'a, M> {
    mutual: M,
    /// With what pairs pull with; negative in solids.
    places: &'a [Vec4],
    walls: &'a [Vec4],
    steeper: f32,
}

impl<M: Mutual> Gather for Tauten<'_, M> {
    type Value = Vec4;

    #[inline(always)]
    fn renew(&self, i: usize, others: &[u32], pulled: &mut Vec4) {
        let own = self.places[i].w;
        if own <= 0.0 {
            return;
        }
        let mut slope = [[0.0; LANES]; 3];
        for eight in eights((i, others), self.places, self.mutual) {
            let [counts, _] = self.mutual.counts(i, &eight.slots);
            let [x, y, z] = eight.offset;
            for k in 0..LANES {
                let per_reach = eight.inverse_reach[k] * eight.inverse_reach[k];
                let scale = alike(own, eight.w[k]) * counts[k] * density::slope(eight.q[k]) * per_reach;
                slope[0][k] += scale * x[k];
                slope[1][k] += scale * y[k];
                slope[2][k] += scale * z[k];
            }
        }
        let slope = total3(slope) + self.steeper * self.walls[i].xyz();
        let square = self.mutual.inverse_reach(i).powi(-2);
        *pulled = (pulled.x * square * square * slope).extend(pulled.w);
    }
}

/// Forces of pairs and of the slopes of both.
struct Contract<'a, M> {
    mutual: M,
    places: &'a [Vec4],
    /// See [`Tauten`]; the last is of nobody.
    pulls: &'a [Vec4],
    inverse_masses: &'a [Vec4],
    h: f32,
}

impl<M: Mutual> Gather for Contract<'_, M> {
    type Value = Vec4;

    #[inline(always)]
    fn renew(&self, i: usize, others: &[u32], velocity: &mut Vec4) {
        let yields = self.inverse_masses[i].w;
        if yields == 0.0 || others.is_empty() {
            return;
        }
        let own = self.places[i].w;
        let slope = self.pulls[i];
        let mut force = [[0.0; LANES]; 3];
        for eight in eights((i, others), self.places, self.mutual) {
            let [counts, counted] = self.mutual.counts(i, &eight.slots);
            let [x, y, z] = eight.offset;
            let [u, v, w, wetting] = fetch(self.pulls, &eight.slots);
            for k in 0..LANES {
                let (q, other, inverse_reach) = (eight.q[k], eight.w[k], eight.inverse_reach[k]);
                let unit = inverse_reach / q;
                let (nx, ny, nz) = (x[k] * unit, y[k] * unit, z[k] * unit);
                let pulled = if (own < 0.0) | (other < 0.0) {
                    (slope.w + wetting[k]) * solid_pull(q)
                } else {
                    own.min(other) * pull(q)
                };
                let shared = alike(own, other) * inverse_reach * inverse_reach;
                let (u, v, w) = (
                    shared * (counts[k] * slope.x - counted[k] * u[k]),
                    shared * (counts[k] * slope.y - counted[k] * v[k]),
                    shared * (counts[k] * slope.z - counted[k] * w[k]),
                );
                let [along, across] = curves(q);
                let drawn = (along - across) * (nx * u + ny * v + nz * w) - pulled / inverse_reach;
                force[0][k] += drawn * nx + across * u;
                force[1][k] += drawn * ny + across * v;
                force[2][k] += drawn * nz + across * w;
            }
        }
        *velocity += (self.h * yields * total3(force)).extend(0.0);
    }
}
