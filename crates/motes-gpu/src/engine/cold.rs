//! Properties that particles have by id, on the device: a buffer each, and none where all have the usual value.
//!
//! Which there are, `Particles` says (`properties!` in motes-core). No sort and no compaction touches them.

use motes_core::Particles;

use super::arrays::{Arrays, SORTED_KINDS};
use crate::buffers::Buffer;
use crate::device::Gpu;
use crate::error::GpuError;
use crate::kernel::Kernel;
use crate::kernels;
use crate::readback::ReadBack;

/// All of them.
pub(crate) struct ColdProperties {
    gpu: Gpu,
    place_births: Kernel,
    properties: Vec<ColdProperty>,
}

struct ColdProperty {
    name: &'static str,
    words_each: usize,
    /// Whether the device has it.
    stored: bool,
    values: Buffer<u32>,
    /// Words of one particle, then the values of those about to be born.
    born: Buffer<u32>,
    /// Births bring values of their own in the frame to come.
    arrives: bool,
    place_births: Option<wgpu::BindGroup>,
}

impl ColdProperties {
    pub(crate) fn new(gpu: &Gpu, workgroup: u32) -> Result<Self, GpuError> {
        let none = Particles::default();
        let properties = none.cold().into_iter().map(|(name, column)| {
            Ok(ColdProperty {
                name,
                words_each: column.words_each(),
                stored: false,
                values: Buffer::new(gpu, name, 1)?,
                born: Buffer::new(gpu, "values of births", 1)?,
                arrives: false,
                place_births: None,
            })
        });
        Ok(Self {
            place_births: Kernel::begin(gpu, &kernels::PLACE_BIRTHS, &[("WORKGROUP", workgroup)]),
            properties: properties.collect::<Result<_, GpuError>>()?,
            gpu: gpu.clone(),
        })
    }

    /// Waits until its kernel is compiled.
    pub(crate) fn wait(&self) -> Result<(), GpuError> {
        self.place_births.check()
    }

    fn find(&self, name: &str) -> Option<&ColdProperty> {
        self.properties.iter().find(|property| property.name == name)
    }

    /// Whether the device has a property of that name.
    pub(crate) fn is_stored(&self, name: &str) -> bool {
        self.find(name).is_some_and(|property| property.stored)
    }

    /// The values of a property, by index of the id, to bind to a kernel; `otherwise` where there is no such.
    pub(crate) fn binding<'a>(&'a self, name: &str, otherwise: &'a Buffer<u32>) -> wgpu::BindingResource<'a> {
        self.find(name).map_or(otherwise, |property| &property.values).binding()
    }

    /// Takes over what the host has; says whether memory was replaced.
    pub(crate) fn upload(&mut self, host: &Particles) -> Result<bool, GpuError> {
        let mut replaced = false;
        for place in 0..self.properties.len() {
            self.properties[place].stored = false;
            replaced |= self.properties[place].take_over(host, place)?;
        }
        Ok(replaced)
    }

    /// Makes room for all ids, and writes what the last `births` of the host's particles bring; says whether memory was
    /// replaced.
    pub(crate) fn prepare_births(
        &mut self,
        host: &Particles,
        births: usize,
        encoder: &mut wgpu::CommandEncoder,
    ) -> Result<bool, GpuError> {
        let mut replaced = false;
        for place in 0..self.properties.len() {
            let property = &mut self.properties[place];
            property.arrives = property.stored && births > 0;
            if !property.stored {
                // Until a birth brought it along, all had the usual value.
                replaced |= property.take_over(host, place)?;
                continue;
            }
            let words = host.index_count() * property.words_each;
            replaced |= property.values.ensure_keeping(words, encoder)?;
            if property.arrives {
                let (_, column) = host.cold()[place];
                let mut born = vec![property.words_each as u32];
                for id in &host.ids()[host.len() - births..] {
                    let first = id.index as usize * property.words_each;
                    let own = column.words().get(first..first + property.words_each);
                    born.extend_from_slice(own.unwrap_or(column.usual()));
                }
                replaced |= property.born.ensure(born.len())?;
                property.born.write(0, &born);
            }
        }
        Ok(replaced)
    }

    /// Forgets what was bound.
    pub(crate) fn forget(&mut self) {
        for property in &mut self.properties {
            property.place_births = None;
        }
    }

    /// Records what was prepared for so many births.
    pub(crate) fn record_births(
        &mut self,
        arrays: &Arrays,
        params: &wgpu::BindingResource<'_>,
        births: u32,
        pass: &mut wgpu::ComputePass<'_>,
    ) {
        for property in self.properties.iter_mut().filter(|property| property.arrives) {
            let bindings = property.place_births.get_or_insert_with(|| {
                let kinds = arrays.kinds.part(SORTED_KINDS);
                let resources = [
                    params.clone(),
                    kinds.binding(),
                    property.born.binding(),
                    property.values.binding(),
                ];
                self.place_births.bind(&self.gpu, &resources)
            });
            self.place_births.launch(pass, bindings, births);
        }
    }

    /// Asks for all values, each with the place of its property.
    pub(crate) fn read_in(
        &self,
        indices: usize,
        encoder: &mut wgpu::CommandEncoder,
    ) -> Result<Vec<(usize, ReadBack<u32>)>, GpuError> {
        let stored = self
            .properties
            .iter()
            .enumerate()
            .filter(|(_, property)| property.stored);
        stored
            .map(|(place, property)| {
                // Those who wait to be born may have indices that the device has no room for yet.
                let words = (indices * property.words_each).min(property.values.capacity());
                Ok((place, property.values.read_in(0..words, encoder)?))
            })
            .collect()
    }

    /// Memory on the device, bytes.
    pub(crate) fn bytes(&self) -> u64 {
        let all = self.properties.iter();
        all.map(|property| property.values.bytes() + property.born.bytes())
            .sum()
    }
}

impl ColdProperty {
    /// Writes all that the host has of it, if anything.
    fn take_over(&mut self, host: &Particles, place: usize) -> Result<bool, GpuError> {
        let (_, column) = host.cold()[place];
        if !column.is_stored() {
            return Ok(false);
        }
        let mut words = column.words().to_vec();
        while words.len() < host.index_count() * self.words_each {
            words.extend_from_slice(column.usual());
        }
        let replaced = self.values.ensure(words.len())?;
        self.values.write(0, &words);
        self.stored = true;
        Ok(replaced)
    }
}
