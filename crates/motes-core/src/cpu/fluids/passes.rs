//! The passes over neighbours that keep densities.

use std::sync::atomic::{AtomicBool, Ordering};

use glam::{Vec3, Vec3Swizzles, Vec4, Vec4Swizzles};

use super::sums::{LANES, Mutual, eights, total, total3};
use crate::constraints::chebyshev::Pace;
use crate::constraints::density::{self, LEAST_DIVISOR};
use crate::cpu::pairs::Gather;
use crate::particles::phase::Phase;

/// How dense it is about a particle.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Crowd {
    /// By how much it is too dense.
    pub(super) excess: f32,
    /// How many densities move the particle in its busiest direction, times its inverse mass, 1/(kg m).
    pub(super) busy: f32,
}

/// Looks at how dense it is about everybody.
pub(super) struct Crowding<'a, M> {
    pub(super) mutual: M,
    /// With inverse masses.
    pub(super) places: &'a [Vec4],
    pub(super) walls: &'a [Vec4],
    pub(super) phases: &'a [Phase],
}

impl<M: Mutual> Gather for Crowding<'_, M> {
    type Value = Crowd;

    #[inline(always)]
    fn renew(&self, i: usize, others: &[u32], crowd: &mut Crowd) {
        let is_liquid = self.phases[i].has(Phase::FLUID);
        let mut sum = [0.0; LANES];
        let mut along = [[0.0; LANES]; 6];
        let mut slope = [[0.0; LANES]; 3];
        for eight in eights((i, others), self.places, self.mutual) {
            let [counts, counted] = self.mutual.counts(i, &eight.slots);
            let [x, y, z] = eight.offset;
            for k in 0..LANES {
                sum[k] += counts[k] * density::weight(eight.q[k]);
                let steep = density::slope(eight.q[k]) * eight.inverse_reach[k];
                let own = counts[k] * steep * eight.inverse_reach[k];
                slope[0][k] += own * x[k];
                slope[1][k] += own * y[k];
                slope[2][k] += own * z[k];
                let unit = eight.inverse_reach[k] * eight.inverse_reach[k] / eight.q[k].max(f32::MIN_POSITIVE);
                let others = counted[k] * steep * unit;
                along[0][k] += others * x[k] * x[k];
                along[1][k] += others * y[k] * y[k];
                along[2][k] += others * z[k] * z[k];
                along[3][k] += others * x[k] * y[k];
                along[4][k] += others * y[k] * z[k];
                along[5][k] += others * z[k] * x[k];
            }
        }
        let [xx, yy, zz, xy, yz, zx] = along.map(total);
        let (mut diagonal, mut mixed) = (Vec3::new(xx, yy, zz), Vec3::new(xy, yz, zx));
        *crowd = Crowd::default();
        if is_liquid {
            let own = total3(slope) + self.walls[i].xyz();
            let root = own / own.length().sqrt().max(f32::MIN_POSITIVE);
            diagonal += root * root;
            mixed += root * root.yzx();
            crowd.excess = self.mutual.own() + total(sum) + self.walls[i].w - 1.0;
        }
        crowd.busy = density::busiest(diagonal, mixed) * self.places[i].w;
    }
}

/// How hard a particle presses on its neighbours.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Pressing {
    /// Multiplier, kg m².
    pub(super) multiplier: f32,
    /// By how much the last iteration changed it.
    pub(super) change: f32,
    /// One over what it is divided by, kg m².
    pub(super) step: f32,
    /// Excess from before the sub-step that it leaves alone.
    pub(super) left: f32,
}

/// One iteration of everybody's multiplier; the first also finds what they are divided by.
pub(super) struct Press<'a, M> {
    pub(super) mutual: M,
    /// With how busy everybody is.
    pub(super) places: &'a [Vec4],
    pub(super) walls: &'a [Vec4],
    pub(super) phases: &'a [Phase],
    pub(super) inverse_masses: &'a [Vec4],
    /// Divisor in a lattice, for an inverse mass and a reach of 1.
    pub(super) usual: f32,
    pub(super) is_first: bool,
    pub(super) pace: Pace,
}

