//! One open GPU: device, queue, what it can do, and whether it still works.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::adapter::{self, Choice};
use crate::compilers::Compilers;
use crate::error::GpuError;
use crate::kernel::{Kernel, KernelKey};

/// An open GPU. Cheap to clone; all clones are the same device. Any number of worlds and renderers may share it.
#[derive(Clone, Debug)]
pub struct Gpu {
    device: wgpu::Device,
    queue: wgpu::Queue,
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    info: wgpu::AdapterInfo,
    capabilities: Capabilities,
    fault: Mutex<Option<GpuError>>,
    /// Kernels by their text, compiled or about to be, so that another engine on the device need not compile them again.
    kernels: Mutex<HashMap<KernelKey, Kernel>>,
    compilers: Arc<Compilers>,
}

/// What a device can do beyond WebGPU's defaults.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Capabilities {
    /// Where timestamps can be written.
    pub timestamps: Timestamps,
    /// Smallest and largest subgroup, if kernels may use subgroups. Either is a power of two from 4 to 128.
    pub subgroups: Option<(u32, u32)>,
    /// Largest storage buffer, bytes.
    pub max_buffer_bytes: u64,
    /// Most workgroups along one dimension of a dispatch.
    pub max_workgroups_per_dimension: u32,
}

/// Where a device can write timestamps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Timestamps {
    /// Nowhere.
    None,
    /// At the beginning and the end of a pass.
    AroundPasses,
    /// Between any two dispatches.
    InsidePasses,
}

impl Gpu {
    /// Takes a device and queue that the caller made, which may lack any optional feature. Its error handlers are left
    /// alone: pass what they hear on to [`Self::report`], or call [`Self::watch`].
    pub fn new(device: wgpu::Device, queue: wgpu::Queue) -> Self {
        let info = device.adapter_info();
        let shared = Shared {
            capabilities: Capabilities::of(&device, &info),
            info,
            fault: Mutex::new(None),
            kernels: Mutex::default(),
            compilers: Arc::default(),
        };
        Self {
            device,
            queue,
            shared: Arc::new(shared),
        }
    }

    /// Opens the best GPU of this machine.
    #[cfg(not(target_family = "wasm"))]
    pub fn pick(choice: &Choice) -> Result<Self, GpuError> {
        pollster::block_on(Self::pick_async(choice))
    }

    /// The same as [`Self::pick`], for where blocking is not possible.
    pub async fn pick_async(choice: &Choice) -> Result<Self, GpuError> {
        let adapter = adapter::choose(choice).await?;
        let (device, queue) = adapter::open(&adapter).await?;
        let gpu = Self::new(device, queue);
        gpu.watch();
        Ok(gpu)
    }

    /// Remembers errors of the device instead of panicking, for [`Self::check`] to find. Replaces the device's handlers.
    pub fn watch(&self) {
        let shared = Arc::downgrade(&self.shared);
        self.device.on_uncaptured_error(Arc::new(move |error: wgpu::Error| {
            if let Some(shared) = shared.upgrade() {
                shared.report(error.into());
            }
        }));
        let shared = Arc::downgrade(&self.shared);
        self.device.set_device_lost_callback(move |reason, message| {
            if let Some(shared) = shared.upgrade() {
                let reason = match reason {
                    wgpu::DeviceLostReason::Destroyed => "it was destroyed".to_owned(),
                    wgpu::DeviceLostReason::Unknown => message,
                };
                shared.report(GpuError::Lost { reason });
            }
        });
    }

    /// Remembers an error that the owner of the device was told of. The first is kept, except that a loss replaces others.
    pub fn report(&self, error: GpuError) {
        self.shared.report(error);
    }

    /// The first error since the device was opened, if any. Costs nothing; meant to be asked once a frame.
    pub fn check(&self) -> Result<(), GpuError> {
        self.shared.fault().clone().map_or(Ok(()), Err)
    }

    /// The kernel that is called that, or a new one to be compiled, and whether it is new.
    pub(crate) fn known(&self, key: &KernelKey, make: impl FnOnce() -> Kernel) -> (Kernel, bool) {
        let mut kernels = self.shared.kernels();
        if let Some(kernel) = kernels.get(key) {
            return (kernel.clone(), false);
        }
        let kernel = make();
        kernels.insert(key.clone(), kernel.clone());
        (kernel, true)
    }

    /// Has a kernel compiled again when it is next asked for.
    pub(crate) fn forget(&self, key: &KernelKey) {
        self.shared.kernels().remove(key);
    }

    /// Those who compile kernels for the device.
    pub(crate) fn compilers(&self) -> &Arc<Compilers> {
        &self.shared.compilers
    }

    /// What lies behind an error: a device that is lost fails in many ways before it says so.
    pub(crate) fn cause_of(&self, error: GpuError) -> GpuError {
        let _ = self.device.poll(wgpu::PollType::wait_indefinitely());
        match self.check() {
            Err(lost @ GpuError::Lost { .. }) => lost,
            _ => error,
        }
    }

    /// The device.
    pub fn device(&self) -> &wgpu::Device {
        &self.device
    }

    /// The queue.
    pub fn queue(&self) -> &wgpu::Queue {
        &self.queue
    }

    /// Name, driver and kind of the hardware.
    pub fn info(&self) -> &wgpu::AdapterInfo {
        &self.shared.info
    }

