//! The ground of the GPU engine, on whatever GPU or software driver this machine has.
//!
//! Without any, the tests say so and pass; with `MOTES_REQUIRE_GPU=1` they fail.

use motes_gpu::{Choice, Gpu, GpuError};

mod air;
mod attachments;
#[path = "../../../motes-core/tests/common/ball.rs"]
mod ball;
mod balloons;
mod belts;
mod bending;
#[path = "../../../motes-core/tests/common/block.rs"]
mod block;
mod bodies;
mod body_edits;
mod buffers;
mod carriers;
mod cells;
mod colliders;
mod creatures;
mod device;
mod edits;
mod engine;
#[path = "../../../motes-core/tests/common/fabric.rs"]
mod fabric;
mod faults;
mod fluids;
mod foam;
#[path = "../../../motes-core/tests/common/gas.rs"]
mod gases;
mod inscribed;
#[path = "../../../motes-core/tests/common/jet.rs"]
mod jet;
mod jets;
mod kernel;
mod limits;
mod liquids;
mod liveness;
mod lockstep;
mod machines;
mod melting;
mod moments;
mod passing;
mod passive;
mod population;
mod position_based;
mod recorder;
mod restores;
mod rests;
mod rows;
mod scan;
#[path = "../../../motes-core/tests/common/sheet.rs"]
mod sheet;
mod sizes;
mod smoke;
mod sort;
mod sph;
mod spins;
mod strands;
#[path = "../../../motes-core/tests/common/tank.rs"]
mod tank;
mod tears;
#[path = "../../../motes-core/tests/common/thrown.rs"]
mod thrown;
mod triggers;
mod worlds;

/// The GPU to test on, named by `MOTES_GPU` if that is set.
fn gpu() -> Option<Gpu> {
    let choice = Choice {
        name: std::env::var("MOTES_GPU").ok(),
        ..Choice::default()
    };
    match Gpu::pick(&choice) {
        Ok(gpu) => Some(gpu),
        Err(GpuError::NoAdapter { .. }) if std::env::var("MOTES_REQUIRE_GPU").as_deref() != Ok("1") => {
            println!("not tested: no GPU here");
            None
        }
        Err(error) => panic!("{error}"),
    }
}

/// Records into one pass, submits, and waits.
fn run(gpu: &Gpu, record: impl FnOnce(&mut wgpu::ComputePass<'_>)) {
    let mut encoder = gpu.device().create_command_encoder(&Default::default());
    record(&mut encoder.begin_compute_pass(&Default::default()));
    gpu.queue().submit([encoder.finish()]);
    gpu.wait().expect("the device works");
}

/// A device on the same hardware that was made without motes, with those of `features` that it has and no others.
fn own_device(picked: &Gpu, features: wgpu::Features) -> Gpu {
    own_device_with(picked, features, wgpu::Limits::defaults())
}

/// The same with limits of its own.
fn own_device_with(picked: &Gpu, features: wgpu::Features, limits: wgpu::Limits) -> Gpu {
    let instance = wgpu::Instance::new(wgpu::InstanceDescriptor::new_without_display_handle());
    let adapters = pollster::block_on(instance.enumerate_adapters(wgpu::Backends::all()));
    let adapter = adapters
        .into_iter()
        .find(|adapter| adapter.get_info().name == picked.info().name)
        .expect("it was there before");
    let descriptor = wgpu::DeviceDescriptor {
        required_features: features & adapter.features(),
        required_limits: limits,
        ..Default::default()
    };
    let (device, queue) = pollster::block_on(adapter.request_device(&descriptor)).expect("a device");
    Gpu::new(device, queue)
}
