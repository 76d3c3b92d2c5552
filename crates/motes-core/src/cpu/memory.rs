//! Contacts between particles from one sub-step to the next: which old contact is which new one.

use glam::{Vec3, Vec4};
use rayon::prelude::*;

use super::CHUNK;
use super::batch::{EMPTY, LANES, Quad};
use super::pairs::{Block, List, Pairs, at, resize};
use crate::engine::contacts::ContactMemory;
use crate::particles::ParticleId;

/// No such particle in the sub-step before.
const NEW: u32 = u32::MAX;

/// The pairs and impulses of the last sub-step, and who was in which slot then.
#[derive(Default)]
pub(crate) struct Memory {
    /// Particles in a block.
    length: usize,
    blocks: Vec<Remembered>,
    ids: Vec<ParticleId>,
    /// What colliders did to the particle in each slot then, kg·m.
    supports: Vec<Vec3>,
    /// For every slot now, the slot of the same particle then.
    origins: Vec<u32>,
}

/// The contacts of one block.
#[derive(Default)]
struct Remembered {
    list: List,
    impulses: Vec<Quad>,
    /// Where grains turn.
    couples: Vec<Quad>,
}

/// What one particle had to do with others in higher slots.
#[derive(Clone, Copy, Default)]
struct Own<'a> {
    /// Its slot now, if anybody knows, and then.
    now: Option<u32>,
    then: u32,
    partners: &'a [u32],
    /// Number of its first pair within its block.
    first: usize,
    impulses: &'a [Quad],
    /// Which of the partners is asked for next, most likely.
    next: usize,
}

impl Own<'_> {
    /// Impulse from the particle then in slot `other`, and how fresh the contact was (w).
    #[inline]
    fn impulse(&mut self, other: u32) -> Vec4 {
        // Neighbours mostly follow each other as they did before.
        let found = match self.partners.get(self.next) {
            Some(&partner) if partner == other => Some(self.next),
            _ => self.partners.iter().position(|&partner| partner == other),
        };
        let Some(place) = found else {
            return Vec4::ZERO;
        };
        self.next = place + 1;
        at(self.impulses, self.first + place)
    }
}

impl Memory {
    /// Takes over the contacts of the sub-step that has just ended, and leaves room for new ones.
    pub(super) fn keep(&mut self, pairs: &mut Pairs) {
        self.length = pairs.length;
        self.blocks.resize_with(pairs.blocks.len(), Remembered::default);
        for (old, block) in self.blocks.iter_mut().zip(&mut pairs.blocks) {
            block.list.retire(&mut old.list);
            old.impulses = std::mem::replace(&mut block.impulses, std::mem::take(&mut block.carried));
            std::mem::swap(&mut old.couples, &mut block.couples);
        }
    }

    /// Hands the room of impulses that have been recalled over to what else is known of pairs.
    pub(super) fn forget(&mut self, pairs: &mut Pairs) {
        self.blocks.resize_with(pairs.blocks.len(), Remembered::default);
        for (old, block) in self.blocks.iter_mut().zip(&mut pairs.blocks) {
            block.carried = std::mem::take(&mut old.impulses);
            resize(&mut block.carried, block.list.len(), EMPTY);
        }
    }

    /// Remembers who is in which slot.
    pub(super) fn keep_ids(&mut self, ids: &[ParticleId]) {
        self.ids.clear();
        self.ids.extend_from_slice(ids);
    }

    /// What colliders did in the last sub-step to the particle that is now in a slot, kg·m.
    #[inline]
    pub(super) fn support(&self, slot: usize) -> Vec3 {
        let then = self.origins[slot] as usize;
        self.supports.get(then).copied().unwrap_or(Vec3::ZERO)
    }

    /// The same to be written for each slot of the sub-step that ends.
    pub(super) fn supports_mut(&mut self, count: usize) -> &mut [Vec3] {
        self.supports.resize(count, Vec3::ZERO);
        &mut self.supports
    }

    /// Takes over saved contacts, but for the pairs.
    pub(super) fn load(&mut self, contacts: &ContactMemory) {
        self.keep_ids(&contacts.ids);
        self.supports.clone_from(&contacts.supports);
    }

    /// Whether these were there, in these slots.
    pub(super) fn are_same(&self, ids: &[ParticleId]) -> bool {
        self.ids.len() == ids.len() && self.ids.par_iter().with_min_len(CHUNK).eq(ids)
    }

    /// Who was in which slot.
    pub(super) fn ids(&self) -> &[ParticleId] {
        &self.ids
    }

