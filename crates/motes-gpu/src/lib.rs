//! The GPU engine's ground: devices, kernels, buffers, prefix sums, sorting and timing on wgpu compute.
//!
//! Everything keeps to WebGPU's default limits, works on drivers that compute on the CPU, and leaves the device running
//! between frames: work is recorded into the caller's passes, and data comes back when it is ready.

mod adapter;
mod buffers;
mod device;
mod error;
mod kernel;
pub mod kernels;
mod profiler;
mod readback;
mod recorder;
pub mod scan;
pub mod sort;

#[cfg(test)]
mod layout;

#[cfg(not(target_family = "wasm"))]
pub use adapter::adapters;
pub use adapter::{AdapterReport, Choice, adapters_async};
pub use buffers::{Buffer, Uniforms};
pub use device::{Capabilities, Gpu, Timestamps, required_features, required_limits};
pub use error::GpuError;
pub use kernel::{Kernel, Source, Variant, grid};
pub use profiler::StageTimes;
pub use readback::ReadBack;
pub use recorder::Recorder;
pub use scan::{Scan, ScanKernels};
pub use sort::{RadixSort, SortKernels};
