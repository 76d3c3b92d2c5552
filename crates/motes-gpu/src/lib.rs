//! The ground of the GPU engine: devices, kernels, buffers, prefix sums, sorting and timing on wgpu compute.
//!
//! Everything gets by within WebGPU's default limits, works on drivers that compute on the CPU, and leaves the device running
//! between frames: work is recorded into the caller's passes, and data comes back when it is ready.
//!
//! # A kernel
//!
//! A kernel is a file `kernels/NAME.wgsl` with an entry point `main`, and a line in `kernels.rs` that lists it with the
//! files of `kernels/lib/` that it needs:
//!
//! ```wgsl
//! @group(0) @binding(0) var<uniform> params: DriftParams;
//! @group(0) @binding(1) var<storage, read_write> positions: array<vec4f>;
//!
//! @compute @workgroup_size(WORKGROUP)
//! fn main(thread: Thread) {
//!     let i = thread_index(thread);
//!     if i < params.count {
//!         positions[i] += params.step;
//!     }
//! }
//! ```
//! ```ignore
//! pub(crate) const DRIFT: Source = kernel!("drift", "grid", "thread", "drift_params");
//!
//! let drift = Kernel::new(&gpu, &kernels::DRIFT, &[("WORKGROUP", 64)])?;
//! let bindings = drift.bind(&gpu, &[params.binding(0), positions.binding()]);
//! drift.launch(recorder.stage("predict"), &bindings, count);
//! recorder.submit();
//! ```
//!
//! Its structs go into the list of `kernels/tests.rs`, which compares them with Rust's.

mod adapter;
mod buffers;
pub mod colliders;
mod compiled;
mod compilers;
mod device;
mod engine;
mod error;
mod kernel;
pub mod kernels;
mod launch;
mod profiler;
mod readback;
mod recorder;
pub mod scan;
mod sections;
pub mod sort;

#[cfg(test)]
mod layout;

#[cfg(not(target_family = "wasm"))]
pub use adapter::adapters;
pub use adapter::{AdapterReport, Choice, adapters_async};
pub use buffers::{Buffer, Uniforms};
pub use device::{Capabilities, Gpu, Timestamps, required_features, required_limits};
pub use engine::GpuEngine;
pub use error::GpuError;
pub use kernel::{Kernel, Source, Variant, grid};
pub use launch::Launch;
pub use profiler::StageTimes;
pub use readback::ReadBack;
pub use recorder::{FRAME, Measure, Recorder};
pub use scan::{Scan, ScanKernels};
pub use sections::Part;
pub use sort::{RadixSort, SortKernels};
