//! Stable radix sort of pairs of a key and a value, least significant digit first.
//!
//! Each pass sorts by one digit of up to 8 bits: count the digits of every block, sum up the counts over the blocks
//! before, move each pair to its place. Where blocks are few, the last step sums up by itself: two dispatches a pass,
//! otherwise three; one where a single block is all there is. The result depends on nothing but the input.
//!
//! Keys of 20 bits on an H200: 1000 pairs 16 µs, 100 000 33 µs, a million 61 µs, ten million 350 µs.

use bytemuck::{Pod, Zeroable};

use crate::buffers::{Buffer, Uniforms};
use crate::device::Gpu;
use crate::error::GpuError;
use crate::kernel::{Kernel, Variant};
use crate::kernels;
use crate::launch::Launch;

/// Digits that a pass tells apart.
pub(crate) const RADIX: usize = 256;

const MAX_PASSES: usize = 4;

/// Up to this many blocks, summing up the histograms is left to the blocks.
const FEW_BLOCKS: usize = 32;

/// Up to this many pairs, blocks are small, so that there are enough of them to fill a large GPU.
const FEW_PAIRS: usize = 500_000;

/// Most pairs of a sort.
pub const MAX_COUNT: usize = 1 << 28;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct SortParams {
    pub(crate) count: u32,
    pub(crate) blocks: u32,
    pub(crate) shift: u32,
    pub(crate) bits: u32,
    pub(crate) summed: u32,
    pub(crate) numbered: u32,
}

/// The compiled kernels of a sort, for any number of [`RadixSort`]s.
#[derive(Clone, Debug)]
pub struct SortKernels {
    gpu: Gpu,
    /// For few pairs, and for many.
    sizes: [BlockKernels; 2],
    sum: Kernel,
}

/// Kernels for blocks of one size.
#[derive(Clone, Debug)]
struct BlockKernels {
    /// Pairs of a block.
    block: usize,
    /// Whether `scatter` needs no histogram of a block that is the only one.
    counts_itself: bool,
    histogram: Kernel,
    scatter: Kernel,
}

impl SortKernels {
    /// Compiles them.
    pub fn new(gpu: &Gpu, variant: Variant) -> Result<Self, GpuError> {
        let sum = match variant {
            Variant::Plain => kernels::SORT_SUM,
            Variant::Subgroup => kernels::SORT_SUM_SUBGROUP,
        };
        Ok(Self {
            gpu: gpu.clone(),
            sizes: [BlockKernels::new(gpu, variant, 4)?, BlockKernels::new(gpu, variant, 8)?],
            sum: Kernel::new(gpu, &sum, &[])?,
        })
    }
}

impl BlockKernels {
    fn new(gpu: &Gpu, variant: Variant, items: u32) -> Result<Self, GpuError> {
        let smallest = gpu.capabilities().subgroups.map_or(32, |(smallest, _)| smallest);
        let (source, workgroup) = match variant {
            Variant::Plain => (kernels::SORT_SCATTER, 256),
            // Each subgroup has its own histogram, and there is room for eight.
            Variant::Subgroup => (kernels::SORT_SCATTER_SUBGROUP, (8 * smallest).min(256)),
        };
        let constants = [
            ("WORKGROUP", workgroup),
            ("ITEMS", items),
            ("SUBGROUPS", workgroup / smallest),
        ];
        Ok(Self {
            block: (workgroup * items) as usize,
            counts_itself: variant == Variant::Subgroup,
            histogram: Kernel::new(gpu, &kernels::SORT_HISTOGRAM, &constants)?,
            scatter: Kernel::new(gpu, &source, &constants)?,
        })
    }
}

/// A sort and its memory. What it is prepared for holds for all of a submit, so a sort of another length in the same
/// submit needs a `RadixSort` of its own.
#[derive(Debug)]
pub struct RadixSort {
    kernels: SortKernels,
    params: Uniforms<SortParams>,
    histograms: Buffer<u32>,
    totals: Buffer<u32>,
    /// Where the passes put the pairs, in turn.
    pairs: [Pairs; 2],
    prepared: Option<Input>,
    launches: Vec<Launch>,
    sorted: usize,
}

#[derive(Clone, Debug)]
struct Pairs {
    keys: Buffer<u32>,
    values: Buffer<u32>,
}

#[derive(Debug, PartialEq)]
struct Input {
    keys: wgpu::Buffer,
    values: Option<wgpu::Buffer>,
    count: usize,
    key_bits: u32,
}

impl RadixSort {
    /// A sort that is not prepared for anything.
    pub fn new(kernels: &SortKernels) -> Result<Self, GpuError> {
        let gpu = &kernels.gpu;
        Ok(Self {
            params: Uniforms::new(gpu, "sort params", MAX_PASSES)?,
            histograms: Buffer::new(gpu, "sort histograms", RADIX)?,
            totals: Buffer::new(gpu, "sort totals", RADIX)?,
            pairs: [Pairs::new(gpu)?, Pairs::new(gpu)?],
            kernels: kernels.clone(),
            prepared: None,
            launches: Vec::new(),
            sorted: 0,
        })
    }

