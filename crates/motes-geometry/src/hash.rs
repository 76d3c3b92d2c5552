//! A tiny integer hash for repeatable random numbers (the finaliser of SplitMix64, Steele et al. 2014).

/// Sixty-four well mixed bits of a seed and an index.
pub(crate) fn bits(seed: u64, index: u64) -> u64 {
    let mut z = seed
        .wrapping_mul(0xD134_2543_DE82_EF95)
        .wrapping_add(index)
        .wrapping_mul(0x9E37_79B9_7F4A_7C15)
        .wrapping_add(0x9E37_79B9_7F4A_7C15);
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

/// A number in [0, 1) for a seed and an index.
pub(crate) fn unit(seed: u64, index: u64) -> f32 {
    (bits(seed, index) >> 40) as f32 / (1u64 << 24) as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_spread_evenly_over_the_unit_interval() {
        let mut counts = [0u32; 10];
        for index in 0..100_000 {
            counts[(unit(7, index) * 10.0) as usize] += 1;
        }
        assert!(
            counts.iter().all(|&count| (9_600..10_400).contains(&count)),
            "{counts:?}"
        );
    }

    #[test]
    fn seeds_give_unrelated_sequences() {
        let equal = (0..1000).filter(|&index| bits(1, index) == bits(2, index)).count();
        assert_eq!(equal, 0);
    }
}
