//! Sorting against the standard library's stable sort.

use motes_gpu::{Buffer, Gpu, RadixSort, SortKernels, Variant};
use proptest::prelude::*;

use crate::{gpu, run};

/// Sorts `keys` and compares with the standard library; the values tell equal keys apart.
fn check(gpu: &Gpu, sort: &mut RadixSort, keys: &[u32], key_bits: u32) {
    let mask = 1_u64.checked_shl(key_bits).map_or(u32::MAX, |end| (end - 1) as u32);
    let mut expected: Vec<(u32, u32)> = keys.iter().copied().zip(0..).collect();
    expected.sort_by_key(|(key, _)| key & mask);
    let (expected_keys, order): (Vec<u32>, Vec<u32>) = expected.into_iter().unzip();

    let input = Buffer::from_slice(gpu, "keys", keys).expect("a buffer");
    sort.prepare(&input, None, keys.len(), key_bits).expect("ready");
    run(gpu, |pass| sort.encode(pass));
    let read = |buffer: &Buffer<u32>| buffer.read(0..keys.len()).expect("a read").wait().expect("data");
    let what = format!("{} keys of {key_bits} bits", keys.len());
    assert!(read(sort.keys()) == expected_keys, "keys of {what}");
    assert!(read(sort.values()) == order, "values of {what}");
    assert!(read(&input) == keys, "the input of {what}");
}

fn each_variant(test: impl Fn(&Gpu, &mut RadixSort)) {
    let Some(gpu) = gpu() else { return };
    for &variant in Variant::available(&gpu) {
        let kernels = SortKernels::new(&gpu, variant).expect("kernels");
        test(&gpu, &mut RadixSort::new(&kernels).expect("a sort"));
    }
}

/// Numbers without pattern.
fn scattered(len: u32) -> Vec<u32> {
    let mix = |i: u32| (i ^ (i >> 15)).wrapping_mul(0x2c1b_3c6d);
    (0..len).map(|i| mix(mix(i.wrapping_mul(0x9e37_79b9)))).collect()
}

#[test]
fn lengths_around_every_boundary() {
    each_variant(|gpu, sort| {
        for edge in [0_u32, 32, 256, 1024, 2048, 4096, 32 * 256, 32 * 1024] {
            for len in edge.saturating_sub(1)..edge + 2 {
                check(gpu, sort, &scattered(len), 9);
            }
        }
    });
}

#[test]
fn every_number_of_key_bits() {
    each_variant(|gpu, sort| {
        for key_bits in 0..=32 {
            check(gpu, sort, &scattered(3000), key_bits);
        }
    });
}

#[test]
fn keys_in_awkward_orders() {
    each_variant(|gpu, sort| {
        for len in [5000, 70_000] {
            let all_equal = vec![0xdead_beef; len];
            let sorted: Vec<u32> = (0..len as u32).collect();
            let reversed: Vec<u32> = (0..len as u32).rev().collect();
            let low_bits: Vec<u32> = (0..len as u32).map(|i| i % 3).collect();
            let high_bits: Vec<u32> = (0..len as u32).map(|i| (i % 5) << 29).collect();
            let one_out_of_place: Vec<u32> = (0..len).map(|i| u32::from(i != len - 1)).collect();
            for keys in [all_equal, sorted, reversed, low_bits, high_bits, one_out_of_place] {
                check(gpu, sort, &keys, 32);
            }
        }
    });
}

#[test]
fn a_million_keys_of_twenty_bits() {
    each_variant(|gpu, sort| check(gpu, sort, &scattered(1_000_000), 20));
}

#[test]
fn given_values_travel_with_their_keys() {
    each_variant(|gpu, sort| {
        let keys = Buffer::from_slice(gpu, "keys", &[3_u32, 1, 2, 1]).expect("a buffer");
        let values = Buffer::from_slice(gpu, "values", &[30_u32, 10, 20, 11]).expect("a buffer");
        sort.prepare(&keys, Some(&values), 4, 2).expect("ready");
        run(gpu, |pass| sort.encode(pass));
        assert_eq!(
            sort.values().read(0..4).expect("a read").wait().expect("data"),
            [10, 11, 20, 30]
        );
    });
}

#[test]
fn random_keys() {
    each_variant(|gpu, sort| {
        let sort = std::cell::RefCell::new(sort);
        let inputs = (proptest::collection::vec(any::<u32>(), 0..6000), 0..=32_u32);
        proptest::test_runner::TestRunner::new(ProptestConfig::with_cases(16))
            .run(&inputs, |(keys, key_bits)| {
                check(gpu, &mut sort.borrow_mut(), &keys, key_bits);
                Ok(())
            })
            .unwrap_or_else(|failure| panic!("{failure}"));
    });
}
