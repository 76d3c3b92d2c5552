//! Particles that have rows, numbered in the order of the grid when rows were added last: neighbours by rows stay
//! neighbours in memory however they move, and however the engine sorts them.

use glam::Vec4;
use rayon::prelude::*;

use super::super::CHUNK;
use super::super::shapes::NONE;
use crate::particles::ParticleId;
use crate::store::batch::Batch;

/// Participants with more rows of a kind than this come last: pins with the tethers of half a sheet, which would keep waiting those beside
/// them that are worked on at once.
const CROWDED: u32 = 32;

#[derive(Default)]
pub(super) struct Participants {
    /// Who they are, and the number of each by the index of its id.
    ids: Vec<ParticleId>,
    pub(super) numbers: Vec<u32>,
    /// Slot of each participant, and the participant in each slot.
    pub(super) slots: Vec<u32>,
    in_slot: Vec<u32>,
}

impl Participants {
    pub(super) fn len(&self) -> usize {
        self.ids.len()
    }

    /// Numbers all particles that have rows of some kinds, in the order of their slots.
    pub(super) fn number<const N: usize>(&mut self, batches: [&Batch; N], ids: &[ParticleId]) {
        let (mut involved, mut crowded) = (Vec::new(), Vec::new());
        for &id in ids {
            match batches.map(|batch| batch.rows_of(id)).into_iter().max() {
                None | Some(0) => {}
                Some(1..=CROWDED) => involved.push(id),
                Some(_) => crowded.push(id),
            }
        }
        involved.extend(crowded);
        self.enroll(&involved);
    }

    /// Numbers particles in the order given.
    pub(super) fn enroll(&mut self, ids: &[ParticleId]) {
        self.ids.clear();
        self.ids.extend(ids);
        let indices = self.ids.iter().map(|id| id.index as usize + 1).max().unwrap_or(0);
        self.numbers.clear();
        self.numbers.resize(indices, NONE);
        for (number, id) in (0..).zip(&self.ids) {
            self.numbers[id.index as usize] = number;
        }
    }

    /// Finds all of them in their slots.
    pub(super) fn locate(&mut self, ids: &[ParticleId]) {
        let (numbers, participants) = (&self.numbers, &self.ids);
        self.in_slot.resize(ids.len(), NONE);
        (&mut self.in_slot, ids)
            .into_par_iter()
            .with_min_len(CHUNK)
            .for_each(|(participant, id)| {
                let number = numbers.get(id.index as usize).copied().unwrap_or(NONE);
                let known = number != NONE && participants[number as usize] == *id;
                *participant = if known { number } else { NONE };
            });
        self.slots.clear();
        self.slots.resize(self.ids.len(), NONE);
        for (slot, &participant) in (0..).zip(&self.in_slot) {
            if participant != NONE {
                self.slots[participant as usize] = slot;
            }
        }
    }

    /// Fetches their positions.
    pub(super) fn fetch(&self, to: &mut Vec<Vec4>, positions: &[Vec4]) {
        to.resize(self.slots.len(), Vec4::ZERO);
        (&mut *to, &self.slots)
            .into_par_iter()
            .with_min_len(CHUNK)
            .for_each(|(position, &slot)| *position = positions.get(slot as usize).copied().unwrap_or_default());
    }

    /// Brings them back.
    pub(super) fn give_back(&self, from: &[Vec4], positions: &mut [Vec4]) {
        self.change(positions, |number, position| *position = from[number]);
    }

    /// Changes what is known of each particle that is one of them.
    pub(super) fn change(&self, values: &mut [Vec4], each: impl Fn(usize, &mut Vec4) + Sync) {
        (values, &self.in_slot)
            .into_par_iter()
            .with_min_len(CHUNK)
            .for_each(|(value, &participant)| {
                if participant != NONE {
                    each(participant as usize, value);
                }
            });
    }

    pub(super) fn memory_bytes(&self) -> usize {
        let words = [&self.numbers, &self.slots, &self.in_slot];
        4 * words.iter().map(|list| list.capacity()).sum::<usize>() + 8 * self.ids.capacity()
    }
}
