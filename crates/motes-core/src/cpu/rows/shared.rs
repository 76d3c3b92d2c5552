//! Positions that several threads write, none of them the same.

use std::sync::atomic::{AtomicU32, Ordering};

use glam::Vec4;
use rayon::prelude::*;

use super::super::CHUNK;

/// Positions of participants while rows of one colour are solved, which share no particle. As relaxed atomics, which are plain
/// loads and stores, that needs no promise to the compiler.
#[derive(Default)]
pub(super) struct SharedPositions(Vec<[AtomicU32; 4]>);

impl SharedPositions {
    pub(super) fn get(&self, number: u32) -> Vec4 {
        let words = &self.0[number as usize];
        Vec4::from_array([0, 1, 2, 3].map(|k| f32::from_bits(words[k].load(Ordering::Relaxed))))
    }

    pub(super) fn set(&self, number: u32, position: Vec4) {
        for (word, value) in self.0[number as usize].iter().zip(position.to_array()) {
            word.store(value.to_bits(), Ordering::Relaxed);
        }
    }

    /// Takes positions in.
    pub(super) fn take(&mut self, positions: &[Vec4]) {
        self.0.resize_with(positions.len(), Default::default);
        let there = &*self;
        (0..positions.len() as u32)
            .into_par_iter()
            .with_min_len(CHUNK)
            .for_each(|number| there.set(number, positions[number as usize]));
    }

    /// Gives them back.
    pub(super) fn give(&self, positions: &mut [Vec4]) {
        positions
            .par_iter_mut()
            .enumerate()
            .with_min_len(CHUNK)
            .for_each(|(number, position)| *position = self.get(number as u32));
    }

    pub(super) fn memory_bytes(&self) -> usize {
        16 * self.0.capacity()
    }
}
