//! Choosing, sharing and losing devices.

use motes_gpu::{Buffer, Choice, Gpu, GpuError, adapters};

use crate::{gpu, own_device};

#[test]
fn the_list_of_adapters_names_the_one_that_is_picked() {
    let Some(gpu) = gpu() else { return };
    let choice = Choice {
        name: Some(gpu.info().name.clone()),
        ..Choice::default()
    };
    let chosen: Vec<_> = adapters(&choice).into_iter().filter(|adapter| adapter.chosen).collect();
    assert_eq!(chosen.len(), 1);
    assert_eq!(chosen[0].name, gpu.info().name);
    assert_eq!(chosen[0].kind == "software", gpu.is_software());
    assert!(!chosen[0].reason.is_empty());
}

#[test]
fn software_drivers_can_be_ruled_out() {
    let choice = Choice {
        software: false,
        ..Choice::default()
    };
    match Gpu::pick(&choice) {
        Ok(gpu) => assert!(!gpu.is_software()),
        Err(error) => assert!(matches!(error, GpuError::NoAdapter { .. }), "{error}"),
    }
}

#[test]
fn a_device_of_ones_own_works_without_any_optional_feature() {
    let Some(picked) = gpu() else { return };
    let gpu = own_device(&picked, wgpu::Features::empty());
    assert_eq!(gpu.capabilities().subgroups, None);
    let buffer = Buffer::from_slice(&gpu, "numbers", &[1_u32, 2, 3]).expect("a buffer");
    assert_eq!(buffer.read(1..3).expect("a read").wait().expect("data"), [2, 3]);
}

#[test]
fn a_lost_device_is_an_error_and_stays_one() {
    let Some(gpu) = gpu() else { return };
    gpu.check().expect("nothing has happened");
    gpu.device().destroy();
    let _ = gpu.device().poll(wgpu::PollType::Poll);
    assert!(matches!(gpu.check(), Err(GpuError::Lost { .. })), "{:?}", gpu.check());
    let buffer = Buffer::<u32>::new(&gpu, "numbers", 1);
    assert!(matches!(buffer, Err(GpuError::Lost { .. })), "{buffer:?}");
}

#[test]
fn misuse_is_reported_not_a_panic() {
    let Some(gpu) = gpu() else { return };
    let buffer = Buffer::<u32>::new(&gpu, "numbers", 4).expect("a buffer");
    buffer.write(100, &[1]);
    let error = gpu.check().expect_err("writing past the end");
    assert!(matches!(error, GpuError::Rejected { .. }), "{error}");
}
