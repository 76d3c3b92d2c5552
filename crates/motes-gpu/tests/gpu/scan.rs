//! Prefix sums against a plain loop.

use motes_gpu::scan::TILE;
use motes_gpu::{Buffer, Gpu, Scan, ScanKernels, Variant};
use proptest::prelude::*;

use crate::{gpu, run};

/// The prefix sums of `input` and, behind a mark that must stay untouched, nothing.
fn scanned(gpu: &Gpu, scan: &mut Scan, input: &[u32]) -> Vec<u32> {
    let mut data = input.to_vec();
    data.extend([77, 88, 99, 11, 22]);
    let buffer = Buffer::from_slice(gpu, "data", &data).expect("a buffer");
    scan.prepare(&buffer, input.len()).expect("ready");
    run(gpu, |pass| scan.encode(pass));
    let result = buffer.read(0..data.len()).expect("a read").wait().expect("data");
    assert_eq!(result[input.len() + 1..], [88, 99, 11, 22], "written past the end");
    result[..=input.len()].to_vec()
}

fn expected(input: &[u32]) -> Vec<u32> {
    let mut sum = 0_u32;
    let mut sums = vec![0];
    for value in input {
        sum = sum.wrapping_add(*value);
        sums.push(sum);
    }
    sums
}

fn each_variant(test: impl Fn(&Gpu, &mut Scan)) {
    let Some(gpu) = gpu() else { return };
    for &variant in Variant::available(&gpu) {
        let kernels = ScanKernels::new(&gpu, variant).expect("kernels");
        test(&gpu, &mut Scan::new(&kernels).expect("a scan"));
    }
}

#[test]
fn lengths_around_every_boundary() {
    each_variant(|gpu, scan| {
        for edge in [0, 4, 256, 1024, TILE, 2 * TILE, 100 * TILE] {
            for len in edge.saturating_sub(2)..edge + 3 {
                let input: Vec<u32> = (0..len as u32).map(|i| i.wrapping_mul(2_654_435_761) >> 20).collect();
                assert_eq!(scanned(gpu, scan, &input), expected(&input), "length {len}");
            }
        }
    });
}

#[test]
fn sums_wrap_around() {
    each_variant(|gpu, scan| {
        let input = vec![u32::MAX; 3 * TILE + 1];
        assert_eq!(scanned(gpu, scan, &input), expected(&input));
    });
}

#[test]
fn a_million_takes_two_dispatches() {
    each_variant(|gpu, scan| {
        let input: Vec<u32> = (0..1_000_000).map(|i| i % 7).collect();
        assert_eq!(scanned(gpu, scan, &input), expected(&input));
        assert_eq!(scan.dispatches(), 2);
    });
}

#[test]
fn more_tiles_than_one_tile_can_add_up() {
    each_variant(|gpu, scan| {
        let input = vec![1; (1 << 24) + 12_345];
        assert!(scanned(gpu, scan, &input).into_iter().eq(0..=input.len() as u32));
        assert_eq!(scan.dispatches(), 4);
    });
}

#[test]
fn random_arrays() {
    each_variant(|gpu, scan| {
        let scan = std::cell::RefCell::new(scan);
        let config = ProptestConfig::with_cases(24);
        let arrays = proptest::collection::vec(any::<u32>(), 0..10_000);
        proptest::test_runner::TestRunner::new(config)
            .run(&arrays, |input| {
                prop_assert_eq!(scanned(gpu, &mut scan.borrow_mut(), &input), expected(&input));
                Ok(())
            })
            .unwrap_or_else(|failure| panic!("{failure}"));
    });
}
