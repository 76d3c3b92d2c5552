//! The rows of each participant, in the order of the rows.

/// What a row has to do with a participant: its weight there.
#[derive(Clone, Copy, Default)]
pub(super) struct Share {
    pub(super) row: u32,
    pub(super) weight: f32,
}

#[derive(Default)]
pub(super) struct Shares {
    shares: Vec<Share>,
    /// Where those of each participant end.
    ends: Vec<u32>,
}

impl Shares {
    /// Of rows with these participants, of whom there are `count`, and their weights there.
    pub(super) fn new<const N: usize>(rows: impl Iterator<Item = ([u32; N], [f32; N])> + Clone, count: usize) -> Self {
        let mut ends = vec![0u32; count];
        for number in rows.clone().flat_map(|(numbers, _)| numbers) {
            ends[number as usize] += 1;
        }
        let mut before = 0;
        let mut next = Vec::with_capacity(count);
        for end in &mut ends {
            next.push(before);
            before += *end;
            *end = before;
        }
        let mut shares = vec![Share::default(); before as usize];
        for (row, (numbers, weights)) in (0..).zip(rows) {
            for (number, weight) in numbers.into_iter().zip(weights) {
                let place = &mut next[number as usize];
                shares[*place as usize] = Share { row, weight };
                *place += 1;
            }
        }
        Self { shares, ends }
    }

    /// Of some rows with these participants, who have equal weights there.
    pub(super) fn of_rows<const N: usize>(rows: impl Iterator<Item = (u32, [u32; N])> + Clone, count: usize) -> Self {
        let weighted = rows.clone().map(|(_, numbers)| (numbers, [1.0; N]));
        let mut own = Self::new(weighted, count);
        let names: Vec<u32> = rows.map(|(row, _)| row).collect();
        own.shares
            .iter_mut()
            .for_each(|share| share.row = names[share.row as usize]);
        own
    }

    /// Those of a participant.
    pub(super) fn of(&self, number: usize) -> &[Share] {
        let first = if number == 0 { 0 } else { self.ends[number - 1] };
        &self.shares[first as usize..self.ends[number] as usize]
    }

    pub(super) fn memory_bytes(&self) -> usize {
        size_of::<Share>() * self.shares.capacity() + 4 * self.ends.capacity()
    }
}
