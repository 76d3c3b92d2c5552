//! Random numbers that are the same on every machine: explicit seeds, integer arithmetic (SplitMix64).

/// A small generator of uniform numbers.
#[derive(Clone, Debug)]
pub struct Random {
    state: u64,
}

impl Random {
    /// A generator for a seed and a stream; different streams of one seed are independent.
    pub fn new(seed: u64, stream: u64) -> Self {
        let mut random = Self {
            state: seed ^ stream.wrapping_mul(0xd134_2543_de82_ef95),
        };
        random.next_u64();
        random
    }

    /// The next 64 bits.
    pub fn next_u64(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Uniform in [0, 1).
    pub fn unit(&mut self) -> f32 {
        (self.next_u64() >> 40) as f32 / (1u64 << 24) as f32
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
}