    /// Makes ready to sort the first `count` pairs by the lowest `key_bits` bits of their keys. Without `values`, the
    /// value of a pair is its place. Neither input is changed. Costs nothing when all is as it was.
    ///
    /// # Panics
    /// If an input is shorter than `count`, `count` exceeds [`MAX_COUNT`] or `key_bits` 32.
    pub fn prepare(
        &mut self,
        keys: &Buffer<u32>,
        values: Option<&Buffer<u32>>,
        count: usize,
        key_bits: u32,
    ) -> Result<(), GpuError> {
        let shortest = values.map_or(keys.capacity(), |values| values.capacity().min(keys.capacity()));
        assert!(
            count <= MAX_COUNT && count <= shortest,
            "cannot sort {count} pairs of {shortest}"
        );
        assert!(key_bits <= 32, "keys have no {key_bits} bits");
        let wanted = Some(Input {
            keys: keys.raw().clone(),
            values: values.map(|values| values.raw().clone()),
            count,
            key_bits,
        });
        if self.prepared == wanted {
            return Ok(());
        }
        self.prepared = None;
        let passes = passes(key_bits);
        for pairs in &mut self.pairs[..passes.len().min(2)] {
            pairs.keys.ensure(count)?;
            pairs.values.ensure(count)?;
        }
        self.launches.clear();
        if count > 0 {
            self.plan(keys, values, count, &passes)?;
        }
        self.sorted = (passes.len() - 1) % 2;
        self.prepared = wanted;
        Ok(())
    }

    /// Records the sort that was prepared.
    pub fn encode(&self, pass: &mut wgpu::ComputePass<'_>) {
        for launch in &self.launches {
            launch.encode(pass);
        }
    }

    /// The sorted keys, as prepared. Another buffer after some calls of [`Self::prepare`].
    pub fn keys(&self) -> &Buffer<u32> {
        &self.pairs[self.sorted].keys
    }

    /// The values in the order of the sorted keys.
    pub fn values(&self) -> &Buffer<u32> {
        &self.pairs[self.sorted].values
    }

    /// Dispatches of one sort, as prepared.
    pub fn dispatches(&self) -> usize {
        self.launches.len()
    }

    /// Memory on the device, bytes.
    pub fn bytes(&self) -> u64 {
        let pairs = self.pairs.iter().map(|pairs| pairs.keys.bytes() + pairs.values.bytes());
        pairs.sum::<u64>() + self.histograms.bytes() + self.totals.bytes()
    }

    fn plan(
        &mut self,
        keys: &Buffer<u32>,
        values: Option<&Buffer<u32>>,
        count: usize,
        passes: &[(u32, u32)],
    ) -> Result<(), GpuError> {
        let SortKernels { gpu, sizes, sum } = &self.kernels;
        let [small, large] = sizes;
        let size = if count > large.block && count <= FEW_PAIRS {
            small
        } else {
            large
        };
        let blocks = count.div_ceil(size.block);
        let summed = blocks > FEW_BLOCKS;
        self.histograms.ensure(blocks * RADIX)?;

        for (pass, &(shift, bits)) in passes.iter().enumerate() {
            let params = SortParams {
                count: count as u32,
                blocks: blocks as u32,
                shift,
                bits,
                summed: u32::from(summed),
                numbered: u32::from(pass == 0 && values.is_none()),
            };
            self.params.write(pass, &params);
            let params = self.params.binding(pass);
            let (histograms, totals) = (self.histograms.binding(), self.totals.binding());
            let (keys, values) = match pass {
                0 => (keys, values.unwrap_or(keys)),
                _ => (&self.pairs[(pass - 1) % 2].keys, &self.pairs[(pass - 1) % 2].values),
            };
            let output = &self.pairs[pass % 2];
            let mut launch = |kernel: &Kernel, groups: usize, resources: &[wgpu::BindingResource<'_>]| {
                self.launches.push(Launch::new(gpu, kernel, resources, groups));
            };
            if blocks > 1 || !size.counts_itself {
                let resources = [params.clone(), keys.binding(), histograms.clone()];
                launch(&size.histogram, blocks, &resources);
            }
            if summed {
                launch(sum, RADIX, &[params.clone(), histograms.clone(), totals.clone()]);
            }
            let (keys, values) = (keys.binding(), values.binding());
            let (keys_out, values_out) = (output.keys.binding(), output.values.binding());
            let resources = [params, histograms, totals, keys, values, keys_out, values_out];
            launch(&size.scatter, blocks, &resources);
        }
        Ok(())
    }
}

impl Pairs {
    fn new(gpu: &Gpu) -> Result<Self, GpuError> {
        Ok(Self {
            keys: Buffer::new(gpu, "sorted keys", 1)?,
            values: Buffer::new(gpu, "sorted values", 1)?,
        })
    }
}

/// Lowest bit and number of bits of each pass's digit: as few passes as 8 bits allow, of digits as short as these allow.
fn passes(key_bits: u32) -> Vec<(u32, u32)> {
    let count = key_bits.div_ceil(8).max(1);
    let bits = key_bits.div_ceil(count);
    let digit = |pass| (pass * bits, bits.min(key_bits - pass * bits));
    (0..count).map(digit).collect()
}

#[cfg(test)]
mod tests {
    use super::passes;

    #[test]
    fn digits_cover_every_bit_once() {
        for key_bits in 0..=32 {
            let passes = passes(key_bits);
            let mut covered = 0;
            for &(shift, bits) in &passes {
                assert_eq!(shift, covered);
                assert!(bits <= 8);
                covered += bits;
            }
            assert_eq!(covered, key_bits);
            assert_eq!(passes.len(), (key_bits as usize).div_ceil(8).max(1));
        }
        assert_eq!(passes(20), [(0, 7), (7, 7), (14, 6)]);
    }
}
