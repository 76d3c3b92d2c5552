//! Storage of what comes and goes, behind handles with generations.

use serde::{Deserialize, Serialize};

/// Slots of things that come and go, behind handles that are never reused.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Arena<T> {
    slots: Vec<(u32, Option<T>)>,
    /// All slots before this one are taken.
    #[serde(skip)]
    taken: usize,
}

impl<T> Default for Arena<T> {
    fn default() -> Self {
        Self {
            slots: Vec::new(),
            taken: 0,
        }
    }
}

impl<T: PartialEq> PartialEq for Arena<T> {
    fn eq(&self, other: &Self) -> bool {
        self.slots == other.slots
    }
}

impl<T> Arena<T> {
    /// Puts a value into the first free slot; returns its index and generation.
    pub(crate) fn insert(&mut self, value: T) -> (u32, u32) {
        let rest = &self.slots[self.taken..];
        let index = self.taken + rest.iter().take_while(|(_, slot)| slot.is_some()).count();
        if index == self.slots.len() {
            self.slots.push((0, None));
        }
        self.taken = index + 1;
        self.slots[index].1 = Some(value);
        (index as u32, self.slots[index].0)
    }

    pub(crate) fn get(&self, index: u32, generation: u32) -> Option<&T> {
        self.slots
            .get(index as usize)
            .filter(|slot| slot.0 == generation)
            .and_then(|slot| slot.1.as_ref())
    }

    pub(crate) fn get_mut(&mut self, index: u32, generation: u32) -> Option<&mut T> {
        self.slots
            .get_mut(index as usize)
            .filter(|slot| slot.0 == generation)
            .and_then(|slot| slot.1.as_mut())
    }

    pub(crate) fn remove(&mut self, index: u32, generation: u32) -> Option<T> {
        let slot = self.slots.get_mut(index as usize)?;
        if slot.0 != generation {
            return None;
        }
        let value = slot.1.take()?;
        slot.0 = slot.0.wrapping_add(1);
        self.taken = self.taken.min(index as usize);
        Some(value)
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = ((u32, u32), &T)> {
        self.slots
            .iter()
            .enumerate()
            .filter_map(|(index, slot)| slot.1.as_ref().map(|value| ((index as u32, slot.0), value)))
    }

    pub(crate) fn values(&self) -> impl Iterator<Item = &T> + Clone {
        self.slots.iter().filter_map(|slot| slot.1.as_ref())
    }

    /// The same, to change.
    pub(crate) fn values_mut(&mut self) -> impl Iterator<Item = &mut T> {
        self.slots.iter_mut().filter_map(|slot| slot.1.as_mut())
    }

    /// The value in a slot, whatever its generation.
    pub(crate) fn at(&self, index: u32) -> Option<&T> {
        self.slots.get(index as usize).and_then(|slot| slot.1.as_ref())
    }

    pub(crate) fn len(&self) -> usize {
        self.slots.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_handle_to_something_removed_finds_nothing() {
        let mut arena = Arena::default();
        let (index, generation) = arena.insert("first");
        arena.remove(index, generation);
        let second = arena.insert("second");
        assert_eq!(second.0, index);
        assert_eq!(arena.get(index, generation), None);
        assert_eq!(arena.get(second.0, second.1), Some(&"second"));
    }

    #[test]
    fn the_first_free_slot_is_filled_whatever_came_and_went() {
        let mut arena = Arena::default();
        let handles: Vec<_> = (0..5).map(|value| arena.insert(value)).collect();
        for place in [3, 1] {
            arena.remove(handles[place].0, handles[place].1);
        }
        let filled: Vec<u32> = (5..8).map(|value| arena.insert(value).0).collect();
        assert_eq!(filled, [1, 3, 5]);
        assert_eq!(arena.iter().count(), 6);
    }
}
