//! Fluids: who is near whom, and what they make of it.

/// One pass over the neighbours, for particles of one size or of several.
macro_rules! with_mutual {
    ($state:expr, $lattice:expr, |$mutual:ident| $work:expr) => {
        if $state.radii.is_empty() {
            let $mutual = $crate::cpu::fluids::sums::Alike {
                inverse_reach: 1.0 / $state.frame.settings.smoothing_distance(),
                counts: 1.0 / $lattice.sum,
            };
            $work
        } else {
            let $mutual = $crate::cpu::fluids::sums::Unlike {
                radii: &$state.radii,
                reach: $state.frame.settings.smoothing_radius,
                counts: 1.0 / $lattice.sum,
            };
            $work
        }
    };
}

mod density;
mod flow;
mod foam;
mod forces;
mod gas;
mod passes;
mod pcisph;
mod position_based;
mod sph;
mod sums;
mod tension;

use glam::{Vec4, Vec4Swizzles};

pub(crate) use self::density::FluidWork;
use super::State;
use super::pairs::{Neighbors, SizedReach, Within};
use crate::constraints::smoothing::{poly6_scale, poly6_shape};

impl State {
    /// The second list of the search: everything within the smoothing radius of fluids, found in the same cells.
    pub(crate) fn find_fluid_neighbors(&mut self) {
        let settings = &self.frame.settings;
        let within = Within {
            distance: settings.smoothing_distance(),
            sizes: self.frame.sizes.as_ref().map(|sizes| SizedReach {
                sizes,
                radii: &self.radii,
                reach: settings.smoothing_radius,
            }),
            cells: settings.smoothing_radius / self.cell_width(),
        };
        let phases = &self.particles.phases;
        self.pairs
            .list_neighbors(&self.grid, &self.predicted, phases, &within, &mut self.neighbors);
    }

    /// Distance within which two particles count in each other's sums, metres.
    #[inline]
    fn smoothing_distance(&self, i: usize, j: usize) -> f32 {
        self.frame.settings.smoothing_radius * (self.radius(i) + self.radius(j))
    }

    /// Weight of all neighbours of each particle, and its own if it is fluid.
    pub(crate) fn number_densities(&self) -> Vec<f32> {
        let positions = &self.particles.positions;
        if self.neighbors.particles() != positions.len() {
            return Vec::new();
        }
        let mut densities = vec![0.0; positions.len()];
        if self.radii.is_empty() {
            let distance = self.frame.settings.smoothing_distance();
            self.density_pass(&self.neighbors, positions, &mut densities, |_, _| distance);
        } else {
            let distance = |i, j| self.smoothing_distance(i, j);
            self.density_pass(&self.neighbors, positions, &mut densities, distance);
        }
        densities
    }

    fn density_pass(
        &self,
        neighbors: &Neighbors,
        positions: &[Vec4],
        densities: &mut [f32],
        distance: impl Fn(usize, usize) -> f32 + Sync,
    ) {
        let phases = &self.particles.phases;
        neighbors.pass(densities, |i, others| {
            let own = f32::from(u8::from(phases[i].is_summed(phases[i])));
            let mut sum = own * poly6_scale(distance(i, i));
            for &other in others {
                let j = other as usize;
                let (offset, radius) = ((positions[j] - positions[i]).xyz(), distance(i, j));
                sum += poly6_scale(radius) * poly6_shape(offset.length_squared(), radius);
            }
            sum
        });
    }
}
