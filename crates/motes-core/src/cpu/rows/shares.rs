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
    /// Of participants, of whom there are `count`, each with a share of a row, in the order of the rows.
    pub(super) fn new(all: impl Iterator<Item = (u32, Share)> + Clone, count: usize) -> Self {
        let mut ends = vec![0u32; count];
        for (number, _) in all.clone() {
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
        for (number, share) in all {
            let place = &mut next[number as usize];
            shares[*place as usize] = share;
            *place += 1;
        }
        Self { shares, ends }
    }

    /// Of some rows with these participants, who have equal weights there.
    pub(super) fn of_rows<const N: usize>(rows: impl Iterator<Item = (u32, [u32; N])> + Clone, count: usize) -> Self {
        let shares = |(row, numbers): (u32, [u32; N])| numbers.map(|number| (number, Share { row, weight: 1.0 }));
        Self::new(rows.flat_map(shares), count)
    }

    /// Those of a participant.
    #[inline]
    pub(super) fn of(&self, number: usize) -> &[Share] {
        let first = if number == 0 { 0 } else { self.ends[number - 1] };
        &self.shares[first as usize..self.ends[number] as usize]
    }

    pub(super) fn memory_bytes(&self) -> usize {
        size_of::<Share>() * self.shares.capacity() + 4 * self.ends.capacity()
    }
}
