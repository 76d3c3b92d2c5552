//! Predictive-corrective SPH: pressures from the density errors of predicted places, and what they do along the slopes at the start of a sub-step.

use glam::Vec4;
use rayon::prelude::*;

use super::density::{At, FluidWork, note};
use super::passes::{Move, Press, Pressing};
use crate::constraints::chebyshev::Pace;
use crate::constraints::pcisph;
use crate::cpu::{CHUNK, State};

impl State {
    /// One iteration.
    pub(super) fn correct_pressures(&mut self, work: &mut FluidWork) {
        let smoothing = self.frame.settings.smoothing_radius;
        let lattice = work.lattice(smoothing);
        let is_first = work.advance();
        let FluidWork {
            places,
            walls,
            pressing,
            ..
        } = work;
        if is_first {
            pressing.resize(self.predicted.len(), Pressing::default());
            let divisor = pcisph::divisor(smoothing, &lattice);
            { pressing.par_iter_mut().zip(&self.predicted) }
                .enumerate()
                .with_min_len(CHUNK)
                .for_each(|(slot, (pressing, place))| {
                    let reach = 2.0 * self.radius(slot) * smoothing;
                    *pressing = Pressing {
                        step: reach * reach / (divisor * place.w),
                        ..Pressing::default()
                    };
                });
        }
        self.find_walls(&self.predicted, At::End, lattice.wall, walls);
        note(places, &self.predicted, |_| 0.0);
        with_mutual!(self, lattice, |mutual| self.neighbors.gather(
            pressing,
            &Press {
                mutual,
                places,
                walls,
                phases: &self.particles.phases,
                inverse_masses: &self.predicted,
                usual: lattice.divisor,
                is_first: false,
                pace: Pace::PLAIN,
            }
        ));
        let positions: &[Vec4] = &self.particles.positions;
        self.find_walls(positions, At::Start, lattice.wall, walls);
        note(places, positions, |slot| pressing[slot].change);
        { self.touched.par_iter_mut().zip(&*pressing) }
            .with_min_len(CHUNK)
            .for_each(|(touched, pressing)| *touched |= pressing.multiplier > 0.0);
        with_mutual!(self, lattice, |mutual| self.neighbors.gather(
            &mut self.predicted,
            &Move {
                mutual,
                places,
                walls,
                phases: &self.particles.phases,
                solids: true,
                only: None,
            }
        ));
    }
}
