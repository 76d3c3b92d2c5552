//! Neighbours within the smoothing radius, for sums over them: every particle lists the slots of its own, in a fixed order.
//!
//! Fluid particles list all that is near, solid ones the fluid near them. Nothing is known of a neighbour but its slot.

use std::ops::Range;

use glam::{Vec4, Vec4Swizzles};
use rayon::prelude::*;

use super::search::{OneReach, Reach, Search, SizedReach, make_room};
use super::{BLOCKS, Pairs};
use crate::cpu::CHUNK;
use crate::cpu::grid::{Grid, push_fours};
use crate::cpu::vector::{self, Kernel};
use crate::particles::phase::Phase;
use crate::particles::sizes::cells_within;

/// The neighbours of all particles.
#[derive(Default)]
pub(crate) struct Neighbors {
    /// Particles in a block; there are fewer in the last.
    length: usize,
    blocks: Vec<Block>,
}

/// The neighbours of the particles of one block, particle by particle.
#[derive(Default)]
struct Block {
    ends: Vec<u32>,
    others: Vec<u32>,
}

impl Block {
    #[inline]
    fn of(&self, place: usize) -> &[u32] {
        let begin = if place == 0 { 0 } else { self.ends[place - 1] };
        &self.others[begin as usize..self.ends[place] as usize]
    }
}

/// How far neighbours are looked for.
pub(crate) struct Within<'a> {
    /// Distance of particles of one size, metres.
    pub(crate) distance: f32,
    /// Where they are of several sizes.
    pub(crate) sizes: Option<SizedReach<'a>>,
    /// The same in widths of cells.
    pub(crate) cells: f32,
}

impl Neighbors {
    /// Slots of the neighbours of the particle in a slot.
    #[cfg(test)]
    pub(crate) fn of(&self, slot: usize) -> &[u32] {
        self.blocks[slot / self.length].of(slot % self.length)
    }

    /// Number of particles.
    pub(crate) fn particles(&self) -> usize {
        self.blocks.iter().map(|block| block.ends.len()).sum()
    }

    /// How many there are, once for either side.
    pub(crate) fn len(&self) -> usize {
        let last = |block: &Block| block.ends.last().map_or(0, |&end| end as usize);
        self.blocks.iter().map(last).sum()
    }

    /// Goes through all particles, with the slot of each and those of its neighbours.
    pub(crate) fn for_each(&self, work: impl Fn(usize, &[u32]) + Sync) {
        self.blocks.par_iter().enumerate().for_each(|(number, block)| {
            for place in 0..block.ends.len() {
                work(number * self.length + place, block.of(place));
            }
        });
    }

    /// Works out a value for every particle from its slot and those of its neighbours.
    pub(crate) fn pass<T: Send>(&self, values: &mut [T], work: impl Fn(usize, &[u32]) -> T + Sync) {
        let chunks = values.par_chunks_mut(self.length.max(1)).zip(&self.blocks);
        chunks.enumerate().for_each(|(number, (values, block))| {
            for (place, value) in values.iter_mut().enumerate() {
                *value = work(number * self.length + place, block.of(place));
            }
        });
    }

    /// Renews a value of every particle, in code for wide registers.
    pub(crate) fn gather<G: Gather>(&self, values: &mut [G::Value], gather: &G) {
        let chunks = values.par_chunks_mut(self.length.max(1)).zip(&self.blocks);
        chunks.enumerate().for_each(|(number, (values, block))| {
            vector::run(GatherBlock {
                first: number * self.length,
                block,
                values,
                gather,
            });
        });
    }

    pub(crate) fn memory_bytes(&self) -> usize {
        let bytes = |block: &Block| 4 * (block.ends.capacity() + block.others.capacity());
        self.blocks.iter().map(bytes).sum()
    }
}

/// What a particle makes of its neighbours.
pub(crate) trait Gather: Sync {
    /// What there is of every particle.
    type Value: Send;
    /// Renews the value of a particle from its slot and those of its neighbours. To be inlined.
    fn renew(&self, i: usize, others: &[u32], value: &mut Self::Value);
}