impl<M: Mutual> Gather for Press<'_, M> {
    type Value = Pressing;

    #[inline(always)]
    fn renew(&self, i: usize, others: &[u32], pressing: &mut Pressing) {
        let yields = self.inverse_masses[i].w;
        if !self.phases[i].has(Phase::FLUID) || yields == 0.0 {
            *pressing = Pressing::default();
            return;
        }
        let mut sum = [0.0; LANES];
        if self.is_first {
            let mut slope = [[0.0; LANES]; 3];
            let mut divisor = [0.0; LANES];
            for eight in eights((i, others), self.places, self.mutual) {
                let [counts, _] = self.mutual.counts(i, &eight.slots);
                let [x, y, z] = eight.offset;
                for k in 0..LANES {
                    sum[k] += counts[k] * density::weight(eight.q[k]);
                    let steep = counts[k] * density::slope(eight.q[k]) * eight.inverse_reach[k];
                    divisor[k] += eight.w[k] * steep * eight.q[k];
                    let scale = steep * eight.inverse_reach[k];
                    slope[0][k] += scale * x[k];
                    slope[1][k] += scale * y[k];
                    slope[2][k] += scale * z[k];
                }
            }
            let own = total3(slope) + self.walls[i].xyz();
            let divisor = total(divisor) + self.places[i].w * own.length();
            let least = LEAST_DIVISOR * self.usual * yields * self.mutual.inverse_reach(i).powi(2);
            pressing.step = 1.0 / divisor.max(least);
            (pressing.multiplier, pressing.change) = (0.0, 0.0);
        } else {
            for eight in eights((i, others), self.places, self.mutual) {
                let [counts, _] = self.mutual.counts(i, &eight.slots);
                for k in 0..LANES {
                    sum[k] += counts[k] * density::weight(eight.q[k]);
                }
            }
        }
        let excess = self.mutual.own() + total(sum) + self.walls[i].w - 1.0 - pressing.left;
        let change = self.pace.keep * pressing.change + self.pace.take * excess * pressing.step;
        let after = (pressing.multiplier + change).max(0.0);
        pressing.change = after - pressing.multiplier;
        pressing.multiplier = after;
    }
}

/// Moves everybody by how much harder it and its neighbours press.
pub(super) struct Move<'a, M> {
    pub(super) mutual: M,
    /// With changes of multipliers, which are 0 in solids.
    pub(super) places: &'a [Vec4],
    pub(super) walls: &'a [Vec4],
    pub(super) phases: &'a [Phase],
    /// Whether solids give way too.
    pub(super) solids: bool,
    /// Whom alone it concerns, if not everybody.
    pub(super) only: Option<&'a [AtomicBool]>,
}

impl<M: Mutual> Gather for Move<'_, M> {
    type Value = Vec4;

    #[inline(always)]
    fn renew(&self, i: usize, others: &[u32], predicted: &mut Vec4) {
        let concerned = |only: &[AtomicBool]| only[i].load(Ordering::Relaxed);
        if !self.solids && !self.phases[i].has(Phase::FLUID) || !self.only.is_none_or(concerned) {
            return;
        }
        let own = self.places[i].w;
        let mut moved = [[0.0; LANES]; 3];
        for eight in eights((i, others), self.places, self.mutual) {
            let [counts, counted] = self.mutual.counts(i, &eight.slots);
            let [x, y, z] = eight.offset;
            for k in 0..LANES {
                let both = own * counts[k] + eight.w[k] * counted[k];
                let scale = both * density::slope(eight.q[k]) * eight.inverse_reach[k] * eight.inverse_reach[k];
                moved[0][k] += scale * x[k];
                moved[1][k] += scale * y[k];
                moved[2][k] += scale * z[k];
            }
        }
        let away = total3(moved) + own * self.walls[i].xyz();
        *predicted += (predicted.w * away).extend(0.0);
    }
}
