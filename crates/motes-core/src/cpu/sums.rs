//! What pairs do to particles, added up.
//!
//! Every block of particles has sums of its own for all slots that its pairs reach, so that blocks can be worked on
//! side by side. A particle's total is then put together from them block by block: always in the same order.

use std::ops::Range;

use glam::Vec4;

use super::batch::LANES;
use super::pairs::Slots;

/// Sums for a run of slots.
#[derive(Clone, Default)]
pub(super) struct Sums {
    first: usize,
    values: Vec<Vec4>,
}

impl Sums {
    /// Starts from zero for the slots of a range.
    pub(super) fn clear(&mut self, slots: Range<usize>) {
        self.first = slots.start;
        self.values.clear();
        if self.values.capacity() < slots.len() {
            self.values.reserve_exact(slots.len() + slots.len() / 32);
        }
        self.values.resize(slots.len(), Vec4::ZERO);
    }

    /// Gives the first particle of each pair a value and the second one its reverse.
    #[inline(always)]
    pub(super) fn give_and_take(&mut self, slots: Slots, values: &[Vec4; LANES]) {
        slots.add(&mut self.values, self.first, values, |has, given| has - given);
    }

    /// The same with shares of the value for each of the two.
    #[inline(always)]
    pub(super) fn give_and_take_shares(&mut self, slots: Slots, values: &[Vec4; LANES], shares: &[[f32; 2]]) {
        let pairs = slots.firsts().iter().zip(slots.seconds());
        for (((&i, &j), &value), share) in pairs.zip(values).zip(shares) {
            self.values[i as usize - self.first] += value * share[0];
            self.values[j as usize - self.first] -= value * share[1];
        }
    }

    /// Gives both particles of each pair the same value.
    #[inline(always)]
    pub(super) fn give(&mut self, slots: Slots, values: &[Vec4; LANES]) {
        slots.add(&mut self.values, self.first, values, |has, given| has + given);
    }

    /// Gives the first and the second particle of each pair values of their own, or shares of them.
    #[inline(always)]
    pub(super) fn give_each(&mut self, slots: Slots, values: &[[Vec4; LANES]; 2], shares: &[[f32; 2]]) {
        let pairs = slots.firsts().iter().zip(slots.seconds());
        for (lane, (&i, &j)) in pairs.enumerate() {
            let [first, second] = shares.get(lane).copied().unwrap_or([1.0; 2]);
            self.values[i as usize - self.first] += values[0][lane] * first;
            self.values[j as usize - self.first] += values[1][lane] * second;
        }
    }

    /// Gives one particle a value.
    #[inline]
    pub(super) fn add(&mut self, slot: usize, value: Vec4) {
        self.values[slot - self.first] += value;
    }

    #[cfg(test)]
    pub(super) fn values(&self) -> &[Vec4] {
        &self.values
    }

    pub(super) fn memory_bytes(&self) -> usize {
        16 * self.values.capacity()
    }
}

/// The sums of all blocks that reach a range of slots.
pub(super) struct Totals<'a> {
    slots: Range<usize>,
    reaching: Vec<&'a Sums>,
}

impl<'a> Totals<'a> {
    pub(super) fn new(all: impl Iterator<Item = &'a Sums>, slots: Range<usize>) -> Self {
        let reaches = |sums: &&Sums| sums.first < slots.end && sums.first + sums.values.len() > slots.start;
        Self {
            reaching: all.filter(reaches).collect(),
            slots,
        }
    }

    /// The totals of up to as many slots as there are lanes, from a place in the range on.
    #[inline(always)]
    pub(super) fn at(&self, place: usize) -> [Vec4; LANES] {
        let begin = self.slots.start + place;
        let mut totals = [Vec4::ZERO; LANES];
        for sums in &self.reaching {
            let from = begin.max(sums.first);
            let values = sums.values.get(from - sums.first..).unwrap_or_default();
            if let Some(totals) = totals.get_mut(from - begin..) {
                for (total, value) in totals.iter_mut().zip(values) {
                    *total += *value;
                }
            }
        }
        totals
    }

    /// The total of one place in the range.
    #[inline]
    pub(super) fn one(&self, place: usize) -> Vec4 {
        let slot = self.slots.start + place;
        let values = self
            .reaching
            .iter()
            .filter_map(|sums| sums.values.get(slot.wrapping_sub(sums.first)));
        values.fold(Vec4::ZERO, |total, value| total + *value)
    }

    /// Calls `each` with every place in the range and its total.
    #[inline(always)]
    pub(super) fn for_each(&self, mut each: impl FnMut(usize, Vec4)) {
        for begin in (0..self.slots.len()).step_by(LANES) {
            let end = (begin + LANES).min(self.slots.len());
            for (place, &total) in (begin..end).zip(&self.at(begin)) {
                each(place, total);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn totals_are_put_together_from_all_sums_that_reach_a_slot() {
        let mut all = [Sums::default(), Sums::default(), Sums::default()];
        for (sums, slots) in all.iter_mut().zip([0..300, 130..200, 150..150]) {
            sums.clear(slots.clone());
            for slot in slots {
                sums.add(slot, Vec4::splat(slot as f32));
            }
        }
        let mut found = Vec::new();
        Totals::new(all.iter(), 120..230).for_each(|place, total| found.push((place, total.x as usize)));
        let expected: Vec<_> = (120..230)
            .map(|slot| (slot - 120, if (130..200).contains(&slot) { 2 * slot } else { slot }))
            .collect();
        assert_eq!(found, expected);
    }
}
