//! Typed storage buffers that grow by themselves, and their asynchronous read-back.

use std::marker::PhantomData;
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

use bytemuck::Pod;

use crate::device::Gpu;
use crate::error::GpuError;
use crate::readback::ReadBack;

/// An array of `T` on the device. `T` is a multiple of four bytes.
///
/// Its contents are undefined until written, except that a new buffer is zero. A renderer may bind [`Self::raw`] as
/// storage, vertex, index or indirect buffer without a copy.
#[derive(Clone, Debug)]
pub struct Buffer<T> {
    gpu: Gpu,
    label: &'static str,
    raw: wgpu::Buffer,
    capacity: usize,
    generation: u64,
    element: PhantomData<T>,
}

/// What every buffer can be used for.
const USAGE: wgpu::BufferUsages = wgpu::BufferUsages::STORAGE
    .union(wgpu::BufferUsages::COPY_SRC)
    .union(wgpu::BufferUsages::COPY_DST)
    .union(wgpu::BufferUsages::VERTEX)
    .union(wgpu::BufferUsages::INDEX)
    .union(wgpu::BufferUsages::INDIRECT);

impl<T: Pod> Buffer<T> {
    /// A buffer with room for `capacity` elements, at least one.
    pub fn new(gpu: &Gpu, label: &'static str, capacity: usize) -> Result<Self, GpuError> {
        const { assert!(size_of::<T>() > 0 && size_of::<T>().is_multiple_of(4)) };
        let capacity = capacity.max(1);
        Ok(Self {
            raw: create(gpu, label, bytes_of::<T>(capacity), USAGE)?,
            gpu: gpu.clone(),
            label,
            capacity,
            generation: 0,
            element: PhantomData,
        })
    }

    /// A buffer with the given elements.
    pub fn from_slice(gpu: &Gpu, label: &'static str, elements: &[T]) -> Result<Self, GpuError> {
        let buffer = Self::new(gpu, label, elements.len())?;
        buffer.write(0, elements);
        Ok(buffer)
    }

    /// Elements there is room for.
    pub fn capacity(&self) -> usize {
        self.capacity
    }

    /// Memory on the device, bytes.
    pub fn bytes(&self) -> u64 {
        self.raw.size()
    }

    /// Changes whenever the memory is replaced: bind groups made before are then of no use.
    pub fn generation(&self) -> u64 {
        self.generation
    }

    /// The buffer itself.
    pub fn raw(&self) -> &wgpu::Buffer {
        &self.raw
    }

    /// All of it, to bind to a kernel.
    pub fn binding(&self) -> wgpu::BindingResource<'_> {
        self.raw.as_entire_binding()
    }

    /// Makes room for `len` elements and says whether the memory was replaced; the contents are then lost.
    pub fn ensure(&mut self, len: usize) -> Result<bool, GpuError> {
        Ok(self.grow(len, 2 * self.capacity)?.is_some())
    }

    /// The same as [`Self::ensure`], for callers that have thought of what may come later: there is no more room than that.
    pub fn ensure_exactly(&mut self, len: usize) -> Result<bool, GpuError> {
        Ok(self.grow(len, len)?.is_some())
    }

    /// Makes room for `len` elements and says whether the memory was replaced; the contents are copied by `encoder`.
    pub fn ensure_keeping(&mut self, len: usize, encoder: &mut wgpu::CommandEncoder) -> Result<bool, GpuError> {
        let old = self.grow(len, 2 * self.capacity)?;
        Ok(self.keep(old, encoder))
    }

    /// Both of [`Self::ensure_keeping`] and [`Self::ensure_exactly`].
    pub fn ensure_keeping_exactly(&mut self, len: usize, encoder: &mut wgpu::CommandEncoder) -> Result<bool, GpuError> {
        let old = self.grow(len, len)?;
        Ok(self.keep(old, encoder))
    }

    fn keep(&self, old: Option<wgpu::Buffer>, encoder: &mut wgpu::CommandEncoder) -> bool {
        if let Some(old) = &old {
            let bytes = old.size().min(self.raw.size());
            encoder.copy_buffer_to_buffer(old, 0, &self.raw, 0, bytes);
        }
        old.is_some()
    }

    /// Writes elements from `first` on, before the next submit. They must fit.
    pub fn write(&self, first: usize, elements: &[T]) {
        if !elements.is_empty() {
            let offset = bytes_of::<T>(first);
            self.gpu
                .queue()
                .write_buffer(&self.raw, offset, bytemuck::cast_slice(elements));
        }
    }

    /// Starts reading elements, after all that was submitted so far.
    pub fn read(&self, range: Range<usize>) -> Result<ReadBack<T>, GpuError> {
        let mut encoder = self.gpu.device().create_command_encoder(&Default::default());
        let read = self.read_in(range, &mut encoder)?;
        self.gpu.queue().submit([encoder.finish()]);
        Ok(read)
    }

    /// Reads elements as they are at this point of `encoder`; arrives some time after its submit.
    pub fn read_in(&self, range: Range<usize>, encoder: &mut wgpu::CommandEncoder) -> Result<ReadBack<T>, GpuError> {
        ReadBack::record(&self.gpu, &self.raw, range, encoder)
    }

    /// Replaces the memory by larger one if needed, `wished` elements if there is so much, and returns the old.
    fn grow(&mut self, len: usize, wished: usize) -> Result<Option<wgpu::Buffer>, GpuError> {
        if len <= self.capacity {
            return Ok(None);
        }
        let limit = self.gpu.capabilities().max_buffer_bytes / bytes_of::<T>(1);
        let generous = wished.min(limit as usize).max(len);
        let mut capacity = generous;
        let raw = match create(&self.gpu, self.label, bytes_of::<T>(generous), USAGE) {
            Err(GpuError::OutOfMemory { .. }) if generous > len => {
                capacity = len;
                create(&self.gpu, self.label, bytes_of::<T>(len), USAGE)?
            }
            made => made?,
        };
        self.capacity = capacity;
        self.generation += 1;
        Ok(Some(std::mem::replace(&mut self.raw, raw)))
    }
}

