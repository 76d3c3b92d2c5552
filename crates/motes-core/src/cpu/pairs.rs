//! The broad phase: pairs of near particles, found once a sub-step from the sorted grid, and what passes between them.
//!
//! A pair belongs to the particle in the lower slot, which lists it, so that a contact is worked out once. Particles
//! are cut into blocks; a block holds the pairs of its particles and all that is known of them, by the batch.

mod list;
mod neighbors;
mod search;

use std::ops::Range;

use glam::Vec4;
use rayon::prelude::*;

pub(super) use self::list::{List, Slots};
pub(super) use self::neighbors::{Gather, Neighbors, Within};
use self::search::{ListBlock, Search};
pub(super) use self::search::{SizedReach, Solid};
use super::CHUNK;
use super::batch::{LANES, Quad};
use super::grid::Grid;
use super::passing::Passing;
use super::sums::{Sums, Totals};
use super::vector;
use crate::particles::phase::Phase;
use crate::particles::rest::RestOverlaps;

/// Blocks that particles are cut into, at most. A fixed number, so that results do not depend on the number of threads.
const BLOCKS: usize = 32;

/// All pairs of a sub-step.
#[derive(Default)]
pub(crate) struct Pairs {
    /// Particles in a block; there are fewer in the last.
    pub(super) length: usize,
    pub(super) blocks: Vec<Block>,
    /// Coordinates in slot order, each padded to be read four at a time.
    coordinates: [Vec<f32>; 3],
}

/// The pairs of one block, and what is known of them.
#[derive(Default)]
pub(crate) struct Block {
    pub(super) list: List,
    /// What each pair has done in this sub-step, on its first particle, kg·m (xyz); how much of it, along the normal,
    /// it was warm-started with (w).
    pub(super) impulses: Vec<Quad>,
    /// By how much of that the last iteration extrapolated it (Nesterov acceleration, xyz).
    pub(super) carried: Vec<Quad>,
    /// Where grains turn, the couple of each pair on its first particle over its effective radius, kg·m; and how much of it was extrapolated.
    pub(super) couples: Vec<Quad>,
    pub(super) carried_couples: Vec<Quad>,
    /// With mass scaling (eq. 21), factors on the inverse masses of both particles.
    pub(super) shares: Vec<[f32; 2]>,
    pub(super) sums: [Sums; 2],
    /// Where bodies have inscribed balls, which way the contacts with these lead.
    pub(super) pointing: Sums,
}

impl Block {
    /// Slots of the block's particles and, for each pair, its impulse.
    pub(super) fn iter(&self) -> impl Iterator<Item = ((usize, usize), Vec4)> + '_ {
        let numbered = self.list.iter().enumerate();
        numbered.map(|(pair, slots)| (slots, at(&self.impulses, pair)))
    }

    fn memory_bytes(&self) -> usize {
        self.list.memory_bytes()
            + size_of::<Quad>() * (self.impulses.capacity() + self.carried.capacity())
            + size_of::<Quad>() * (self.couples.capacity() + self.carried_couples.capacity())
            + 8 * self.shares.capacity()
            + self.sums.iter().map(Sums::memory_bytes).sum::<usize>()
            + self.pointing.memory_bytes()
    }
}

/// The values of one pair.
#[inline]
pub(super) fn at(quads: &[Quad], pair: usize) -> Vec4 {
    let (quad, lane) = (&quads[pair / LANES], pair % LANES);
    Vec4::new(quad[0][lane], quad[1][lane], quad[2][lane], quad[3][lane])
}

/// Makes room for the values of a number of pairs, without the doubling of a vector that grows.
pub(super) fn resize<T: Copy>(values: &mut Vec<T>, pairs: usize, empty: T) {
    let count = pairs.div_ceil(LANES);
    if values.capacity() < count || values.capacity() > count + count / 4 + 4 {
        *values = Vec::with_capacity(count + count / 16);
    }
    values.resize(count, empty);
}

/// Which particles are pairs.
pub(super) struct Meeting<'a> {
    /// Distance within which particles of one size are neighbours, metres.
    pub(super) distance: f32,
    /// Where they are of several sizes.
    pub(super) sizes: Option<SizedReach<'a>>,
    /// Where they have rest positions.
    pub(super) rests: Option<RestOverlaps<'a>>,
    /// Where bodies have inscribed balls.
    pub(super) solids: Option<Solid<'a>>,
    /// Where some may have passed each other.
    pub(super) passing: Option<Passing<'a>>,
}

impl Pairs {
    /// Finds all pairs of particles that are near enough and may collide; `each` then looks at every block. Their
    /// positions have to be in [`Self::coordinates`] as well.
    pub(crate) fn build(
        &mut self,
        grid: &Grid,
        positions: &[Vec4],
        phases: &[Phase],
        meeting: &Meeting<'_>,
        each: impl Fn(&mut Block) + Sync,
    ) {
        let count = positions.len();
        let &Meeting {
            distance,
            sizes,
            rests,
            solids,
            passing,
        } = meeting;
        self.cut(count);
        let one = phases
            .first()
            .filter(|&first| phases.par_iter().all(|phase| phase == first));
        let search = Search {
            grid,
            positions,
            coordinates: &self.coordinates,
            phases,
            uniform: one.is_some_and(|phase| {
                phase.touches(*phase) && !(rests.is_some() && phase.ignores_rest_overlaps(*phase))
            }),
            apart: one.is_some_and(|phase| !phase.touches(*phase)),
            distance,
            sizes,
            rests,
            solids,
            passing,
        };
        let length = self.length;
        self.blocks.par_iter_mut().enumerate().for_each(|(number, block)| {
            let first = number * length;
            block.list.refill(first, |filling| {
                vector::run(ListBlock {
                    search: &search,
                    slots: first..(first + length).min(count),
                    filling,
                });
            });
            each(block);
        });
    }

    /// Blocks for a number of particles, without any pairs.
    pub(super) fn for_particles(count: usize) -> Self {
        let mut pairs = Self::default();
        pairs.cut(count);
        pairs
    }

    fn cut(&mut self, count: usize) {
        self.length = count.div_ceil(BLOCKS).next_multiple_of(CHUNK).max(CHUNK);
        self.blocks.resize_with(count.div_ceil(self.length), Block::default);
    }

    /// The first or the second sums of all blocks, for a range of slots.
    pub(super) fn totals(&self, which: usize, slots: Range<usize>) -> Totals<'_> {
        Totals::new(self.blocks.iter().map(|block| &block.sums[which]), slots)
    }

    /// Which way the contacts with inscribed balls lead, of a range of slots.
    pub(super) fn pointing(&self, slots: Range<usize>) -> Totals<'_> {
        Totals::new(self.blocks.iter().map(|block| &block.pointing), slots)
    }

    /// Number of particles.
    pub(super) fn particles(&self) -> usize {
        self.blocks.iter().map(|block| block.list.particles()).sum()
    }

    /// Room for the coordinates of a number of particles, which [`Self::build`] looks at.
    pub(crate) fn coordinates(&mut self, count: usize) -> [&mut [f32]; 3] {
        self.coordinates.each_mut().map(|coordinates| {
            coordinates.resize(count + 3, 0.0);
            &mut coordinates[..count]
        })
    }

    /// Memory held, bytes.
    pub(crate) fn memory_bytes(&self) -> usize {
        let coordinates = self.coordinates.iter().map(Vec::capacity);
        self.blocks.iter().map(Block::memory_bytes).sum::<usize>() + 4 * coordinates.sum::<usize>()
    }
}

#[cfg(test)]
mod tests;
