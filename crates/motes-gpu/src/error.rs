//! What can go wrong with a GPU.

use crate::adapter::AdapterReport;

/// An error of the GPU, its driver or its memory.
#[derive(Clone, Debug, thiserror::Error)]
pub enum GpuError {
    /// No adapter can be used.
    #[error("no usable GPU; {}", describe(considered))]
    NoAdapter {
        /// Every adapter that was looked at, with the reason it was left out.
        considered: Vec<AdapterReport>,
    },
    /// The driver refused to open a device.
    #[error("the driver of {adapter} refused to open a device: {reason}")]
    RequestFailed {
        /// Name of the adapter.
        adapter: String,
        /// What the driver said.
        reason: String,
    },
    /// The device is gone: unplugged, reset by the driver after a time-out, or destroyed.
    #[error("the GPU was lost: {reason}")]
    Lost {
        /// What the driver said.
        reason: String,
    },
    /// The device has not enough memory.
    #[error("out of GPU memory{}", wanted(what, *bytes))]
    OutOfMemory {
        /// Name of the buffer that did not fit; empty when unknown.
        what: String,
        /// Its size, bytes; 0 when unknown.
        bytes: u64,
    },
    /// A buffer is larger than the device allows, whatever memory it has.
    #[error("buffer '{what}' needs {bytes} bytes, and this GPU allows {limit} in one buffer")]
    TooLarge {
        /// Name of the buffer.
        what: String,
        /// Its size, bytes.
        bytes: u64,
        /// The device's limit, bytes.
        limit: u64,
    },
    /// More particles than the device's buffers hold, whatever memory it has.
    #[error("{count} particles, and the buffers of this GPU hold {limit}")]
    TooManyParticles {
        /// How many there are.
        count: usize,
        /// How many fit: see [`GpuEngine::most_particles`](crate::GpuEngine::most_particles).
        limit: usize,
    },
    /// A kernel was not accepted. A mistake in motes, or in the driver's compiler.
    #[error("kernel '{kernel}' was not accepted: {reason}")]
    Kernel {
        /// Name of the kernel.
        kernel: String,
        /// What the compiler said.
        reason: String,
    },
    /// More was found in a frame than there was room for; the next frame has more room.
    #[error("{dropped} {what} found no room on the GPU in a frame; the next one has more")]
    NoRoom {
        /// What was found.
        what: &'static str,
        /// How many were left out.
        dropped: u32,
    },
    /// Data has not come back yet, and a browser cannot wait for it: await [`GpuEngine::fetch`](crate::GpuEngine::fetch).
    #[error("the GPU has not answered yet, and a browser cannot wait for it")]
    NotYet,
    /// The device was used wrongly. A mistake in motes.
    #[error("the GPU rejected a command: {reason}")]
    Rejected {
        /// What was wrong.
        reason: String,
    },
}

impl From<wgpu::Error> for GpuError {
    fn from(error: wgpu::Error) -> Self {
        match error {
            wgpu::Error::OutOfMemory { .. } => Self::OutOfMemory {
                what: String::new(),
                bytes: 0,
            },
            wgpu::Error::Validation { description, .. } | wgpu::Error::Internal { description, .. } => {
                Self::Rejected { reason: description }
            }
        }
    }
}

fn describe(considered: &[AdapterReport]) -> String {
    if considered.is_empty() {
        return "the system lists none (is a Vulkan, Metal or DirectX 12 driver installed?)".to_owned();
    }
    let lines: Vec<String> = considered
        .iter()
        .map(|adapter| format!("{}: {}", adapter.name, adapter.reason))
        .collect();
    format!("looked at {}", lines.join("; "))
}

fn wanted(what: &str, bytes: u64) -> String {
    if what.is_empty() {
        String::new()
    } else {
        format!(": buffer '{what}' needs {:.1} MB", bytes as f64 * 1e-6)
    }
}