    /// What the device can do.
    pub fn capabilities(&self) -> Capabilities {
        self.shared.capabilities
    }

    /// Whether the driver computes on the CPU.
    pub fn is_software(&self) -> bool {
        adapter::is_software(&self.shared.info)
    }

    /// The hardware and driver in a few words, for reports.
    pub fn description(&self) -> String {
        let info = &self.shared.info;
        let text = format!("{} ({}, {} {})", info.name, info.backend, info.driver, info.driver_info);
        text.replace(" )", ")")
    }

    /// Waits until the device has done everything that was submitted. In a browser nothing can be waited for, and this
    /// returns at once.
    pub fn wait(&self) -> Result<(), GpuError> {
        self.wait_until(wgpu::PollType::wait_indefinitely())
    }

    /// The same up to a certain submission.
    pub fn wait_for(&self, submission: wgpu::SubmissionIndex) -> Result<(), GpuError> {
        self.wait_until(wgpu::PollType::Wait {
            submission_index: Some(submission),
            timeout: None,
        })
    }

    /// Waits for news of a submission that is done. Where threads share the device, another one may be about to bring it.
    pub(crate) fn wait_for_news(&self, has_come: impl Fn() -> bool) -> Result<(), GpuError> {
        while !cfg!(target_family = "wasm") && !has_come() {
            self.wait_until(wgpu::PollType::Poll)?;
            std::thread::yield_now();
        }
        Ok(())
    }

    fn wait_until(&self, moment: wgpu::PollType) -> Result<(), GpuError> {
        let waited = self.device.poll(moment);
        self.check()?;
        waited.map(|_| ()).map_err(|error| GpuError::Lost {
            reason: error.to_string(),
        })
    }

    /// Runs `make` and returns the errors it caused instead of reporting them. In a browser they are reported later,
    /// by [`Self::check`].
    pub(crate) fn catch<T>(&self, make: impl FnOnce() -> T) -> Result<T, wgpu::Error> {
        if cfg!(target_family = "wasm") {
            return Ok(make());
        }
        let filters = [
            wgpu::ErrorFilter::OutOfMemory,
            wgpu::ErrorFilter::Validation,
            wgpu::ErrorFilter::Internal,
        ];
        let scopes = filters.map(|filter| self.device.push_error_scope(filter));
        let made = make();
        let mut first = None;
        for scope in scopes.into_iter().rev() {
            let error = pollster::block_on(scope.pop());
            first = first.or(error);
        }
        first.map_or(Ok(made), Err)
    }
}

impl Shared {
    fn fault(&self) -> MutexGuard<'_, Option<GpuError>> {
        self.fault.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn kernels(&self) -> MutexGuard<'_, HashMap<KernelKey, Kernel>> {
        self.kernels.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn report(&self, error: GpuError) {
        let mut fault = self.fault();
        let lost = matches!(*fault, Some(GpuError::Lost { .. }));
        if fault.is_none() || (!lost && matches!(error, GpuError::Lost { .. })) {
            *fault = Some(error);
        }
    }
}

impl Capabilities {
    fn of(device: &wgpu::Device, info: &wgpu::AdapterInfo) -> Self {
        let features = device.features();
        let limits = device.limits();
        let timestamps = if features.contains(wgpu::Features::TIMESTAMP_QUERY_INSIDE_PASSES) {
            Timestamps::InsidePasses
        } else if features.contains(wgpu::Features::TIMESTAMP_QUERY) {
            Timestamps::AroundPasses
        } else {
            Timestamps::None
        };
        Self {
            timestamps,
            subgroups: features
                .contains(wgpu::Features::SUBGROUP)
                .then_some((info.subgroup_min_size, info.subgroup_max_size)),
            // Buffers are made of whole blocks of 16 bytes.
            max_buffer_bytes: limits.max_buffer_size.min(limits.max_storage_buffer_binding_size) / 16 * 16,
            max_workgroups_per_dimension: limits.max_compute_workgroups_per_dimension,
        }
    }
}

/// Features to ask an adapter for: those of motes' that it has.
pub fn required_features(available: wgpu::Features) -> wgpu::Features {
    let useful = wgpu::Features::TIMESTAMP_QUERY
        | wgpu::Features::TIMESTAMP_QUERY_INSIDE_ENCODERS
        | wgpu::Features::TIMESTAMP_QUERY_INSIDE_PASSES
        | wgpu::Features::SUBGROUP;
    available & useful
}

/// Limits to ask an adapter for: WebGPU's defaults, with the sizes of buffers, of dispatches and of the memory of workgroups raised to what it has.
pub fn required_limits(available: &wgpu::Limits) -> wgpu::Limits {
    let defaults = wgpu::Limits::defaults();
    wgpu::Limits {
        max_buffer_size: available.max_buffer_size.max(defaults.max_buffer_size),
        max_storage_buffer_binding_size: available
            .max_storage_buffer_binding_size
            .max(defaults.max_storage_buffer_binding_size),
        max_compute_workgroups_per_dimension: available
            .max_compute_workgroups_per_dimension
            .max(defaults.max_compute_workgroups_per_dimension),
        max_compute_workgroup_storage_size: available
            .max_compute_workgroup_storage_size
            .max(defaults.max_compute_workgroup_storage_size),
        ..defaults
    }
}
