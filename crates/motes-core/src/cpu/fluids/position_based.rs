//! Liquids keep their density as in *Position Based Fluids*: everybody's multiplier, then everybody moves.

use glam::{Vec4, Vec4Swizzles};
use rayon::prelude::*;

use super::density::{At, FluidWork, note};
use super::passes::Pressing;
use super::sums::{LANES, Mutual, eights, total, total3};
use crate::constraints::position_based::{self, Denominator, Filled, LEAST, PositionBased};
use crate::cpu::pairs::Gather;
use crate::cpu::{CHUNK, State};
use crate::particles::phase::Phase;

impl State {
    /// Lines 9 to 19 of Algorithm 1 of the paper, for densities.
    pub(super) fn constrain_densities(&mut self, work: &mut FluidWork, settings: PositionBased) {
        let filled = work.filled(self.frame.settings.smoothing_radius);
        let is_first = work.advance();
        let FluidWork {
            places,
            walls,
            pressing,
            pushes,
            ..
        } = work;
        let (predicted, phases) = (&self.predicted, &self.particles.phases);
        pressing.resize(predicted.len(), Pressing::default());
        self.find_walls(predicted, At::End, filled.wall, walls);
        note(places, predicted, |slot| predicted[slot].w);
        with_mutual!(self, filled, |mutual| {
            if is_first {
                pushes.clear();
                if settings.artificial_pressure > 0.0 {
                    let push = |slot: usize| {
                        let yields = if phases[slot].has(Phase::FLUID) {
                            predicted[slot].w
                        } else {
                            0.0
                        };
                        filled.push(&settings, yields, mutual.inverse_reach(slot))
                    };
                    pushes.extend((0..predicted.len()).map(push).chain([0.0]));
                }
            }
            self.neighbors.gather(
                pressing,
                &Constrain {
                    mutual,
                    places,
                    walls,
                    phases,
                    settings,
                    filled,
                    is_first,
                },
            );
        });
        (&mut *places, &*pressing, &mut self.touched)
            .into_par_iter()
            .with_min_len(CHUNK)
            .for_each(|(place, pressing, touched)| {
                place.w = pressing.change;
                *touched |= pressing.change != 0.0;
            });
        with_mutual!(self, filled, |mutual| self.neighbors.gather(
            &mut self.predicted,
            &Displace {
                mutual,
                places,
                walls,
                pushes,
                settings,
            }
        ));
    }
}

/// Everybody's multiplier (eq. 11), from where everybody is.
struct Constrain<'a, M> {
    mutual: M,
    /// With inverse masses.
    places: &'a [Vec4],
    walls: &'a [Vec4],
    phases: &'a [Phase],
    settings: PositionBased,
    filled: Filled,
    is_first: bool,
}

impl<M: Mutual> Gather for Constrain<'_, M> {
    type Value = Pressing;

    #[inline(always)]
    fn renew(&self, i: usize, others: &[u32], pressing: &mut Pressing) {
        let yields = self.places[i].w;
        if self.is_first || yields == 0.0 {
            *pressing = Pressing::default();
        }
        if !self.phases[i].has(Phase::FLUID) || yields == 0.0 {
            return;
        }
        let mut sum = [0.0; LANES];
        let mut slope = [[0.0; LANES]; 3];
        let mut squares = [0.0; LANES];
        let mut lightest = [yields; LANES];
        for eight in eights((i, others), self.places, self.mutual) {
            let [counts, _] = self.mutual.counts(i, &eight.slots);
            let [x, y, z] = eight.offset;
            for k in 0..LANES {
                sum[k] += counts[k] * position_based::weight(eight.q[k]);
                let steep = counts[k] * position_based::slope(eight.q[k]) * eight.inverse_reach[k];
                let scale = steep * eight.inverse_reach[k];
                slope[0][k] += scale * x[k];
                slope[1][k] += scale * y[k];
                slope[2][k] += scale * z[k];
                squares[k] += eight.w[k] * (steep * eight.q[k]) * (steep * eight.q[k]);
                lightest[k] = lightest[k].max(eight.w[k]);
            }
        }
        let own = total3(slope) + self.walls[i].xyz();
        let inverse_reach = self.mutual.inverse_reach(i);
        let usual = self.filled.denominator(yields, inverse_reach);
        let denominator = match self.settings.denominator {
            Denominator::Exact => total(squares) + yields * own.length_squared(),
            Denominator::Precomputed => {
                let lightest = lightest.into_iter().fold(0.0, f32::max);
                self.filled.denominator(lightest, inverse_reach)
            }
        };
        let excess = self.mutual.own() + total(sum) + self.walls[i].w - 1.0;
        let softened = (denominator + self.settings.relaxation * usual).max(LEAST * usual);
        pressing.change = self.settings.error(excess) / softened;
        pressing.multiplier += pressing.change;
    }
}

/// Moves everybody by its own and its neighbours' multipliers (eq. 14).
struct Displace<'a, M> {
    mutual: M,
    /// With multipliers, which are 0 in solids.
    places: &'a [Vec4],
    walls: &'a [Vec4],
    /// Halves of artificial pressures, which are 0 in solids; empty without.
    pushes: &'a [f32],
    settings: PositionBased,
}

impl<M: Mutual> Gather for Displace<'_, M> {
    type Value = Vec4;

    #[inline(always)]
    fn renew(&self, i: usize, others: &[u32], predicted: &mut Vec4) {
        let own = self.places[i].w;
        let mut moved = [[0.0; LANES]; 3];
        for eight in eights((i, others), self.places, self.mutual) {
            let [counts, counted] = self.mutual.counts(i, &eight.slots);
            let [x, y, z] = eight.offset;
            let mut both = [0.0; LANES];
            for k in 0..LANES {
                both[k] = own * counts[k] + eight.w[k] * counted[k];
            }
            if !self.pushes.is_empty() {
                let crowding = self.settings.crowding(eight.q);
                for k in 0..LANES {
                    let pushes = self.pushes[i] * counts[k] + self.pushes[eight.slots[k] as usize] * counted[k];
                    both[k] += pushes * crowding[k];
                }
            }
            for k in 0..LANES {
                let per_reach = eight.inverse_reach[k] * eight.inverse_reach[k];
                let scale = both[k] * position_based::slope(eight.q[k]) * per_reach;
                moved[0][k] += scale * x[k];
                moved[1][k] += scale * y[k];
                moved[2][k] += scale * z[k];
            }
        }
        let away = total3(moved) + own * self.walls[i].xyz();
        *predicted += (predicted.w * away).extend(0.0);
    }
}
