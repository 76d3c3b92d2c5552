//! The passes over neighbours that change velocities of liquids.

use glam::{Vec3, Vec4, Vec4Swizzles};

use super::sums::{LANES, Mutual, eights, fetch, total, total3};
use crate::constraints::density;
use crate::constraints::viscosity::between;
use crate::cpu::pairs::Gather;

/// Neighbours share their velocities.
pub(super) struct Share<'a, M> {
    pub(super) mutual: M,
    /// With viscosities, Pa·s; negative in solids.
    pub(super) places: &'a [Vec4],
    /// As they were; the last is of nobody.
    pub(super) velocities: &'a [Vec4],
    /// Velocities of walls, and how much of its surroundings they are (w).
    pub(super) walls: &'a [Vec4],
    pub(super) inverse_masses: &'a [Vec4],
    /// Seconds, times what makes the Laplacian of a lattice exact.
    pub(super) scale: f32,
    /// All slopes of a lattice.
    pub(super) steepness: f32,
    /// Volume of a particle, over its smoothing radius cubed.
    pub(super) volume: f32,
}

impl<M: Mutual> Gather for Share<'_, M> {
    type Value = Vec4;

    #[inline(always)]
    fn renew(&self, i: usize, others: &[u32], velocity: &mut Vec4) {
        let own = self.places[i].w;
        let yields = self.inverse_masses[i].w;
        if yields == 0.0 || others.is_empty() {
            return;
        }
        let before = self.velocities[i];
        let mut taken = [[0.0; LANES]; 3];
        let mut sum = [0.0; LANES];
        for eight in eights((i, others), self.places, self.mutual) {
            let [counts, _] = self.mutual.counts(i, &eight.slots);
            let [x, y, z, _] = fetch(self.velocities, &eight.slots);
            for k in 0..LANES {
                let per_reach = eight.inverse_reach[k] * eight.inverse_reach[k];
                let share = between(own, eight.w[k]) * counts[k] * density::slope(eight.q[k]) * per_reach;
                sum[k] += share;
                taken[0][k] += share * (x[k] - before.x);
                taken[1][k] += share * (y[k] - before.y);
                taken[2][k] += share * (z[k] - before.z);
            }
        }
        let inverse_reach = self.mutual.inverse_reach(i);
        let wall = own.max(0.0) * self.walls[i].w * self.steepness * inverse_reach * inverse_reach;
        let all = total(sum) + wall;
        let taken = total3(taken) + wall * (self.walls[i] - before).xyz();
        let volume = self.volume / (inverse_reach * inverse_reach * inverse_reach);
        let part = yields * self.scale * volume;
        // A solid that is lighter than the liquid about it takes its velocity, and no more.
        let most = if own < 0.0 {
            1.0 / all.max(f32::MIN_POSITIVE)
        } else {
            f32::MAX
        };
        let part = part.min(most);
        *velocity += (part * taken).extend(0.0);
    }
}

/// How fast the liquid about a particle turns, rad/s, twice over (Fluids, eq. 15), and how fast at all (w).
pub(super) struct Curl<'a, M> {
    pub(super) mutual: M,
    pub(super) places: &'a [Vec4],
    pub(super) velocities: &'a [Vec4],
}

impl<M: Mutual> Gather for Curl<'_, M> {
    type Value = Vec4;

    #[inline(always)]
    fn renew(&self, i: usize, others: &[u32], curl: &mut Vec4) {
        let before = self.velocities[i];
        let mut sum = [[0.0; LANES]; 3];
        for eight in eights((i, others), self.places, self.mutual) {
            let [counts, _] = self.mutual.counts(i, &eight.slots);
            let [x, y, z] = eight.offset;
            let [u, v, w, _] = fetch(self.velocities, &eight.slots);
            for k in 0..LANES {
                let scale = counts[k] * density::slope(eight.q[k]) * eight.inverse_reach[k] * eight.inverse_reach[k];
                let (u, v, w) = (before.x - u[k], before.y - v[k], before.z - w[k]);
                sum[0][k] += scale * (y[k] * w - z[k] * v);
                sum[1][k] += scale * (z[k] * u - x[k] * w);
                sum[2][k] += scale * (x[k] * v - y[k] * u);
            }
        }
        let sum = total3(sum);
        *curl = sum.extend(sum.length());
    }
}

/// Keeps eddies up that the iterations damp (Fluids, eq. 16).
pub(super) struct Confine<'a, M> {
    pub(super) mutual: M,
    /// With how fast it turns there.
    pub(super) places: &'a [Vec4],
    pub(super) curls: &'a [Vec4],
    /// Strength of each, times seconds and diameter.
    pub(super) strengths: &'a [f32],
}

impl<M: Mutual> Gather for Confine<'_, M> {
    type Value = Vec4;

    #[inline(always)]
    fn renew(&self, i: usize, others: &[u32], velocity: &mut Vec4) {
        if self.strengths[i] == 0.0 {
            return;
        }
        let own = self.places[i].w;
        let mut rise = [[0.0; LANES]; 3];
        for eight in eights((i, others), self.places, self.mutual) {
            let [x, y, z] = eight.offset;
            for k in 0..LANES {
                let scale = (own - eight.w[k]) * density::slope(eight.q[k]);
                rise[0][k] += scale * x[k];
                rise[1][k] += scale * y[k];
                rise[2][k] += scale * z[k];
            }
        }
        let middle = total3(rise).normalize_or_zero();
        let swirl: Vec3 = middle.cross(self.curls[i].xyz());
        *velocity += (self.strengths[i] * swirl).extend(0.0);
    }
}
