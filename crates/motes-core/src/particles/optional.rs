//! Properties that only some particles have, by slot or by id: nothing is stored until one differs from the usual value.

use bytemuck::Pod;
use rayon::prelude::*;

use super::ParticleId;
use super::property::{Column, Spares};
use crate::cpu::CHUNK;

/// One value per particle, by its slot.
#[derive(Clone, Debug)]
pub struct BySlot<T> {
    usual: T,
    /// Slots past the end have the usual value.
    values: Vec<T>,
}

/// One value per particle, by its id.
#[derive(Clone, Debug, PartialEq)]
pub struct ById<T> {
    usual: T,
    /// Indices past the end have the usual value.
    values: Vec<T>,
}

impl<T: Pod + PartialEq> BySlot<T> {
    pub(super) fn new(usual: T) -> Self {
        Self {
            usual,
            values: Vec::new(),
        }
    }

    /// Whether any particle was ever given a value of its own.
    pub fn is_stored(&self) -> bool {
        !self.values.is_empty()
    }

    /// The value of the particle in a slot.
    pub fn get(&self, slot: usize) -> T {
        self.values.get(slot).copied().unwrap_or(self.usual)
    }

    /// Gives the particle in a slot a value.
    pub fn set(&mut self, slot: usize, value: T) {
        give(&mut self.values, self.usual, slot, value);
    }

    /// Stores a value of each of the first `count` slots.
    pub(crate) fn store(&mut self, count: usize) {
        self.values.resize(count, self.usual);
    }

    /// The values of the first `count` slots, to change: all there are, or none where nothing is stored.
    pub(crate) fn values_mut(&mut self, count: usize) -> &mut [T] {
        if self.is_stored() {
            self.values.resize(count, self.usual);
        }
        &mut self.values
    }
}

impl<T: Pod + PartialEq> PartialEq for BySlot<T> {
    fn eq(&self, other: &Self) -> bool {
        let slots = 0..self.values.len().max(other.values.len());
        self.usual == other.usual && slots.into_iter().all(|slot| self.get(slot) == other.get(slot))
    }
}

impl<T: Pod + PartialEq> ById<T> {
    pub(super) fn new(usual: T) -> Self {
        Self {
            usual,
            values: Vec::new(),
        }
    }

    /// Whether any particle was ever given a value of its own.
    pub fn is_stored(&self) -> bool {
        !self.values.is_empty()
    }

    /// The value of a particle.
    pub fn get(&self, id: ParticleId) -> T {
        self.values.get(id.index as usize).copied().unwrap_or(self.usual)
    }

    /// Gives a living particle a value.
    pub fn set(&mut self, id: ParticleId, value: T) {
        give(&mut self.values, self.usual, id.index as usize, value);
    }

    /// All values, those of indices without a particle among them.
    pub(crate) fn values_mut(&mut self) -> &mut [T] {
        &mut self.values
    }
}

fn give<T: Copy + PartialEq>(values: &mut Vec<T>, usual: T, place: usize, value: T) {
    if value == usual && values.len() <= place {
        return;
    }
    if values.len() <= place {
        values.resize(place + 1, usual);
    }
    values[place] = value;
}

impl<T: Pod + PartialEq + Send + Sync> Column for BySlot<T> {
    type Value = T;

    fn push(&mut self, (slot, _): (usize, ParticleId), value: T) {
        self.set(slot, value);
    }

    fn move_slot(&mut self, from: usize, to: usize) {
        self.set(to, self.get(from));
    }

    fn truncate(&mut self, count: usize) {
        self.values.truncate(count);
    }

    fn sort(&mut self, order: &[u32], spares: &mut Spares) {
        if self.is_stored() {
            let spare = spares.of::<T>();
            spare.resize(order.len(), T::zeroed());
            let places = spare.par_iter_mut().zip(order).with_min_len(CHUNK);
            places.for_each(|(to, &from)| *to = self.get(from as usize));
            std::mem::swap(&mut self.values, spare);
        }
    }

    fn is_for(&self, count: usize) -> bool {
        self.values.len() <= count
    }

    fn memory_bytes(&self) -> usize {
        size_of::<T>() * self.values.capacity()
    }

    fn bytes(&self) -> &[u8] {
        // Worlds are the same whether usual values at the end are stored or not.
        let used = self.values.iter().rposition(|value| *value != self.usual);
        bytemuck::cast_slice(&self.values[..used.map_or(0, |last| last + 1)])
    }

