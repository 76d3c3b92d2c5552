//! Contacts between particles from one sub-step to the next: which old contact is which new one.

use glam::Vec4;

use super::CHUNK;
use super::pairs::{Owned, Pairs};
use crate::contacts::ContactMemory;
use crate::particles::ParticleId;

/// No such particle in the sub-step before.
const NEW: u32 = u32::MAX;

/// The pairs and impulses of the last sub-step, and who was in which slot then.
#[derive(Default)]
pub(crate) struct Memory {
    pairs: Pairs,
    /// Impulses of the last sub-step; once they have been recalled, room for whatever passes between particles.
    pub(super) impulses: Vec<Vec4>,
    ids: Vec<ParticleId>,
    /// For every slot now, the slot of the same particle then.
    origins: Vec<u32>,
}

impl Memory {
    /// Keeps the contacts of the sub-step that has just ended, and hands back the older ones' place.
    pub(super) fn keep(&mut self, pairs: &mut Pairs, impulses: &mut Vec<Vec4>) {
        self.pairs.swap_owned(pairs);
        std::mem::swap(&mut self.impulses, impulses);
    }

    /// Remembers who is in which slot.
    pub(super) fn keep_ids(&mut self, ids: &[ParticleId]) {
        self.ids.clear();
        self.ids.extend_from_slice(ids);
    }

    /// Who was in which slot.
    pub(super) fn ids(&self) -> &[ParticleId] {
        &self.ids
    }

    /// Finds, for every slot after a sort by `order`, where its particle was in the last sub-step. `ids` are those
    /// before the sort.
    pub(super) fn trace(&mut self, ids: &[ParticleId], order: &[u32]) {
        self.origins.clear();
        if self.ids == ids {
            self.origins.extend_from_slice(order);
            return;
        }
        let size = self.ids.iter().map(|id| id.index as usize + 1).max().unwrap_or(0);
        let mut slots = vec![NEW; size];
        for (slot, id) in self.ids.iter().enumerate() {
            slots[id.index as usize] = slot as u32;
        }
        self.origins.extend(order.iter().map(|&place| {
            let id = ids[place as usize];
            let slot = slots.get(id.index as usize).copied().unwrap_or(NEW);
            if slot != NEW && self.ids[slot as usize] == id {
                slot
            } else {
                NEW
            }
        }));
    }

    /// The impulses that the contacts of a chunk had in the last sub-step.
    pub(super) fn recall(&self, owned: &Owned, impulses: &mut [Vec4]) {
        for ((i, j), impulse) in owned.iter().zip(impulses) {
            *impulse = self.impulse(self.origins[i], self.origins[j]);
        }
    }

    /// Impulse on the particle then in slot `i` by the one in slot `j`, and how much of it had been carried over (w).
    #[inline]
    fn impulse(&self, i: u32, j: u32) -> Vec4 {
        let (low, high) = (i.min(j), i.max(j));
        let Some(owned) = self.pairs.owned().get(low as usize / CHUNK).filter(|_| high != NEW) else {
            return Vec4::ZERO;
        };
        let place = low as usize % CHUNK;
        let Some(found) = owned.partners(place).iter().position(|&second| second == high) else {
            return Vec4::ZERO;
        };
        let pair = self.pairs.offset(low as usize / CHUNK) + owned.range(place).start + found;
        let impulse = self.impulses[pair];
        if i < j { impulse } else { (-impulse).with_w(impulse.w) }
    }

    pub(super) fn memory_bytes(&self) -> usize {
        self.pairs.memory_bytes()
            + 16 * self.impulses.capacity()
            + 8 * self.ids.capacity()
            + 4 * self.origins.capacity()
    }
}

/// The present contacts in a form that can be saved.
pub(super) fn export(pairs: &Pairs, impulses: &[Vec4], ids: &[ParticleId]) -> ContactMemory {
    let mut memory = ContactMemory::default();
    if pairs.owned().len() != ids.len().div_ceil(CHUNK) {
        return memory;
    }
    memory.ids = ids.to_vec();
    let mut impulses = impulses.iter();
    for (chunk, owned) in pairs.owned().iter().enumerate() {
        for place in 0..CHUNK.min(ids.len() - chunk * CHUNK) {
            for (&other, &impulse) in owned.partners(place).iter().zip(impulses.by_ref()) {
                if impulse != Vec4::ZERO {
                    memory.others.push(other);
                    memory.impulses.push(impulse);
                }
            }
            memory.ends.push(memory.others.len() as u32);
        }
    }
    memory
}

/// Pairs that hold nothing but remembered contacts, and their impulses.
pub(super) fn import(memory: &ContactMemory) -> (Pairs, Vec<Vec4>) {
    let mut pairs = Pairs::default();
    let mut begin = 0;
    for (slot, &end) in memory.ends.iter().enumerate() {
        if slot % CHUNK == 0 {
            pairs.owned_mut().push(Owned::default());
        }
        if let Some(owned) = pairs.owned_mut().last_mut() {
            owned.push(slot as u32, &memory.others[begin..end as usize]);
        }
        begin = end as usize;
    }
    pairs.number();
    (pairs, memory.impulses.clone())
}
