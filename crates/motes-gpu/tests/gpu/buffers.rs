//! Growing, keeping and reading buffers.

use motes_gpu::{Buffer, GpuError};

use crate::gpu;

#[test]
fn a_buffer_grows_by_doubling_and_only_when_it_must() {
    let Some(gpu) = gpu() else { return };
    let mut buffer = Buffer::<u32>::new(&gpu, "numbers", 100).expect("a buffer");
    assert!(!buffer.ensure(100).expect("room"));
    assert_eq!((buffer.capacity(), buffer.generation()), (100, 0));
    assert!(buffer.ensure(101).expect("room"));
    assert_eq!((buffer.capacity(), buffer.generation(), buffer.bytes()), (200, 1, 800));
    assert!(buffer.ensure(1000).expect("room"));
    assert_eq!(buffer.capacity(), 1000);
}

#[test]
fn contents_are_kept_when_asked_for() {
    let Some(gpu) = gpu() else { return };
    let mut buffer = Buffer::from_slice(&gpu, "pairs", &[[1.0_f32, 2.0], [3.0, 4.0]]).expect("a buffer");
    let mut encoder = gpu.device().create_command_encoder(&Default::default());
    assert!(buffer.ensure_keeping(10, &mut encoder).expect("room"));
    let mut read = buffer.read_in(1..3, &mut encoder).expect("a read");
    assert!(read.try_take().is_none(), "nothing was submitted");
    gpu.queue().submit([encoder.finish()]);
    assert_eq!(read.wait().expect("data"), [[3.0, 4.0], [0.0, 0.0]]);
}

#[test]
fn a_read_arrives_while_the_host_goes_on() {
    let Some(gpu) = gpu() else { return };
    let numbers: Vec<u32> = (0..10_000).collect();
    let buffer = Buffer::from_slice(&gpu, "numbers", &numbers).expect("a buffer");
    let mut read = buffer.read(0..numbers.len()).expect("a read");
    let arrived = loop {
        if let Some(result) = read.try_take() {
            break result.expect("data");
        }
        std::thread::yield_now();
    };
    assert_eq!(arrived, numbers);
    let awaited = pollster::block_on(buffer.read(5..7).expect("a read")).expect("data");
    assert_eq!(awaited, [5, 6]);
    assert!(buffer.read(3..3).expect("a read").wait().expect("data").is_empty());
}

#[test]
fn a_buffer_that_cannot_be_is_a_typed_error() {
    let Some(gpu) = gpu() else { return };
    let limit = gpu.capabilities().max_buffer_bytes;
    let error = Buffer::<u32>::new(&gpu, "numbers", (limit / 4 + 1) as usize).expect_err("too large");
    assert!(matches!(error, GpuError::TooLarge { .. }), "{error}");
    gpu.check().expect("the device is none the worse");
}

/// Only for a card with memory of its own: a software driver would take the machine's.
#[test]
#[ignore = "fills the memory of the GPU"]
fn memory_that_runs_out_is_a_typed_error() {
    let Some(gpu) = gpu() else { return };
    assert!(!gpu.is_software());
    let elements = (gpu.capabilities().max_buffer_bytes / 4) as usize;
    let mut held = Vec::new();
    let error = loop {
        match Buffer::<u32>::new(&gpu, "ballast", elements) {
            Ok(buffer) => held.push(buffer),
            Err(error) => break error,
        }
        assert!(held.len() < 10_000, "no end of memory");
    };
    assert!(matches!(error, GpuError::OutOfMemory { .. }), "{error}");
    gpu.check().expect("the device is none the worse");
}
