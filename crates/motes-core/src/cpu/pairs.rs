//! Pairs of near particles, found once a sub-step from the sorted grid, and what passes between them.
//!
//! A pair belongs to the particle in the lower slot, which lists it; the other one knows it by its number. So a contact
//! is worked out once, and each particle then gathers what its pairs have to say: its own ones lie side by side, those
//! of others are looked up.

use std::ops::Range;

use glam::{Vec3, Vec4, Vec4Swizzles};
use rayon::prelude::*;
use wide::f32x4;

use super::CHUNK;
use super::grid::{Four, Grid};
use super::vector::{self, Kernel};
use crate::phase::Phase;

/// All pairs of a sub-step.
#[derive(Default)]
pub(crate) struct Pairs {
    owned: Vec<Owned>,
    foreign: Vec<Foreign>,
    /// Number of the first pair of each chunk, and the number of all.
    offsets: Vec<u32>,
    /// Coordinates in slot order, each padded to be read four at a time.
    coordinates: [Vec<f32>; 3],
}

/// Pairs that belong to the particles of one chunk, particle by particle.
#[derive(Default)]
pub(crate) struct Owned {
    /// End of each particle's pairs within the chunk.
    ends: Vec<u32>,
    /// Slot of the particle itself, and of the other, for each pair.
    firsts: Vec<u32>,
    seconds: Vec<u32>,
}

/// For the particles of one chunk, the numbers of the pairs that other particles own.
#[derive(Default)]
pub(crate) struct Foreign {
    ends: Vec<u32>,
    /// While the lists are built, slots of the owners.
    pairs: Vec<u32>,
    /// Neighbours of the particle being looked at.
    found: Vec<u32>,
}

#[inline]
fn range(ends: &[u32], place: usize) -> Range<usize> {
    let begin = if place == 0 { 0 } else { ends[place - 1] as usize };
    begin..ends[place] as usize
}

/// Gives back what a list that grew by doubling does not need.
fn trim<T>(list: &mut Vec<T>) {
    if list.capacity() > list.len() + list.len() / 4 + 16 {
        list.shrink_to(list.len() + list.len() / 16);
    }
}

impl Owned {
    /// Slots of the partners of the particle at a place in the chunk.
    #[inline]
    pub(super) fn partners(&self, place: usize) -> &[u32] {
        &self.seconds[range(&self.ends, place)]
    }

    /// The pairs of the particle at a place in the chunk, counted from the chunk's first.
    #[inline]
    pub(super) fn range(&self, place: usize) -> Range<usize> {
        range(&self.ends, place)
    }

    /// Slots of the second particles of all pairs.
    #[inline]
    pub(super) fn seconds(&self) -> &[u32] {
        &self.seconds
    }

    /// Slots of the first particles of all pairs.
    #[inline]
    pub(super) fn firsts(&self) -> &[u32] {
        &self.firsts
    }

    /// Both slots of each pair.
    #[inline]
    pub(super) fn iter(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        let slots = self.firsts.iter().zip(&self.seconds);
        slots.map(|(&first, &second)| (first as usize, second as usize))
    }

    /// Adds the pairs of the next particle.
    pub(super) fn push(&mut self, slot: u32, partners: &[u32]) {
        self.firsts.extend(partners.iter().map(|_| slot));
        self.seconds.extend_from_slice(partners);
        self.ends.push(self.seconds.len() as u32);
    }

    pub(super) fn len(&self) -> usize {
        self.seconds.len()
    }
}

impl Foreign {
    /// Numbers of the pairs in which the particle at a place in the chunk is the second.
    #[inline]
    pub(super) fn pairs(&self, place: usize) -> &[u32] {
        &self.pairs[range(&self.ends, place)]
    }
}

impl Pairs {
    /// Finds all pairs of particles nearer than `distance` that may collide. For each particle, `seen` is told of its
    /// neighbours in higher and in lower slots, and what it makes of them goes to `out`.
    pub(crate) fn build<T: Send>(
        &mut self,
        grid: &Grid,
        positions: &[Vec4],
        phases: &[Phase],
        distance: f32,
        out: &mut [T],
        seen: impl Fn(usize, [&[u32]; 2]) -> T + Sync,
    ) {
        let count = positions.len();
        let chunks = count.div_ceil(CHUNK);
        self.split_coordinates(positions);
        self.owned.resize_with(chunks, Owned::default);
        self.foreign.resize_with(chunks, Foreign::default);
        let uniform = phases
            .first()
            .is_none_or(|first| first.has(Phase::SELF_COLLIDE) && phases.par_iter().all(|phase| phase == first));
        let search = Search {
            grid,
            positions,
            coordinates: &self.coordinates,
            phases,
            uniform,
            limit: distance * distance,
        };
        (&mut self.owned, &mut self.foreign, out.par_chunks_mut(CHUNK))
            .into_par_iter()
            .enumerate()
            .for_each(|(chunk, (owned, foreign, out))| {
                vector::run(ListChunk {
                    search: &search,
                    first: chunk * CHUNK,
                    owned,
                    foreign,
                    out,
                    seen: &seen,
                });
            });
        self.number();
        let (owned, offsets) = (&self.owned, &self.offsets);
        self.foreign
            .par_iter_mut()
            .enumerate()
            .for_each(|(chunk, foreign)| foreign.resolve(chunk * CHUNK, owned, offsets));
    }

