//! Who is in the pairs of a block.

use std::ops::Range;

use glam::Vec4;

use crate::cpu::batch::LANES;

/// The pairs of a block of particles, particle by particle.
#[derive(Default)]
pub(crate) struct List {
    /// All slots that occur, and those of the block's own particles.
    slots: Range<usize>,
    filling: Filling,
}

/// A list while it is filled.
#[derive(Default)]
pub(crate) struct Filling {
    /// End of each particle's pairs.
    pub(super) ends: Vec<u32>,
    /// Slot of the particle itself, and of the other, for each pair; the last one repeated to fill a batch. Those of the
    /// particles themselves are not remembered.
    pub(super) firsts: Vec<u32>,
    pub(super) seconds: Vec<u32>,
}

impl Filling {
    /// Adds the pairs of the next particle.
    pub(crate) fn push(&mut self, slot: u32, partners: &[u32]) {
        let count = self.ends.last().map_or(0, |&end| end as usize);
        self.seconds.truncate(count);
        self.seconds.extend_from_slice(partners);
        self.firsts.truncate(count);
        self.firsts.resize(self.seconds.len(), slot);
        self.ends.push(self.seconds.len() as u32);
    }
}

impl List {
    /// Starts again with the pairs of particles from slot `first` on.
    pub(crate) fn refill(&mut self, first: usize, fill: impl FnOnce(&mut Filling)) {
        let filling = &mut self.filling;
        filling.ends.clear();
        fill(filling);
        let (firsts, seconds) = (&mut filling.firsts, &mut filling.seconds);
        let count = filling.ends.last().map_or(0, |&end| end as usize);
        firsts.truncate(count);
        seconds.truncate(count);
        if let (Some(&first), Some(&second)) = (firsts.last(), seconds.last()) {
            firsts.resize(count.next_multiple_of(LANES), first);
            seconds.resize(count.next_multiple_of(LANES), second);
        }
        trim(firsts);
        trim(seconds);
        let end = first + filling.ends.len();
        let low = [&*firsts, seconds].map(|slots| slots.iter().fold(first as u32, |low, &slot| low.min(slot)));
        let high = [&*firsts, seconds].map(|slots| slots.iter().fold(0, |high, &slot| high.max(slot)));
        self.slots = low[0].min(low[1]) as usize..end.max(high[0].max(high[1]) as usize + 1);
    }

    /// Moves what is worth remembering to `old`: who the partners of each particle are. Nothing is left but room.
    pub(crate) fn retire(&mut self, old: &mut Self) {
        std::mem::swap(self, old);
        std::mem::swap(&mut self.filling.firsts, &mut old.filling.firsts);
        self.filling.ends.clear();
        self.filling.firsts.clear();
        self.slots = 0..0;
    }

    /// The pairs of the particle at a place in the block.
    #[inline]
    pub(crate) fn range(&self, place: usize) -> Range<usize> {
        let ends = &self.filling.ends;
        let begin = if place == 0 { 0 } else { ends[place - 1] as usize };
        begin..ends[place] as usize
    }

    /// Slots of the second particles of some pairs.
    #[inline]
    pub(crate) fn seconds(&self, pairs: Range<usize>) -> &[u32] {
        &self.filling.seconds[pairs]
    }

    /// Number of particles.
    pub(crate) fn particles(&self) -> usize {
        self.filling.ends.len()
    }