struct GatherBlock<'a, G: Gather> {
    first: usize,
    block: &'a Block,
    values: &'a mut [G::Value],
    gather: &'a G,
}

impl<G: Gather> Kernel for GatherBlock<'_, G> {
    #[inline(always)]
    fn run(self) {
        for (place, value) in self.values.iter_mut().enumerate() {
            self.gather.renew(self.first + place, self.block.of(place), value);
        }
    }
}

impl Pairs {
    /// Lists all neighbours that are summed. Positions have to be in [`Self::coordinates`] as well.
    pub(crate) fn list_neighbors(
        &self,
        grid: &Grid,
        positions: &[Vec4],
        phases: &[Phase],
        within: &Within<'_>,
        neighbors: &mut Neighbors,
    ) {
        let count = positions.len();
        let length = count.div_ceil(4 * BLOCKS).next_multiple_of(CHUNK).max(CHUNK);
        neighbors.length = length;
        neighbors.blocks.resize_with(count.div_ceil(length), Block::default);
        let search = Search {
            grid,
            positions,
            coordinates: &self.coordinates,
            phases,
            uniform: phases.par_iter().all(|phase| phase.has(Phase::FLUID)),
            apart: false,
            distance: within.distance,
            sizes: within.sizes,
            rests: None,
            solids: None,
            passing: None,
        };
        neighbors.blocks.par_iter_mut().enumerate().for_each(|(number, block)| {
            vector::run(ListNeighbors {
                search: &search,
                cells: within.cells,
                slots: number * length..((number + 1) * length).min(count),
                block,
            });
        });
    }
}

/// The search for the neighbours of one block.
struct ListNeighbors<'a> {
    search: &'a Search<'a>,
    cells: f32,
    slots: Range<usize>,
    block: &'a mut Block,
}

impl Kernel for ListNeighbors<'_> {
    #[inline(always)]
    fn run(self) {
        let search = self.search;
        match search.sizes {
            None => self.list(&OneReach::new(search.distance)),
            Some(reach) => self.list(&reach),
        }
    }
}

impl ListNeighbors<'_> {
    #[inline(always)]
    fn list(self, reach: &impl Reach) {
        let Self {
            search,
            cells,
            slots,
            block,
        } = self;
        let Block { ends, others } = block;
        ends.clear();
        let mut count = 0;
        let mut rows = Vec::with_capacity(256);
        let mut around: Option<u32> = None;
        for i in slots {
            let (point, entry) = (search.positions[i].xyz(), search.grid.entries()[i]);
            if around != Some(entry) || search.sizes.is_some() {
                let level = reach.level(i) as i32;
                let aside = |other: usize| cells_within(cells, level - other as i32);
                rows.clear();
                search
                    .grid
                    .around(point, aside, |from, to| push_fours(from, to, &mut rows));
                around = Some(entry);
            }
            make_room(others, count + 4 * rows.len());
            let found = &mut others[count..];
            let near = search.near(reach, reach.radius(i), point, &rows, found);
            count += search.keep_summed(i, &mut found[..near]);
            ends.push(count as u32);
        }
        others.truncate(count);
        if others.capacity() > count + count / 3 + 256 {
            others.shrink_to(count + count / 16);
        }
    }
}

impl Search<'_> {
    /// Moves those that are summed with particle `i`, which it is not itself, to the front; returns how many there are.
    #[inline(always)]
    fn keep_summed(&self, i: usize, found: &mut [u32]) -> usize {
        if self.uniform || self.phases[i].has(Phase::FLUID) {
            let Some(own) = found.iter().position(|&other| other == i as u32) else {
                return found.len();
            };
            found.copy_within(own + 1.., own);
            return found.len() - 1;
        }
        let mut kept = 0;
        for k in 0..found.len() {
            let other = found[k];
            found[kept] = other;
            kept += usize::from(self.phases[i].is_summed(self.phases[other as usize]));
        }
        kept
    }
}
