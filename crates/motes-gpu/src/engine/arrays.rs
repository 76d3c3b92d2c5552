//! Everything the GPU engine keeps on the device for its particles.

use motes_core::glam::{Vec2, Vec4};

use crate::buffers::Buffer;
use crate::device::Gpu;
use crate::error::GpuError;

/// A particle that was in no slot in the last sub-step.
pub(crate) const NEW: u32 = u32::MAX;

/// Phase, material, slot on the host, slot in the last sub-step.
pub(crate) type Kind = [u32; 4];

/// Room for a table of cells.
pub(crate) fn cell_words(entries: usize, particles: usize) -> usize {
    entries + 4 + 2 * particles
}

/// Buffers with one element per particle, per cell and per pair.
pub(crate) struct Arrays {
    /// Between sorting and the end of a sub-step, what contacts have done to each particle, and whether anything touches
    /// it (w).
    pub(crate) positions: Buffer<Vec4>,
    pub(crate) velocities: Buffer<Vec4>,
    pub(crate) kinds: Buffer<Kind>,
    /// Positions at the start of the sub-step, and what corrections are divided by (w).
    pub(crate) starts: Buffer<Vec4>,
    /// Candidate positions and inverse masses.
    pub(crate) predicted: Buffer<Vec4>,
    /// Velocities before the solve.
    pub(crate) before: Buffer<Vec4>,
    pub(crate) sorted_kinds: Buffer<Kind>,
    /// Where each cell ends, the particles cell by cell, the cell of each particle: see `lib/cells.wgsl`.
    pub(crate) cells: Buffer<u32>,
    /// Numbers of the pairs that other particles own.
    pub(crate) foreign: Buffer<u32>,
    /// With mass scaling, how far an impulse moves either particle of a pair.
    pub(crate) shares: Buffer<Vec2>,
    /// Pairs owned, pairs foreign, pairs without room, nothing; then the first particle of each pair.
    pub(crate) owners: Buffer<u32>,
    /// Particles that blew up in the frame, and the slot of the first.
    pub(crate) blowups: Buffer<u32>,
    /// Pairs of this sub-step and of the last, in turn.
    pub(crate) pairs: [PairArrays; 2],
}

/// The pairs of a sub-step.
pub(crate) struct PairArrays {
    /// First and number of the pairs that a particle owns, then of those that others own.
    pub(crate) ranges: Buffer<[u32; 4]>,
    /// The second particle of each pair.
    pub(crate) members: Buffer<u32>,
    /// Impulse on the first particle of each pair, and what was taken over of it (w); one more, always zero, at the end.
    pub(crate) impulses: Buffer<Vec4>,
}

impl Arrays {
    pub(crate) fn new(gpu: &Gpu) -> Result<Self, GpuError> {
        let vectors = |label| Buffer::new(gpu, label, 1);
        let pairs = || -> Result<PairArrays, GpuError> {
            Ok(PairArrays {
                ranges: Buffer::new(gpu, "pair ranges", 1)?,
                members: Buffer::new(gpu, "pairs", 1)?,
                impulses: Buffer::new(gpu, "impulses", 1)?,
            })
        };
        Ok(Self {
            positions: vectors("positions")?,
            velocities: vectors("velocities")?,
            kinds: Buffer::new(gpu, "kinds", 1)?,
            starts: vectors("starts")?,
            predicted: vectors("predicted")?,
            before: vectors("velocities before")?,
            sorted_kinds: Buffer::new(gpu, "sorted kinds", 1)?,
            cells: Buffer::new(gpu, "cells", 1)?,
            foreign: Buffer::new(gpu, "foreign pairs", 1)?,
            shares: Buffer::new(gpu, "shares", 1)?,
            owners: Buffer::new(gpu, "owners of pairs", 4)?,
            blowups: Buffer::new(gpu, "blowups", 2)?,
            pairs: [pairs()?, pairs()?],
        })
    }

    /// Makes room; says whether any memory was replaced. Positions, velocities, kinds and contacts are then lost.
    pub(crate) fn ensure(
        &mut self,
        particles: usize,
        entries: usize,
        pairs: usize,
        scaled: bool,
    ) -> Result<bool, GpuError> {
        let mut replaced = false;
        for buffer in [
            &mut self.positions,
            &mut self.velocities,
            &mut self.starts,
            &mut self.predicted,
            &mut self.before,
        ] {
            replaced |= buffer.ensure(particles)?;
        }
        replaced |= self.kinds.ensure(particles)?;
        replaced |= self.sorted_kinds.ensure(particles)?;
        replaced |= self.cells.ensure(cell_words(entries, particles))?;
        replaced |= self.foreign.ensure_exactly(pairs)?;
        replaced |= self.owners.ensure_exactly(pairs + 4)?;
        replaced |= self.shares.ensure_exactly(if scaled { pairs + 1 } else { 1 })?;
        for set in &mut self.pairs {
            replaced |= set.ranges.ensure(particles)?;
            replaced |= set.members.ensure_exactly(pairs)?;
            replaced |= set.impulses.ensure_exactly(pairs + 1)?;
        }
        Ok(replaced)
    }

    /// Makes room for more pairs; those of the last sub-step, in set `now`, stay.
    pub(crate) fn ensure_pairs(&mut self, gpu: &Gpu, pairs: usize, scaled: bool, now: usize) -> Result<(), GpuError> {
        let mut encoder = gpu.device().create_command_encoder(&Default::default());
        let [first, second] = &mut self.pairs;
        let (kept, other) = if now == 0 { (first, second) } else { (second, first) };
        kept.members.ensure_keeping_exactly(pairs, &mut encoder)?;
        kept.impulses.ensure_keeping_exactly(pairs + 1, &mut encoder)?;
        other.members.ensure_exactly(pairs)?;
        other.impulses.ensure_exactly(pairs + 1)?;
        self.foreign.ensure_exactly(pairs)?;
        self.owners.ensure_exactly(pairs + 4)?;
        self.shares.ensure_exactly(if scaled { pairs + 1 } else { 1 })?;
        gpu.queue().submit([encoder.finish()]);
        Ok(())
    }

    /// Memory on the device, bytes.
    pub(crate) fn bytes(&self) -> u64 {
        let vectors = [
            &self.positions,
            &self.velocities,
            &self.starts,
            &self.predicted,
            &self.before,
        ];
        let pairs = self
            .pairs
            .iter()
            .map(|set| set.ranges.bytes() + set.members.bytes() + set.impulses.bytes());
        vectors.iter().map(|buffer| buffer.bytes()).sum::<u64>()
            + pairs.sum::<u64>()
            + self.kinds.bytes()
            + self.sorted_kinds.bytes()
            + self.cells.bytes()
            + self.foreign.bytes()
            + self.owners.bytes()
            + self.shares.bytes()
    }
}
