//! Parts of buffers: several arrays in one buffer, because WebGPU promises a kernel no more than eight.

use bytemuck::Pod;

use crate::buffers::{Buffer, bytes_of};
use crate::device::Gpu;
use crate::error::GpuError;
use crate::readback::ReadBack;

/// Declares the sections of a buffer in order, each with the functions by which kernels find an element of it:
/// `SECTION { accessor: "what it means", }`. Makes a constant for each section, its place, and a list of all accessors.
macro_rules! sections {
    (
        $(#[$doc:meta])*
        $list:ident {
            $($(#[$section_doc:meta])* $section:ident { $($accessor:ident: $meaning:literal,)* })*
        }
    ) => {
        $(#[$doc])*
        pub(crate) const $list: &[$crate::sections::Accessor] = &[
            $($($crate::sections::Accessor {
                name: stringify!($accessor),
                meaning: $meaning,
                section: $section,
            },)*)*
        ];
        $crate::sections::sections!(@number (0) $($(#[$section_doc])* $section)*);
    };
    (@number ($place:expr) $(#[$doc:meta])* $section:ident $($rest:tt)*) => {
        $(#[$doc])*
        pub(crate) const $section: usize = $place;
        $crate::sections::sections!(@number ($place + 1) $($rest)*);
    };
    (@number ($place:expr)) => {};
}
pub(crate) use sections;

/// A function of kernels that says where a particle has its element of a section.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Accessor {
    pub(crate) name: &'static str,
    /// What is there, and when.
    pub(crate) meaning: &'static str,
    pub(crate) section: usize,
}

impl Accessor {
    /// As WGSL. Kernels have the length of a section in `params.stride`.
    pub(crate) fn declaration(&self) -> String {
        let Self { name, meaning, section } = self;
        format!("// {meaning}\nfn {name}(i: u32) -> u32 {{ return {section}u * params.stride + i; }}\n")
    }
}

/// A range of a buffer, to bind to a kernel as an array of its own. Ranges of a buffer may be bound side by side if the
/// kernel writes none of them.
#[derive(Clone, Copy, Debug)]
pub struct Part<'a, T> {
    buffer: &'a Buffer<T>,
    first: usize,
    len: usize,
}

impl<T: Pod> Part<'_, T> {
    /// The buffer that it is a part of.
    pub fn raw(&self) -> &wgpu::Buffer {
        self.buffer.raw()
    }

    /// The part, to bind to a kernel.
    pub fn binding(&self) -> wgpu::BindingResource<'_> {
        wgpu::BindingResource::Buffer(wgpu::BufferBinding {
            buffer: self.buffer.raw(),
            offset: bytes_of::<T>(self.first),
            size: std::num::NonZeroU64::new(bytes_of::<T>(self.len)),
        })
    }
}

impl<'a, T: Pod> From<&'a Buffer<T>> for Part<'a, T> {
    fn from(buffer: &'a Buffer<T>) -> Self {
        Self {
            buffer,
            first: 0,
            len: buffer.capacity(),
        }
    }
}

/// Arrays of one length in a buffer, one behind the other: a kernel needs one binding for all of them.
#[derive(Debug)]
pub(crate) struct Sections<T> {
    buffer: Buffer<T>,
    sections: usize,
    stride: usize,
}

/// Sections begin where any device can bind them.
pub(crate) const SECTION_ALIGN: usize = 64;

impl<T: Pod> Sections<T> {
    pub(crate) fn new(gpu: &Gpu, label: &'static str, sections: usize) -> Result<Self, GpuError> {
        Ok(Self {
            buffer: Buffer::new(gpu, label, sections * SECTION_ALIGN)?,
            sections,
            stride: SECTION_ALIGN,
        })
    }

    /// Makes room for `len` elements a section and for so many sections; says whether the memory was replaced. The contents
    /// of the first `kept` sections are copied by `encoder`, the others are lost.
    pub(crate) fn ensure(
        &mut self,
        len: usize,
        sections: usize,
        kept: usize,
        encoder: &mut wgpu::CommandEncoder,
    ) -> Result<bool, GpuError> {
        if len <= self.stride && sections <= self.sections {
            return Ok(false);
        }
        let old = self.buffer.raw().clone();
        let stride = len.next_multiple_of(SECTION_ALIGN).max(self.stride);
        let sections = sections.max(self.sections);
        self.buffer.ensure_exactly(sections * stride)?;
        for section in 0..kept {
            let [from, to, bytes] =
                [section * self.stride, section * stride, self.stride].map(|elements| bytes_of::<T>(elements));
            encoder.copy_buffer_to_buffer(&old, from, self.buffer.raw(), to, bytes);
        }
        (self.stride, self.sections) = (stride, sections);
        Ok(true)
    }

    /// Elements from one section to the next.
    pub(crate) fn stride(&self) -> usize {
        self.stride
    }

    /// All sections, of which the first begins the buffer.
    pub(crate) fn buffer(&self) -> &Buffer<T> {
        &self.buffer
    }

    /// One section by itself.
    pub(crate) fn part(&self, section: usize) -> Part<'_, T> {
        Part {
            buffer: &self.buffer,
            first: section * self.stride,
            len: self.stride,
        }
    }

    /// All sections, to bind to a kernel.
    pub(crate) fn binding(&self) -> wgpu::BindingResource<'_> {
        self.buffer.binding()
    }

    /// Writes elements of a section from `first` on, before the next submit. They must fit.
    pub(crate) fn write(&self, section: usize, first: usize, elements: &[T]) {
        self.buffer.write(section * self.stride + first, elements);
    }

    /// Reads the first `len` elements of a section as they are at this point of `encoder`.
    pub(crate) fn read_in(
        &self,
        section: usize,
        len: usize,
        encoder: &mut wgpu::CommandEncoder,
    ) -> Result<ReadBack<T>, GpuError> {
        let first = section * self.stride;
        self.buffer.read_in(first..first + len, encoder)
    }

    /// Reads the first `len` elements of a section.
    pub(crate) fn read_section(&self, section: usize, len: usize) -> Result<ReadBack<T>, GpuError> {
        let first = section * self.stride;
        self.buffer.read(first..first + len)
    }

    /// Memory on the device, bytes.
    pub(crate) fn bytes(&self) -> u64 {
        self.buffer.bytes()
    }
}
