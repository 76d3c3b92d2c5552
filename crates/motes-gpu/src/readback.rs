//! Read-backs: data on its way from the device. Poll it, wait for it, or await it.

use std::future::Future;
use std::marker::PhantomData;
use std::ops::Range;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};

use bytemuck::Pod;

use crate::buffers::{bytes_of, create};
use crate::device::Gpu;
use crate::error::GpuError;

/// Elements that are being copied to the host. As a future it resolves to them; on a native target it then keeps its
/// executor busy, since nothing else drives the device there.
#[derive(Debug)]
pub struct ReadBack<T> {
    gpu: Gpu,
    staging: Option<wgpu::Buffer>,
    /// Where the staging buffer goes when it has been read.
    ring: Option<Ring>,
    len: usize,
    arrival: Arc<Mutex<Arrival>>,
    element: PhantomData<T>,
}

/// Staging buffers that are used again and again, for what is read back in every frame.
#[derive(Clone, Debug, Default)]
pub(crate) struct Ring(Arc<Mutex<Vec<wgpu::Buffer>>>);

/// Most buffers that wait in a ring.
const RING: usize = 16;

impl Ring {
    fn take(&self, bytes: u64) -> Option<wgpu::Buffer> {
        let mut buffers = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let fits = |buffer: &wgpu::Buffer| (bytes..=4 * bytes.max(1024)).contains(&buffer.size());
        let place = buffers.iter().position(fits)?;
        Some(buffers.swap_remove(place))
    }

    fn put(&self, buffer: wgpu::Buffer) {
        let mut buffers = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if buffers.len() >= RING {
            buffers.remove(0);
        }
        buffers.push(buffer);
    }
}

#[derive(Debug, Default)]
struct Arrival {
    result: Option<Result<(), wgpu::BufferAsyncError>>,
    waker: Option<Waker>,
}

impl<T: Pod> ReadBack<T> {
    /// Records the copy of `range` of `source`, and the mapping for when `encoder` is submitted.
    pub(crate) fn record(
        gpu: &Gpu,
        source: &wgpu::Buffer,
        range: Range<usize>,
        encoder: &mut wgpu::CommandEncoder,
    ) -> Result<Self, GpuError> {
        Self::record_all(gpu, &[(source, range)], encoder)
    }

    /// The same through a staging buffer of a ring.
    pub(crate) fn record_through(
        ring: &Ring,
        gpu: &Gpu,
        (source, range): (&wgpu::Buffer, Range<usize>),
        encoder: &mut wgpu::CommandEncoder,
    ) -> Result<Self, GpuError> {
        Self::record_parts(gpu, Some(ring), &[(source, range)], encoder)
    }

    /// The same for ranges of several buffers, which come back one behind the other.
    pub(crate) fn record_all(
        gpu: &Gpu,
        sources: &[(&wgpu::Buffer, Range<usize>)],
        encoder: &mut wgpu::CommandEncoder,
    ) -> Result<Self, GpuError> {
        Self::record_parts(gpu, None, sources, encoder)
    }

    fn record_parts(
        gpu: &Gpu,
        ring: Option<&Ring>,
        sources: &[(&wgpu::Buffer, Range<usize>)],
        encoder: &mut wgpu::CommandEncoder,
    ) -> Result<Self, GpuError> {
        let arrival = Arc::new(Mutex::new(Arrival::default()));
        let len = sources.iter().map(|(_, range)| range.len()).sum();
        let mut staging = None;
        if len > 0 {
            let usage = wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST;
            let buffer = match ring.and_then(|ring| ring.take(bytes_of::<T>(len))) {
                Some(buffer) => buffer,
                None => create(gpu, "read back", bytes_of::<T>(len), usage)?,
            };
            let mut place = 0;
            for (source, range) in sources.iter().filter(|(_, range)| !range.is_empty()) {
                let (from, bytes) = (bytes_of::<T>(range.start), bytes_of::<T>(range.len()));
                encoder.copy_buffer_to_buffer(source, from, &buffer, place, bytes);
                place += bytes;
            }
            let arrived = Arc::clone(&arrival);
            encoder.map_buffer_on_submit(&buffer, wgpu::MapMode::Read, .., move |result| {
                let mut arrival = lock(&arrived);
                arrival.result = Some(result);
                if let Some(waker) = arrival.waker.take() {
                    waker.wake();
                }
            });
            staging = Some(buffer);
        }
        Ok(Self {
            gpu: gpu.clone(),
            staging,
            ring: ring.cloned(),
            len,
            arrival,
            element: PhantomData,
        })
    }

    /// Whether the elements have come, or never will.
    pub(crate) fn has_come(&self) -> bool {
        if self.len == 0 || self.arrived() {
            return true;
        }
        let _ = self.gpu.device().poll(wgpu::PollType::Poll);
        self.arrived() || self.gpu.check().is_err()
    }

    /// The elements, if they have come. Asks only once: afterwards nothing is left.
    pub fn try_take(&mut self) -> Option<Result<Vec<T>, GpuError>> {
        if self.len == 0 {
            return Some(Ok(Vec::new()));
        }
        let polled = self.gpu.device().poll(wgpu::PollType::Poll);
        if let (Err(fault), false) = (self.gpu.check(), self.arrived()) {
            return Some(Err(fault));
        }
        if polled.is_err() || !self.arrived() {
            return None;
        }
        Some(self.take())
    }

    /// Waits for the elements. In a browser, which cannot wait, they must have come already.
    pub fn wait(mut self) -> Result<Vec<T>, GpuError> {
        if self.len == 0 {
            return Ok(Vec::new());
        }
        self.gpu.wait()?;
        self.gpu.wait_for_news(|| self.arrived())?;
        if cfg!(target_family = "wasm") && !self.arrived() {
            return Err(GpuError::NotYet);
        }
        self.take()
    }

    fn arrived(&self) -> bool {
        lock(&self.arrival).result.is_some()
    }

    fn take(&mut self) -> Result<Vec<T>, GpuError> {
        let lost = |reason: &str| GpuError::Lost {
            reason: reason.to_owned(),
        };
        let result = lock(&self.arrival).result.take();
        let staging = self.staging.take();
        let (Some(result), Some(staging)) = (result, staging) else {
            return Err(lost("data was asked for twice, or never submitted"));
        };
        result.map_err(|error| lost(&error.to_string()))?;
        let view = staging
            .get_mapped_range(..bytes_of::<T>(self.len))
            .map_err(|error| lost(&error.to_string()))?;
        let elements = bytemuck::pod_collect_to_vec(&view);
        drop(view);
        if let Some(ring) = self.ring.take() {
            staging.unmap();
            ring.put(staging);
        }
        Ok(elements)
    }
}

impl<T: Pod + Unpin> Future for ReadBack<T> {
    type Output = Result<Vec<T>, GpuError>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        lock(&self.arrival).waker = Some(context.waker().clone());
        match self.try_take() {
            Some(result) => Poll::Ready(result),
            None => {
                if cfg!(not(target_family = "wasm")) {
                    context.waker().wake_by_ref();
                }
                Poll::Pending
            }
        }
    }
}

fn lock(arrival: &Mutex<Arrival>) -> MutexGuard<'_, Arrival> {
    arrival.lock().unwrap_or_else(PoisonError::into_inner)
}
