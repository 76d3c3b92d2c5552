//! Properties that only some particles have, on the device: a buffer each, by id, and none where all have the usual value.
//!
//! Which there are, `Particles` says (`properties!` in motes-core). No sort and no compaction touches them. A kernel reads
//! one as an array by the index of a particle's id: it costs a binding there, and nothing elsewhere.

use motes_core::Particles;

use crate::buffers::Buffer;
use crate::device::Gpu;
use crate::error::GpuError;
use crate::kernel::Kernel;
use crate::kernels;
use crate::readback::ReadBack;

/// All of them.
pub(crate) struct OptionalProperties {
    gpu: Gpu,
    place_values: Kernel,
    properties: Vec<OptionalProperty>,
}

struct OptionalProperty {
    name: &'static str,
    words_each: usize,
    /// Whether the device has it.
    stored: bool,
    values: Buffer<u32>,
    /// Indices of particles whose values were changed by the host since they were written.
    edited: Vec<u32>,
    /// What `place_values` reads, for as many values.
    given: Buffer<u32>,
    giving: usize,
}

const WORKGROUP: u32 = 128;

impl OptionalProperties {
    pub(crate) fn new(gpu: &Gpu) -> Result<Self, GpuError> {
        let none = Particles::default();
        let properties = none.optional().into_iter().map(|(name, column)| {
            Ok(OptionalProperty {
                name,
                words_each: column.words_each(),
                stored: false,
                values: Buffer::new(gpu, name, 1)?,
                edited: Vec::new(),
                given: Buffer::new(gpu, "values of particles", 1)?,
                giving: 0,
            })
        });
        Ok(Self {
            place_values: Kernel::begin(gpu, &kernels::PLACE_VALUES, &[("WORKGROUP", WORKGROUP)]),
            properties: properties.collect::<Result<_, GpuError>>()?,
            gpu: gpu.clone(),
        })
    }

    /// Waits until its kernel is compiled.
    pub(crate) fn wait(&self) -> Result<(), GpuError> {
        self.place_values.check()
    }

    /// The values of a property, by index of the id, if the device has them.
    pub(crate) fn stored(&self, name: &str) -> Option<&Buffer<u32>> {
        let property = self.properties.iter().find(|property| property.name == name);
        property
            .filter(|property| property.stored)
            .map(|property| &property.values)
    }

    /// The same, or nothing worth reading.
    pub(crate) fn values(&self, name: &str) -> Option<&Buffer<u32>> {
        let property = self.properties.iter().find(|property| property.name == name);
        property.map(|property| &property.values)
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

    /// Has the device know a property, whatever the values; says whether it did not before.
    pub(crate) fn keep(&mut self, name: &str, host: &Particles) -> Result<bool, GpuError> {
        match self.properties.iter().position(|property| property.name == name) {
            Some(place) if !self.properties[place].stored => self.properties[place].write(host, place).map(|_| true),
            _ => Ok(false),
        }
    }

    /// Takes note that the host has changed a property of a particle, by the index of its id.
    pub(crate) fn edit(&mut self, name: &str, index: u32) {
        let property = self.properties.iter_mut().find(|property| property.name == name);
        if let Some(property) = property {
            property.edited.push(index);
        }
    }

    /// Whether the host has changed anything that the device does not know.
    pub(crate) fn is_edited(&self) -> bool {
        self.properties.iter().any(|property| !property.edited.is_empty())
    }

    /// Makes room for all ids, and writes what was edited and what the last `births` of the host's particles bring, for
    /// [`Self::record`]; says whether memory was replaced.
    pub(crate) fn prepare(
        &mut self,
        host: &Particles,
        births: usize,
        encoder: &mut wgpu::CommandEncoder,
    ) -> Result<bool, GpuError> {
        let mut replaced = false;
        for place in 0..self.properties.len() {
            let property = &mut self.properties[place];
            if !property.stored {
                // Until a birth or an edit brought it along, all had the usual value.
                replaced |= property.take_over(host, place)?;
                continue;
            }
            let words = host.index_count() * property.words_each;
            replaced |= property.values.ensure_keeping(words, encoder)?;
            property.give(host, place, births)?;
        }
        Ok(replaced)
    }

    /// Whether there is anything to record.
    pub(crate) fn is_due(&self) -> bool {
        self.properties.iter().any(|property| property.giving > 0)
    }

    /// Records what was prepared.
    pub(crate) fn record(&mut self, pass: &mut wgpu::ComputePass<'_>) {
        for property in self.properties.iter_mut().filter(|property| property.giving > 0) {
            let resources = [property.given.binding(), property.values.binding()];
            let bindings = self.place_values.bind(&self.gpu, &resources);
            let values = std::mem::take(&mut property.giving);
            self.place_values.launch(pass, &bindings, values as u32);
        }
    }

    /// Asks for all values, each with the place of its property.
    pub(crate) fn read_in(
        &self,
        indices: usize,
        encoder: &mut wgpu::CommandEncoder,
    ) -> Result<Vec<(usize, ReadBack<u32>)>, GpuError> {
        let numbered = self.properties.iter().enumerate();
        let stored = numbered.filter(|(_, property)| property.stored);
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
        all.map(|property| property.values.bytes() + property.given.bytes())
            .sum()
    }
}

impl OptionalProperty {
    /// Writes all that the host has of it, if anything.
    fn take_over(&mut self, host: &Particles, place: usize) -> Result<bool, GpuError> {
        self.edited.clear();
        self.giving = 0;
        if !host.optional()[place].1.is_stored() {
            return Ok(false);
        }
        self.write(host, place)
    }

    /// Writes all values.
    fn write(&mut self, host: &Particles, place: usize) -> Result<bool, GpuError> {
        let (_, column) = host.optional()[place];
        let each = self.words_each;
        let mut words = column.usual().repeat(host.index_count());
        for (slot, &id) in host.ids().iter().enumerate() {
            let first = id.index as usize * each;
            words[first..first + each].copy_from_slice(column.words_of(slot, id));
        }
        let replaced = self.values.ensure(words.len())?;
        self.values.write(0, &words);
        self.stored = true;
        Ok(replaced)
    }

    /// Writes what was edited and what births bring.
    fn give(&mut self, host: &Particles, place: usize, births: usize) -> Result<(), GpuError> {
        // The last value of a particle is the only one that counts.
        self.edited.sort_unstable();
        self.edited.dedup();
        let edited = self.edited.drain(..).filter_map(|index| host.slot(host.id_of(index)?));
        let (_, column) = host.optional()[place];
        let mut rows = vec![self.words_each as u32, 0];
        let first_birth = host.len() - births;
        for slot in edited.filter(|&slot| slot < first_birth).chain(first_birth..host.len()) {
            let id = host.ids()[slot];
            rows.push(id.index);
            rows.extend_from_slice(column.words_of(slot, id));
            rows[1] += 1;
        }
        self.giving = rows[1] as usize;
        if self.giving > 0 {
            self.given.ensure(rows.len())?;
            self.given.write(0, &rows);
        }
        Ok(())
    }
}