    /// Number of pairs.
    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.filling.ends.last().map_or(0, |&end| end as usize)
    }

    /// All slots that the pairs reach.
    pub(crate) fn slots(&self) -> Range<usize> {
        self.slots.clone()
    }

    /// Both slots of each pair.
    #[inline]
    pub(crate) fn iter(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        let slots = self.filling.firsts[..self.len()].iter().zip(&self.filling.seconds);
        slots.map(|(&first, &second)| (first as usize, second as usize))
    }

    /// Both slots of each pair, by the batch.
    #[inline]
    pub(crate) fn batches(&self) -> impl Iterator<Item = Slots<'_>> {
        let Filling { firsts, seconds, .. } = &self.filling;
        let batches = firsts.as_chunks().0.iter().zip(seconds.as_chunks().0).enumerate();
        batches.map(|(batch, (firsts, seconds))| Slots {
            firsts,
            seconds,
            count: (self.len() - batch * LANES).min(LANES),
            within: &self.slots,
        })
    }

    pub(crate) fn memory_bytes(&self) -> usize {
        let Filling { ends, firsts, seconds } = &self.filling;
        4 * (ends.capacity() + firsts.capacity() + seconds.capacity())
    }
}

/// Gives back what a list that was much longer once does not need any more.
fn trim<T>(list: &mut Vec<T>) {
    if list.capacity() > list.len() + list.len() / 3 + 16 {
        list.shrink_to(list.len() + list.len() / 16);
    }
}

/// Slots of the first and the second particles of a batch. The last batch of a list may have fewer pairs than lanes.
#[derive(Clone, Copy)]
pub(crate) struct Slots<'a> {
    firsts: &'a [u32; LANES],
    seconds: &'a [u32; LANES],
    count: usize,
    /// A range that all of them are in: [`List::refill`] has looked at every one.
    within: &'a Range<usize>,
}

impl<'a> Slots<'a> {
    /// Slots of the first particles of all pairs.
    #[inline(always)]
    pub(crate) fn firsts(&self) -> &'a [u32] {
        &self.firsts[..self.count]
    }

    /// Slots of the second particles of all pairs.
    #[inline(always)]
    pub(crate) fn seconds(&self) -> &'a [u32] {
        &self.seconds[..self.count]
    }

    /// Both slots of any lane, with a pair or without.
    #[inline(always)]
    pub(crate) fn lane(&self, lane: usize) -> [u32; 2] {
        [self.firsts[lane], self.seconds[lane]]
    }

    /// Values of both particles of every lane.
    #[inline(always)]
    pub(crate) fn read(self, values: &'a [Vec4]) -> impl Fn(usize) -> (Vec4, Vec4) + 'a {
        assert!(self.within.end <= values.len(), "a value for every slot");
        move |lane: usize| {
            let [i, j] = self.lane(lane).map(|slot| slot as usize);
            // SAFETY: both are in `within`, which has just been found to be within `values`.
            #[allow(unsafe_code)]
            unsafe {
                (*values.get_unchecked(i), *values.get_unchecked(j))
            }
        }
    }

    /// Adds the sum of some values to those of first particles, and calls `second` with what second particles have and
    /// are given. The slots that `values` are for begin with `first`.
    #[inline(always)]
    pub(crate) fn add(
        self,
        values: &mut [Vec4],
        first: usize,
        given: &[Vec4; LANES],
        second: impl Fn(Vec4, Vec4) -> Vec4,
    ) {
        let Range { start, end } = *self.within;
        assert!(first <= start && end - first <= values.len(), "a value for every slot");
        let mut add = |lane: usize| {
            let [i, j] = self.lane(lane).map(|slot| slot as usize - first);
            // SAFETY: both are in `within`, which has just been found to be within what `values` are for.
            #[allow(unsafe_code)]
            unsafe {
                *values.get_unchecked_mut(i) += given[lane];
                *values.get_unchecked_mut(j) = second(*values.get_unchecked(j), given[lane]);
            }
        };
        if self.count == LANES {
            // The pairs of one particle follow each other: sums that had to wait for the last one would be slow.
            const STRIDE: usize = LANES / 4;
            for lane in 0..STRIDE {
                for lane in [lane, lane + STRIDE, lane + 2 * STRIDE, lane + 3 * STRIDE] {
                    add(lane);
                }
            }
        } else {
            for lane in 0..self.count {
                add(lane);
            }
        }
    }
}