    /// Finds, for every slot after a sort by `order`, where its particle was in the last sub-step. `ids` are those
    /// before the sort.
    pub(super) fn trace(&mut self, ids: &[ParticleId], order: &[u32]) {
        self.origins.clear();
        if self.are_same(ids) {
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

    /// Fills in the impulses that the contacts of a block had in the last sub-step.
    pub(super) fn recall(&self, block: &mut Block) {
        resize(&mut block.impulses, block.list.len(), EMPTY);
        self.find(&block.list, &mut block.impulses, |old| &old.impulses);
    }

    /// The same of couples, for which there is room.
    pub(super) fn recall_couples(&self, block: &mut Block) {
        self.find(&block.list, &mut block.couples, |old| &old.couples);
    }

    /// Finds what is known of the contacts of a list from the last sub-step.
    #[inline(always)]
    fn find<'a>(&'a self, list: &List, found: &mut [Quad], of: impl Fn(&'a Remembered) -> &'a [Quad]) {
        let mut own = Own::default();
        for (slots, quad) in list.batches().zip(found) {
            let pairs = slots.firsts().iter().zip(slots.seconds());
            for (lane, (&i, &j)) in pairs.enumerate() {
                if own.now != Some(i) {
                    own = self.own(i, &of);
                }
                let other = self.origins[j as usize];
                let impulse = if other > own.then {
                    own.impulse(other)
                } else {
                    let impulse = self.own_then(other, &of).impulse(own.then);
                    (-impulse).with_w(impulse.w)
                };
                for (lanes, value) in quad.iter_mut().zip(impulse.to_array()) {
                    lanes[lane] = value;
                }
            }
        }
    }

    /// The contacts that the particle now in a slot had with higher slots.
    #[inline]
    fn own<'a>(&'a self, slot: u32, of: &impl Fn(&'a Remembered) -> &'a [Quad]) -> Own<'a> {
        Own {
            now: Some(slot),
            ..self.own_then(self.origins[slot as usize], of)
        }
    }

    /// The contacts that the particle then in a slot had with higher slots.
    #[inline]
    fn own_then<'a>(&'a self, then: u32, of: &impl Fn(&'a Remembered) -> &'a [Quad]) -> Own<'a> {
        let place = then as usize;
        let old = self.blocks.get(place / self.length.max(1));
        // Nothing is known of couples from before anything turned.
        let Some(old) = old.filter(|old| then != NEW && !of(old).is_empty()) else {
            return Own { then, ..Own::default() };
        };
        let pairs = old.list.range(place % self.length);
        Own {
            now: None,
            then,
            partners: old.list.seconds(pairs.clone()),
            first: pairs.start,
            impulses: of(old),
            next: 0,
        }
    }

    pub(super) fn memory_bytes(&self) -> usize {
        let blocks = self.blocks.iter();
        blocks
            .map(|old| old.list.memory_bytes() + size_of::<Quad>() * (old.impulses.capacity() + old.couples.capacity()))
            .sum::<usize>()
            + 8 * self.ids.capacity()
            + 12 * self.supports.capacity()
            + 4 * self.origins.capacity()
    }
}

/// The present contacts in a form that can be saved.
pub(super) fn export(pairs: &Pairs, remembered: &Memory) -> ContactMemory {
    let mut memory = ContactMemory::default();
    let ids = &remembered.ids;
    if pairs.particles() != ids.len() {
        return memory;
    }
    memory.ids.clone_from(ids);
    memory.supports.clone_from(&remembered.supports);
    memory.supports.resize(ids.len(), Vec3::ZERO);
    let turns = pairs.blocks.iter().any(|block| !block.couples.is_empty());
    for block in &pairs.blocks {
        for place in 0..block.list.particles() {
            let pairs = block.list.range(place);
            for (pair, &other) in pairs.clone().zip(block.list.seconds(pairs)) {
                let impulse = at(&block.impulses, pair);
                if impulse.truncate() != Vec3::ZERO {
                    memory.others.push(other);
                    memory.impulses.push(impulse);
                    if turns {
                        memory.couples.push(at(&block.couples, pair).truncate());
                    }
                }
            }
            memory.ends.push(memory.others.len() as u32);
        }
    }
    memory
}

/// Pairs that hold nothing but remembered contacts.
pub(super) fn import(memory: &ContactMemory) -> Pairs {
    let mut pairs = Pairs::for_particles(memory.ends.len());
    let length = pairs.length;
    let mut begin = 0;
    let blocks = pairs.blocks.iter_mut().zip(memory.ends.chunks(length)).enumerate();
    for (number, (block, ends)) in blocks {
        let first = begin;
        block.list.refill(number * length, |filling| {
            for (slot, &end) in (number * length..).zip(ends) {
                filling.push(slot as u32, &memory.others[begin..end as usize]);
                begin = end as usize;
            }
        });
        resize(&mut block.impulses, begin - first, EMPTY);
        for (pair, impulse) in memory.impulses[first..begin].iter().enumerate() {
            for (lanes, value) in block.impulses[pair / LANES].iter_mut().zip(impulse.to_array()) {
                lanes[pair % LANES] = value;
            }
        }
        if !memory.couples.is_empty() {
            resize(&mut block.couples, begin - first, EMPTY);
            for (pair, couple) in memory.couples[first..begin].iter().enumerate() {
                for (lanes, value) in block.couples[pair / LANES].iter_mut().zip(couple.to_array()) {
                    lanes[pair % LANES] = value;
                }
            }
        }
    }
    pairs
}