    fn optional(&self) -> Option<&dyn OptionalWords> {
        Some(self)
    }

    fn optional_mut(&mut self) -> Option<&mut dyn OptionalWords> {
        Some(self)
    }

    fn save(mut self, ids: &[ParticleId]) -> Vec<T> {
        if self.is_stored() {
            self.values.resize(ids.len(), self.usual);
        }
        self.values
    }

    fn load(&mut self, saved: Option<Vec<T>>, ids: &[ParticleId]) -> Result<(), usize> {
        self.values = saved.unwrap_or_default();
        if self.is_stored() && self.values.len() != ids.len() {
            return Err(self.values.len());
        }
        Ok(())
    }
}

impl<T: Pod + PartialEq + Send + Sync> Column for ById<T> {
    type Value = T;

    fn push(&mut self, (_, id): (usize, ParticleId), value: T) {
        self.set(id, value);
    }

    fn move_slot(&mut self, _: usize, _: usize) {}

    fn truncate(&mut self, _: usize) {}

    fn sort(&mut self, _: &[u32], _: &mut Spares) {}

    fn is_for(&self, _: usize) -> bool {
        true
    }

    fn memory_bytes(&self) -> usize {
        size_of::<T>() * self.values.capacity()
    }

    fn bytes(&self) -> &[u8] {
        bytemuck::cast_slice(&self.values)
    }

    fn optional(&self) -> Option<&dyn OptionalWords> {
        Some(self)
    }

    fn optional_mut(&mut self) -> Option<&mut dyn OptionalWords> {
        Some(self)
    }

    fn save(self, ids: &[ParticleId]) -> Vec<T> {
        let stored = if self.is_stored() { ids } else { &[] };
        stored.iter().map(|&id| self.get(id)).collect()
    }

    fn load(&mut self, saved: Option<Vec<T>>, ids: &[ParticleId]) -> Result<(), usize> {
        let saved = saved.unwrap_or_default();
        if !saved.is_empty() && saved.len() != ids.len() {
            return Err(saved.len());
        }
        self.values.clear();
        for (&id, value) in ids.iter().zip(saved) {
            self.set(id, value);
        }
        Ok(())
    }
}

/// An optional property as the 32-bit words that a device keeps of it, by index of the id: no sort touches them there.
pub trait OptionalWords {
    /// Words of one particle.
    fn words_each(&self) -> usize;
    /// What particles have that are not stored.
    fn usual(&self) -> &[u32];
    /// Whether anything is stored.
    fn is_stored(&self) -> bool;
    /// The words of the particle in a slot, of that id.
    fn words_of(&self, slot: usize, id: ParticleId) -> &[u32];
    /// Takes over the words of all indices for the particles in the first slots, of these ids.
    fn set_words(&mut self, words: &[u32], ids: &[ParticleId]);
}

/// The value of an index among the words of all.
fn value_in<T: Pod>(words: &[u32], id: ParticleId) -> Option<T> {
    let each = size_of::<T>() / 4;
    let own = words.get(id.index as usize * each..)?.get(..each)?;
    Some(bytemuck::pod_read_unaligned(bytemuck::cast_slice(own)))
}

macro_rules! optional_words {
    ($Column:ident, |$slot:ident, $id:ident| $place:expr) => {
        impl<T: Pod + PartialEq> OptionalWords for $Column<T> {
            fn words_each(&self) -> usize {
                size_of::<T>() / 4
            }

            fn usual(&self) -> &[u32] {
                bytemuck::cast_slice(std::slice::from_ref(&self.usual))
            }

            fn is_stored(&self) -> bool {
                Self::is_stored(self)
            }

            fn words_of(&self, $slot: usize, $id: ParticleId) -> &[u32] {
                let value = self.values.get($place).unwrap_or(&self.usual);
                bytemuck::cast_slice(std::slice::from_ref(value))
            }

            fn set_words(&mut self, words: &[u32], ids: &[ParticleId]) {
                for ($slot, &$id) in ids.iter().enumerate() {
                    let value = value_in(words, $id).unwrap_or(self.usual);
                    give(&mut self.values, self.usual, $place, value);
                }
            }
        }
    };
}

optional_words!(BySlot, |slot, _id| slot);
optional_words!(ById, |_slot, id| id.index as usize);
