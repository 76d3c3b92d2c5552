//! Times prefix sums and sorts on the GPU: `cargo run --release --example primitives -p motes-gpu [ADAPTER]`.
//!
//! GB/s counts the bytes that must move: 12 per element of a prefix sum (read twice, written once), 20 per pair and pass
//! of a sort (keys read twice, values once, both written once; values of the first pass are not read).

use std::time::Duration;

use motes_gpu::{Buffer, Choice, Gpu, GpuError, RadixSort, Recorder, Scan, ScanKernels, SortKernels, Variant};

const REPEATS: usize = 20;
const KEY_BITS: u32 = 20;

fn main() -> Result<(), GpuError> {
    let choice = Choice {
        name: std::env::args().nth(1),
        ..Choice::default()
    };
    let gpu = Gpu::pick(&choice)?;
    println!("{}\n{:?}\n", gpu.description(), gpu.capabilities());
    println!("                         elements  dispatches       µs     GB/s");
    for &variant in Variant::available(&gpu) {
        for len in [1_000, 100_000, 1_000_000, 10_000_000] {
            scan(&gpu, variant, len)?;
        }
        for len in [1_000, 100_000, 1_000_000, 10_000_000] {
            let random: Vec<u32> = (0..len as u32)
                .map(|i| (i.wrapping_mul(2_654_435_761) ^ (i >> 3)) >> 12)
                .collect();
            sort(&gpu, variant, "random", &random)?;
            // As particles are from frame to frame: sorted but for a few.
            let keys = (0..len as u64).map(|i| (((i << KEY_BITS) / len as u64) as u32) ^ u32::from(i % 13 == 0));
            sort(&gpu, variant, "nearly", &keys.collect::<Vec<_>>())?;
        }
    }
    Ok(())
}

fn scan(gpu: &Gpu, variant: Variant, len: usize) -> Result<(), GpuError> {
    let data = Buffer::from_slice(gpu, "data", &vec![1_u32; len + 1])?;
    let mut scan = Scan::new(&ScanKernels::new(gpu, variant)?)?;
    scan.prepare(&data, len)?;
    let time = median(gpu, |pass| scan.encode(pass))?;
    report("scan", variant, len, scan.dispatches(), time, 12 * len);
    Ok(())
}

fn sort(gpu: &Gpu, variant: Variant, order: &str, keys: &[u32]) -> Result<(), GpuError> {
    let input = Buffer::from_slice(gpu, "keys", keys)?;
    let mut sort = RadixSort::new(&SortKernels::new(gpu, variant)?)?;
    sort.prepare(&input, None, keys.len(), KEY_BITS)?;
    let time = median(gpu, |pass| sort.encode(pass))?;
    let passes = KEY_BITS.div_ceil(8) as usize;
    let bytes = (20 * passes - 4) * keys.len();
    report(
        &format!("sort {order}"),
        variant,
        keys.len(),
        sort.dispatches(),
        time,
        bytes,
    );

    let mut expected = keys.to_vec();
    expected.sort_unstable();
    assert!(sort.keys().read(0..keys.len())?.wait()? == expected, "not sorted");
    Ok(())
}

/// Median time on the device of one run of `record`, out of many in one submit.
fn median(gpu: &Gpu, record: impl Fn(&mut wgpu::ComputePass<'_>)) -> Result<Duration, GpuError> {
    let mut recorder = Recorder::new(gpu)?;
    let mut times = Vec::new();
    for _ in 0..REPEATS {
        for _ in 0..4 {
            record(recorder.stage("work"));
        }
        recorder.submit();
        gpu.wait()?;
        times.extend(recorder.times().map(|times| times.total() / 4));
    }
    times.sort();
    Ok(times.get(times.len() / 2).copied().unwrap_or_default())
}

fn report(what: &str, variant: Variant, len: usize, dispatches: usize, time: Duration, bytes: usize) {
    let micros = time.as_secs_f64() * 1e6;
    let rate = bytes as f64 / (micros * 1e3);
    let variant = format!("{variant:?}");
    println!("{what:<12} {variant:<8} {len:>12} {dispatches:>11} {micros:>8.1} {rate:>8.0}");
}
