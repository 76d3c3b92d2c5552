//! Keeps all particle arrays in the order of the grid, so that neighbours in space are neighbours in memory.

use bytemuck::Zeroable;
use glam::{Vec4, Vec4Swizzles};
use rayon::prelude::*;

use super::batch::{LANES, Rule, RunBlock};
use super::predict::destination;
use super::sums::Totals;
use super::vector::{self, Kernel};
use super::{CHUNK, State};
use crate::constraints::contact::Terms;
use crate::constraints::relaxation::{self, Averaging};
use crate::material::MaterialId;
use crate::particles::ParticleId;
use crate::particles::phase::Phase;

/// Buffers that the arrays are rearranged through.
#[derive(Default)]
pub(crate) struct Scratch {
    pub(super) vectors: Vec<Vec4>,
    phases: Vec<Phase>,
    materials: Vec<MaterialId>,
    floats: Vec<f32>,
    ids: Vec<ParticleId>,
}

impl Scratch {
    pub(super) fn memory_bytes(&self) -> usize {
        16 * self.vectors.capacity()
            + 4 * (self.phases.capacity() + self.materials.capacity() + self.floats.capacity())
            + 8 * self.ids.capacity()
    }
}

impl State {
    /// Lines 6–7: sorts the particles by cell, finds pairs of neighbours, and counts how many contacts each particle's
    /// corrections have to be shared among.
    pub(super) fn find_neighbors(&mut self) {
        let settings = &self.frame.settings;
        let distance = settings.neighbor_distance();
        self.grid.sort(&self.predicted, distance);
        let order = self.grid.order();
        let particles = &mut self.particles;
        self.memory.keep(&mut self.pairs);
        self.memory.trace(&particles.ids, order);
        let scratch = &mut self.sort;
        rearrange(order, &mut particles.positions, &mut scratch.vectors);
        rearrange(order, &mut particles.velocities, &mut scratch.vectors);
        rearrange_unlike(order, &mut particles.phases, &mut scratch.phases);
        rearrange_unlike(order, &mut particles.materials, &mut scratch.materials);
        rearrange_unlike(order, &mut particles.lifetimes, &mut scratch.floats);
        rearrange(order, &mut particles.ids, &mut scratch.ids);
        particles.mark_reordered();
        self.memory.keep_ids(&particles.ids);
        self.predict_again();
        self.locate_bodies();
        self.locate_rows();
        self.turn_fields();
        let mut pairs = std::mem::take(&mut self.pairs);
        let (source, terms) = (self.source(&self.predicted, 0.0), Terms::new(&self.frame.settings, 0.0));
        pairs.build(&self.grid, &self.predicted, &self.particles.phases, distance, |block| {
            let rule = Rule::Count;
            vector::run(RunBlock {
                block,
                source: &source,
                rule,
                terms: &terms,
            });
        });
        self.pairs = pairs;
        self.divide();
    }

    /// Works out the candidate positions in their new order, which is quicker than to bring them there, and their
    /// coordinates one by one.
    fn predict_again(&mut self) {
        let (h, particles) = (self.h, &self.particles);
        let [x, y, z] = self.pairs.coordinates(particles.len());
        let to = (&mut self.predicted, x, y, z);
        let from = (&particles.positions, &particles.velocities);
        let moves = to.into_par_iter().zip(from.into_par_iter()).with_min_len(CHUNK);
        moves.for_each(|((predicted, x, y, z), (position, velocity))| {
            *predicted = destination(*position, *velocity, h);
            [*x, *y, *z] = predicted.xyz().to_array();
        });
    }

    /// Notes the starting positions, and how far one of many impulses may count on moving each particle: as if its mass
    /// were divided among its neighbours (Tonge et al. 2012). Every neighbour counts, touching or not: it may come to act during the sub-step, and glue acts at a distance.
    fn divide(&mut self) {
        self.anchors.resize(self.particles.len(), Vec4::ZERO);
        let (pairs, length) = (&self.pairs, self.pairs.length.max(1));
        let (starts, averaging) = (&self.particles.positions, self.frame.settings.averaging);
        self.anchors
            .par_chunks_mut(length)
            .zip(starts.par_chunks(length))
            .enumerate()
            .for_each(|(block, (anchors, starts))| {
                let slots = block * length..block * length + anchors.len();
                vector::run(DivideBlock {
                    diagonal: pairs.totals(0, slots.clone()),
                    mixed: pairs.totals(1, slots),
                    averaging,
                    starts,
                    anchors,
                });
            });
    }
}

/// Finds how far an impulse may count on moving the particles of a block.
struct DivideBlock<'a> {
    /// What lies on the diagonals of `Σ n nᵀ`, and how many there are (w); the rest.
    diagonal: Totals<'a>,
    mixed: Totals<'a>,
    averaging: Averaging,
    starts: &'a [Vec4],
    anchors: &'a mut [Vec4],
}

impl Kernel for DivideBlock<'_> {
    #[inline(always)]
    fn run(self) {
        let lanes = self.anchors.chunks_mut(LANES).zip(self.starts.chunks(LANES));
        for (batch, (anchors, starts)) in lanes.enumerate() {
            let (diagonal, mixed) = (self.diagonal.at(batch * LANES), self.mixed.at(batch * LANES));
            let mut divisors = [0.0; LANES];
            for lane in 0..LANES {
                let (diagonal, mixed) = (diagonal[lane], mixed[lane]);
                divisors[lane] = relaxation::divisor(self.averaging, diagonal.w, diagonal.xyz(), mixed.xyz());
            }
            for ((anchor, start), divisor) in anchors.iter_mut().zip(starts).zip(divisors) {
                *anchor = start.with_w(divisor * start.w);
            }
        }
    }
}

/// Rearranges values unless all are the same, as they mostly are.
fn rearrange_unlike<T: Copy + Zeroable + PartialEq + Send + Sync>(
    order: &[u32],
    values: &mut Vec<T>,
    scratch: &mut Vec<T>,
) {
    let first = values.first().copied();
    if values.par_iter().with_min_len(CHUNK).any(|&value| Some(value) != first) {
        rearrange(order, values, scratch);
    }
}

fn rearrange<T: Copy + Zeroable + Send + Sync>(order: &[u32], values: &mut Vec<T>, scratch: &mut Vec<T>) {
    scratch.resize(values.len(), T::zeroed());
    scratch
        .par_iter_mut()
        .zip(order)
        .with_min_len(CHUNK)
        .for_each(|(to, &from)| *to = values[from as usize]);
    std::mem::swap(values, scratch);
}