    fn split_coordinates(&mut self, positions: &[Vec4]) {
        for (axis, coordinates) in self.coordinates.iter_mut().enumerate() {
            coordinates.resize(positions.len() + 3, 0.0);
            coordinates
                .par_iter_mut()
                .zip(positions)
                .with_min_len(CHUNK)
                .for_each(|(coordinate, position)| *coordinate = position[axis]);
        }
    }

    /// Counts the pairs through.
    pub(super) fn number(&mut self) {
        self.offsets.clear();
        self.offsets.push(0);
        let mut total = 0;
        for owned in &self.owned {
            total += owned.len() as u32;
            self.offsets.push(total);
        }
    }

    /// Number of pairs.
    pub(crate) fn len(&self) -> usize {
        self.offsets.last().map_or(0, |&total| total as usize)
    }

    /// Pairs by the chunk of their owners.
    pub(crate) fn owned(&self) -> &[Owned] {
        &self.owned
    }

    pub(super) fn owned_mut(&mut self) -> &mut Vec<Owned> {
        &mut self.owned
    }

    /// Pairs by the chunk of their second particles.
    pub(crate) fn foreign(&self) -> &[Foreign] {
        &self.foreign
    }

    /// Exchanges which pairs belong to whom with another list; the rest stays.
    pub(super) fn swap_owned(&mut self, other: &mut Self) {
        std::mem::swap(&mut self.owned, &mut other.owned);
        std::mem::swap(&mut self.offsets, &mut other.offsets);
    }

    /// Number of the first pair of a chunk.
    #[inline]
    pub(crate) fn offset(&self, chunk: usize) -> usize {
        self.offsets[chunk] as usize
    }

    /// Cuts an array with a value for every pair, or an empty one, into the parts of the chunks.
    pub(crate) fn split<'a, T>(&self, mut values: &'a mut [T]) -> Vec<&'a mut [T]> {
        self.owned
            .iter()
            .map(|owned| {
                let length = owned.len().min(values.len());
                let (part, rest) = std::mem::take(&mut values).split_at_mut(length);
                values = rest;
                part
            })
            .collect()
    }

    /// Memory held, bytes.
    pub(crate) fn memory_bytes(&self) -> usize {
        let owned = self
            .owned
            .iter()
            .map(|o| o.ends.capacity() + o.firsts.capacity() + o.seconds.capacity());
        let foreign = self
            .foreign
            .iter()
            .map(|f| f.ends.capacity() + f.pairs.capacity() + f.found.capacity());
        let coordinates = self.coordinates.iter().map(Vec::capacity);
        4 * (owned.sum::<usize>() + foreign.sum::<usize>() + coordinates.sum::<usize>() + self.offsets.capacity())
    }
}

impl Foreign {
    /// Replaces the owners of the pairs by the pairs' numbers.
    fn resolve(&mut self, first: usize, owned: &[Owned], offsets: &[u32]) {
        for place in 0..self.ends.len() {
            let slot = (first + place) as u32;
            for pair in &mut self.pairs[range(&self.ends, place)] {
                let (chunk, owner) = (*pair as usize / CHUNK, *pair as usize % CHUNK);
                let list = &owned[chunk];
                let range = list.range(owner);
                let within = list.seconds[range.clone()].iter().position(|&second| second == slot);
                debug_assert!(within.is_some(), "distance must not depend on who measures it");
                *pair = offsets[chunk] + (range.start + within.unwrap_or(0)) as u32;
            }
        }
    }
}

/// What the search for neighbours looks at.
struct Search<'a> {
    grid: &'a Grid,
    positions: &'a [Vec4],
    coordinates: &'a [Vec<f32>; 3],
    phases: &'a [Phase],
    /// All particles have one phase and it collides with itself: nothing to filter.
    uniform: bool,
    /// Distance squared.
    limit: f32,
}

