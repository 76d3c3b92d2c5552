//! Prefix sums: each element becomes the sum of those before it, and the sum of all follows the last.
//!
//! Tiles of 2048 elements are summed, then each adds up the sums before it (Merrill & Grimshaw's reduce-then-scan). One
//! dispatch up to 2048 elements, two up to 8 million, four beyond; a single pass with look-back would need a promise
//! of progress that WebGPU does not give. On an H200: 100 000 elements 9 µs, a million 10 µs, ten million 35 µs.

use bytemuck::{Pod, Zeroable};

use crate::buffers::{Buffer, Uniforms};
use crate::device::Gpu;
use crate::error::GpuError;
use crate::kernel::{Kernel, Variant, WORKGROUP};
use crate::kernels;
use crate::launch::Launch;

/// Times that each thread takes four elements.
pub(crate) const ROUNDS: u32 = 2;

/// Elements that one workgroup sums up.
pub const TILE: usize = (4 * ROUNDS * WORKGROUP) as usize;

/// Up to this many tiles, each adds up the sums of all before it by itself.
const MAX_TILES: usize = 4096;

/// Most elements of a prefix sum.
pub const MAX_COUNT: usize = 1 << 28;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct ScanParams {
    pub(crate) count: u32,
    pub(crate) scanned: u32,
}

/// The compiled kernels of a prefix sum, for any number of [`Scan`]s.
#[derive(Clone, Debug)]
pub struct ScanKernels {
    gpu: Gpu,
    reduce: Kernel,
    tile: Kernel,
}

impl ScanKernels {
    /// Compiles them.
    pub fn new(gpu: &Gpu, variant: Variant) -> Result<Self, GpuError> {
        let (reduce, tile) = match variant {
            Variant::Plain => (kernels::SCAN_REDUCE, kernels::SCAN_TILE),
            Variant::Subgroup => (kernels::SCAN_REDUCE_SUBGROUP, kernels::SCAN_TILE_SUBGROUP),
        };
        let [reduce, tile] = [reduce, tile].map(|source| Kernel::begin(gpu, &source, &[]));
        reduce.check()?;
        tile.check()?;
        Ok(Self {
            gpu: gpu.clone(),
            reduce,
            tile,
        })
    }
}

/// The prefix sum of one array, in place. What it is prepared for holds for all of a submit, so an array of another
/// length in the same submit needs a `Scan` of its own.
#[derive(Debug)]
pub struct Scan {
    kernels: ScanKernels,
    params: Uniforms<ScanParams>,
    /// Sums of tiles, and sums of tiles of those.
    sums: [Buffer<u32>; 2],
    prepared: Option<(wgpu::Buffer, usize)>,
    launches: Vec<Launch>,
}

impl Scan {
    /// A prefix sum that is not prepared for any array.
    pub fn new(kernels: &ScanKernels) -> Result<Self, GpuError> {
        let gpu = &kernels.gpu;
        Ok(Self {
            params: Uniforms::new(gpu, "scan params", 2)?,
            sums: [
                Buffer::new(gpu, "scan sums", 1)?,
                Buffer::new(gpu, "scan sums of sums", MAX_COUNT / TILE / TILE)?,
            ],
            kernels: kernels.clone(),
            prepared: None,
            launches: Vec::new(),
        })
    }

    /// Makes ready for the first `count` elements of `data`. Costs nothing when neither has changed.
    ///
    /// # Panics
    /// If `data` has no room for one element more, or `count` exceeds [`MAX_COUNT`].
    pub fn prepare(&mut self, data: &Buffer<u32>, count: usize) -> Result<(), GpuError> {
        assert!(
            count <= MAX_COUNT && count < data.capacity(),
            "cannot scan {count} elements"
        );
        let wanted = Some((data.raw().clone(), count));
        if self.prepared == wanted {
            return Ok(());
        }
        let tiles = count.div_ceil(TILE).max(1);
        self.sums[0].ensure(tiles + 1)?;
        let many = tiles > MAX_TILES;
        self.params.write(0, &ScanParams::new(count, many));
        self.params.write(1, &ScanParams::new(tiles, false));

        let [sums, sums_of_sums] = &self.sums;
        let sums_tiles = tiles.div_ceil(TILE);
        let ScanKernels { reduce, tile, .. } = &self.kernels;
        let mut launches = Vec::new();
        if tiles > 1 {
            launches.push(self.launch(reduce, 0, data, sums, tiles));
        }
        if many {
            launches.push(self.launch(reduce, 1, sums, sums_of_sums, sums_tiles));
            launches.push(self.launch(tile, 1, sums, sums_of_sums, sums_tiles));
        }
        launches.push(self.launch(tile, 0, data, sums, tiles));
        self.launches = launches;
        self.prepared = wanted;
        Ok(())
    }

    /// Records the prefix sum that was prepared.
    pub fn encode(&self, pass: &mut wgpu::ComputePass<'_>) {
        for launch in &self.launches {
            launch.encode(pass);
        }
    }

    /// Dispatches of one prefix sum, as prepared.
    pub fn dispatches(&self) -> usize {
        self.launches.len()
    }

    /// Memory on the device, bytes.
    pub fn bytes(&self) -> u64 {
        self.sums.iter().map(Buffer::bytes).sum()
    }

    fn launch(&self, kernel: &Kernel, slot: usize, data: &Buffer<u32>, sums: &Buffer<u32>, tiles: usize) -> Launch {
        let resources = [self.params.binding(slot), data.binding(), sums.binding()];
        Launch::new(&self.kernels.gpu, kernel, &resources, tiles)
    }
}

impl ScanParams {
    fn new(count: usize, scanned: bool) -> Self {
        Self {
            count: count as u32,
            scanned: u32::from(scanned),
        }
    }
}
