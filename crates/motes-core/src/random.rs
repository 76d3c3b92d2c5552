//! Random numbers that are the same on every machine: explicit seeds, integer arithmetic (SplitMix64, Steele et al.
//! 2014, "Fast splittable pseudorandom number generators").
//!
//! [`Random`] gives one number after the other; [`bits_at`] and [`unit_at`] give the number of an index, in any order.

/// What the state of the generator grows by: 2⁶⁴ over the golden ratio.
const STEP: u64 = 0x9e37_79b9_7f4a_7c15;

/// Spreads seeds that lie close together.
const SEED_FACTOR: u64 = 0xd134_2543_de82_ef95;

/// Mixes the bits of a state, one to one.
fn mix(state: u64) -> u64 {
    let z = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// The upper bits as a number in [0, 1).
fn to_unit(bits: u64) -> f32 {
    (bits >> 40) as f32 / (1u64 << 24) as f32
}

/// Sixty-four well mixed bits of a seed and an index.
pub fn bits_at(seed: u64, index: u64) -> u64 {
    let count = seed.wrapping_mul(SEED_FACTOR).wrapping_add(index).wrapping_add(1);
    mix(count.wrapping_mul(STEP))
}

/// A number in [0, 1) for a seed and an index.
pub fn unit_at(seed: u64, index: u64) -> f32 {
    to_unit(bits_at(seed, index))
}

/// A small generator of uniform numbers.
#[derive(Clone, Debug)]
pub struct Random {
    state: u64,
}

impl Random {
    /// A generator for a seed and a stream; different streams of one seed are independent.
    pub fn new(seed: u64, stream: u64) -> Self {
        let mut random = Self {
            state: seed ^ stream.wrapping_mul(SEED_FACTOR),
        };
        random.next_u64();
        random
    }

    /// The next 64 bits.
    pub fn next_u64(&mut self) -> u64 {
        self.state = self.state.wrapping_add(STEP);
        mix(self.state)
    }

    /// Uniform in [0, 1).
    pub fn unit(&mut self) -> f32 {
        to_unit(self.next_u64())
    }

    /// Uniform in [−1, 1).
    pub fn signed(&mut self) -> f32 {
        2.0 * self.unit() - 1.0
    }

    /// Uniform in 0..count; 0 when `count` is 0.
    pub fn below(&mut self, count: usize) -> usize {
        ((u128::from(self.next_u64()) * count as u128) >> 64) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_uniform_and_streams_differ() {
        let mut random = Random::new(7, 0);
        let mean = (0..10_000).map(|_| random.unit()).sum::<f32>() / 10_000.0;
        assert!((mean - 0.5).abs() < 0.02, "{mean}");
        assert_ne!(Random::new(7, 0).next_u64(), Random::new(7, 1).next_u64());
        assert!((0..1000).all(|_| random.below(7) < 7));
    }
    #[test]
    fn numbers_of_indices_are_spread_evenly_over_the_unit_interval() {
        let mut counts = [0u32; 10];
        for index in 0..100_000 {
            counts[(unit_at(7, index) * 10.0) as usize] += 1;
        }
        assert!(
            counts.iter().all(|&count| (9_600..10_400).contains(&count)),
            "{counts:?}"
        );
    }

    #[test]
    fn seeds_give_unrelated_sequences() {
        let equal = (0..1000)
            .filter(|&index| bits_at(1, index) == bits_at(2, index))
            .count();
        assert_eq!(equal, 0);
    }
}