/// An array of small structs for kernels to read as `var<uniform>`, one slot each.
///
/// Dispatches of one submit see the same contents, so what changes between them gets a slot of its own.
#[derive(Clone, Debug)]
pub struct Uniforms<T> {
    gpu: Gpu,
    raw: wgpu::Buffer,
    stride: u64,
    /// What each slot holds, as far as it was filled.
    written: Arc<Mutex<Vec<Option<T>>>>,
}

impl<T: Pod> Uniforms<T> {
    /// Room for `slots` structs.
    pub fn new(gpu: &Gpu, label: &'static str, slots: usize) -> Result<Self, GpuError> {
        let align = u64::from(gpu.device().limits().min_uniform_buffer_offset_alignment);
        let stride = bytes_of::<T>(1).next_multiple_of(align);
        let usage = wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST;
        Ok(Self {
            raw: create(gpu, label, stride * slots.max(1) as u64, usage)?,
            gpu: gpu.clone(),
            stride,
            written: Arc::new(Mutex::new(vec![None; slots.max(1)])),
        })
    }

    /// Number of slots.
    pub fn slots(&self) -> usize {
        (self.raw.size() / self.stride) as usize
    }

    /// Fills a slot, before the next submit. Costs nothing if it holds the value already.
    pub fn write(&self, slot: usize, value: &T) {
        let bytes = bytemuck::bytes_of(value);
        let mut written = self.written.lock().unwrap_or_else(PoisonError::into_inner);
        let same = |old: &T| bytemuck::bytes_of(old) == bytes;
        if !written[slot].as_ref().is_some_and(same) {
            let offset = slot as u64 * self.stride;
            self.gpu.queue().write_buffer(&self.raw, offset, bytes);
            written[slot] = Some(*value);
        }
    }

    /// Copies words of `source` into a slot, `offset` bytes into it, when `encoder` gets there. Of these words
    /// [`Self::write`] knows nothing: who copies them in one frame does so in the next, or calls [`Self::forget`].
    pub(crate) fn copy_words(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        (source, words): (&Buffer<u32>, Range<usize>),
        slot: usize,
        offset: usize,
    ) {
        let place = slot as u64 * self.stride + offset as u64;
        let (first, bytes) = (bytes_of::<u32>(words.start), bytes_of::<u32>(words.len()));
        encoder.copy_buffer_to_buffer(&source.raw, first, &self.raw, place, bytes);
    }

    /// Has every slot written again, even if with the same value.
    pub(crate) fn forget(&self) {
        let mut written = self.written.lock().unwrap_or_else(PoisonError::into_inner);
        written.fill(None);
    }

    /// One slot, to bind to a kernel.
    pub fn binding(&self, slot: usize) -> wgpu::BindingResource<'_> {
        wgpu::BindingResource::Buffer(wgpu::BufferBinding {
            buffer: &self.raw,
            offset: slot as u64 * self.stride,
            size: std::num::NonZeroU64::new(bytes_of::<T>(1)),
        })
    }
}

pub(crate) fn bytes_of<T>(len: usize) -> u64 {
    (len * size_of::<T>()) as u64
}

/// A buffer, or the reason why there is none.
pub(crate) fn create(gpu: &Gpu, label: &str, bytes: u64, usage: wgpu::BufferUsages) -> Result<wgpu::Buffer, GpuError> {
    // Any buffer can be bound as an array of `vec4`.
    let size = bytes.next_multiple_of(16).max(16);
    let limit = gpu.capabilities().max_buffer_bytes;
    if size > limit {
        return Err(GpuError::TooLarge {
            what: label.to_owned(),
            bytes,
            limit,
        });
    }
    gpu.check()?;
    let descriptor = wgpu::BufferDescriptor {
        label: Some(label),
        size,
        usage,
        mapped_at_creation: false,
    };
    gpu.catch(|| gpu.device().create_buffer(&descriptor))
        .map_err(|error| match error.into() {
            GpuError::OutOfMemory { .. } => GpuError::OutOfMemory {
                what: label.to_owned(),
                bytes,
            },
            other => other,
        })
}