/// The search for the pairs of one chunk.
struct ListChunk<'a, T, F> {
    search: &'a Search<'a>,
    first: usize,
    owned: &'a mut Owned,
    foreign: &'a mut Foreign,
    out: &'a mut [T],
    seen: &'a F,
}

impl<T, F: Fn(usize, [&[u32]; 2]) -> T> Kernel for ListChunk<'_, T, F> {
    #[inline(always)]
    fn run(self) {
        let Self {
            search,
            first,
            owned,
            foreign,
            out,
            seen,
        } = self;
        owned.ends.clear();
        owned.firsts.clear();
        foreign.ends.clear();
        let (mut own, mut others) = (0, 0);
        let mut fours = Vec::with_capacity(64);
        let mut around: Option<u32> = None;
        for (i, out) in (first..).zip(out) {
            let entry = search.grid.entries()[i];
            if around != Some(entry) {
                search.grid.around(entry, &mut fours);
                around = Some(entry);
                make_room(&mut foreign.found, 4 * fours.len());
            }
            let near = search.near(search.positions[i].xyz(), &fours, &mut foreign.found);
            let mut found = &mut foreign.found[..near];
            if !search.uniform || search.positions[i].w == 0.0 {
                let kept = search.keep(i, found);
                found = &mut found[..kept];
            }
            let (own_begin, others_begin) = (own, others);
            make_room(&mut owned.seconds, own + found.len());
            make_room(&mut foreign.pairs, others + found.len());
            let slot = i as u32;
            for &other in &*found {
                owned.seconds[own] = other;
                own += usize::from(other > slot);
                foreign.pairs[others] = other;
                others += usize::from(other < slot);
            }
            owned.firsts.resize(own, slot);
            *out = seen(
                i,
                [&owned.seconds[own_begin..own], &foreign.pairs[others_begin..others]],
            );
            owned.ends.push(own as u32);
            foreign.ends.push(others as u32);
        }
        owned.seconds.truncate(own);
        foreign.pairs.truncate(others);
        trim(&mut owned.firsts);
        trim(&mut owned.seconds);
        trim(&mut foreign.pairs);
    }
}

/// For every choice of four lanes, the chosen ones in front.
const CHOSEN: [[u32; 4]; 16] = {
    let mut table = [[0; 4]; 16];
    let mut choice = 0;
    while choice < 16 {
        let (mut lane, mut place) = (0, 0);
        while lane < 4 {
            if choice >> lane & 1 == 1 {
                table[choice][place] = lane as u32;
                place += 1;
            }
            lane += 1;
        }
        choice += 1;
    }
    table
};

fn make_room(list: &mut Vec<u32>, count: usize) {
    if list.len() < count {
        list.resize(count + count / 4, 0);
    }
}

impl Search<'_> {
    /// Writes the slots of all particles near a point to `out`; returns how many there are.
    #[inline(always)]
    fn near(&self, point: Vec3, fours: &[Four], out: &mut [u32]) -> usize {
        let [x, y, z] = point.to_array().map(f32x4::splat);
        let limit = f32x4::splat(self.limit);
        // Of one length and with room for four, which spares the compiler all but one check.
        let [xs, ys, zs] = &self.coordinates;
        let count = xs.len();
        let (ys, zs) = (&ys[..count], &zs[..count]);
        let mut found = 0;
        for &Four { place, mask } in fours {
            let at = place as usize;
            if at + 4 > count || found + 4 > out.len() {
                break;
            }
            let four = |values: &[f32]| f32x4::new([values[at], values[at + 1], values[at + 2], values[at + 3]]);
            let (dx, dy, dz) = (four(xs) - x, four(ys) - y, four(zs) - z);
            let near = (dx * dx + dy * dy + dz * dz).simd_lt(limit).to_bitmask() & mask;
            // All four are written, those that are near first; the next four go over the rest.
            for (out, lane) in out[found..found + 4].iter_mut().zip(CHOSEN[near as usize & 15]) {
                *out = place + lane;
            }
            found += near.count_ones() as usize;
        }
        found
    }

    /// Moves those that may collide with particle `i` to the front; returns how many there are.
    #[inline]
    fn keep(&self, i: usize, found: &mut [u32]) -> usize {
        let pinned = self.positions[i].w == 0.0;
        let mut kept = 0;
        for k in 0..found.len() {
            let other = found[k];
            let mut collides = other as usize != i;
            if !self.uniform || pinned {
                collides &= self.phases[i].collides_with(self.phases[other as usize]);
                collides &= !pinned || self.positions[other as usize].w != 0.0;
            }
            found[kept] = other;
            kept += usize::from(collides);
        }
        kept
    }
}

#[cfg(test)]
mod tests;
