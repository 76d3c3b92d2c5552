//! Contacts between particles from one sub-step to the next: which old contact is which new one.

use glam::Vec4;

use super::CHUNK;
use super::neighbors::{ChunkLists, Impulses4, Neighbors};
use crate::contacts::ContactMemory;
use crate::particles::ParticleId;

/// No such particle in the sub-step before.
const NEW: u32 = u32::MAX;

/// The neighbour lists and impulses of the last sub-step, and who was in which slot then.
#[derive(Default)]
pub(crate) struct Memory {
    lists: Neighbors,
    ids: Vec<ParticleId>,
    /// For every slot now, the slot of the same particle then.
    origins: Vec<u32>,
}

impl Memory {
    /// Keeps the lists of the sub-step that has just ended; `lists` receives the older ones, to be built anew.
    pub(super) fn keep(&mut self, lists: &mut Neighbors) {
        std::mem::swap(&mut self.lists, lists);
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

    /// Fills in the impulses that the contacts of the particle in `slot` had in the last sub-step.
    #[inline]
    pub(super) fn recall(&self, slot: usize, neighbors: &[[u32; 4]], impulses: &mut [Impulses4]) {
        let origin = self.origins[slot] as usize;
        let Some(lists) = self
            .lists
            .chunks()
            .get(origin / CHUNK)
            .filter(|_| origin != NEW as usize)
        else {
            return;
        };
        for (block, (places, impulses)) in neighbors.iter().zip(impulses).enumerate() {
            for (lane, &neighbor) in places.iter().enumerate().filter(|(_, place)| **place as usize != slot) {
                let then = self.origins[neighbor as usize];
                if let Some(impulse) = lists.impulse(origin % CHUNK, then, (block, lane)) {
                    impulses.set_lane(lane, impulse);
                }
            }
        }
    }

    pub(super) fn memory_bytes(&self) -> usize {
        self.lists.memory_bytes() + 8 * self.ids.capacity() + 4 * self.origins.capacity()
    }
}

/// The present contacts in a form that can be saved.
pub(super) fn export(lists: &Neighbors, ids: &[ParticleId]) -> ContactMemory {
    let mut memory = ContactMemory::default();
    if lists.chunks().len() != ids.len().div_ceil(CHUNK) {
        return memory;
    }
    memory.ids = ids.to_vec();
    for slot in 0..ids.len() {
        let chunk = &lists.chunks()[slot / CHUNK];
        for (other, impulse) in chunk
            .contacts(slot % CHUNK, slot)
            .filter(|(_, impulse)| *impulse != Vec4::ZERO)
        {
            let carried = chunk
                .impulse(slot % CHUNK, other, (0, 0))
                .map_or(0.0, |(_, carried)| carried);
            memory.others.push(other);
            memory.impulses.push(impulse);
            memory.carried.push(carried);
        }
        memory.ends.push(memory.others.len() as u32);
    }
    memory
}

/// Neighbour lists that hold nothing but remembered contacts.
pub(super) fn import(memory: &ContactMemory) -> Neighbors {
    let mut lists = Neighbors::default();
    let mut begin = 0;
    for (slot, &end) in memory.ends.iter().enumerate() {
        if slot % CHUNK == 0 {
            lists.chunks_mut().push(ChunkLists::default());
        }
        let range = begin..end as usize;
        if let Some(chunk) = lists.chunks_mut().last_mut() {
            chunk.push(slot, &memory.others[range.clone()]);
            let (_, blocks) = chunk.contacts_mut(slot % CHUNK);
            for (k, contact) in range.enumerate() {
                blocks[k / 4].set_lane(k % 4, (memory.impulses[contact], memory.carried[contact]));
            }
        }
        begin = end as usize;
    }
    lists
}
