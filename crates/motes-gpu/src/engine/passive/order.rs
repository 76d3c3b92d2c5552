//! In which order passive particles are moved: cell by cell of the particles that carry them, so that threads side by side look at the same ones, which are
//! then read from nearby memory. They stay where they are themselves, and what becomes of them does not depend on it.

use motes_core::engine::timings::Stage;

use super::{DevicePassive, stages};
use crate::buffers::Buffer;
use crate::device::Gpu;
use crate::engine::stages::Inputs;
use crate::error::GpuError;
use crate::kernel::{Kernel, Variant};
use crate::kernels;
use crate::recorder::Recorder;
use crate::scan::{Scan, ScanKernels};

/// Passive particles from which on it is worth the launches.
const MANY: usize = 1 << 14;

/// Frames for which an order is good, where nobody comes or goes: in these they do not get far from each other.
const GOOD_FOR: u32 = 8;

pub(super) struct PassiveOrder {
    /// Who comes when.
    order: Buffer<u32>,
    /// How many are in each entry of the table of cells, then in those before it.
    bins: Buffer<u32>,
    kernels: Option<Kernels>,
    /// What makes it anew in the frame to come, where it has to be.
    launches: Option<[wgpu::BindGroup; 2]>,
    /// Frames to come for which it is good.
    good_for: u32,
}

struct Kernels {
    bin: Kernel,
    scan: Scan,
    list: Kernel,
}

impl PassiveOrder {
    pub(super) fn new(gpu: &Gpu) -> Result<Self, GpuError> {
        Ok(Self {
            order: Buffer::new(gpu, "order of passive particles", 1)?,
            bins: Buffer::new(gpu, "passive particles in cells", 1)?,
            kernels: None,
            launches: None,
            good_for: 0,
        })
    }

    /// Some have come or gone.
    pub(super) fn forget(&mut self) {
        self.good_for = 0;
    }

    pub(super) fn bytes(&self) -> u64 {
        self.order.bytes() + self.bins.bytes()
    }

    pub(super) fn binding(&self) -> wgpu::BindingResource<'_> {
        self.order.binding()
    }
}

impl DevicePassive {
    /// Makes ready to put them in order in a frame, if that is worth it; says whether they are to be moved in that order.
    pub(super) fn prepare_order(
        &mut self,
        inputs: &Inputs,
        entries: usize,
        recorder: &mut Recorder,
    ) -> Result<bool, GpuError> {
        self.order.launches = None;
        if self.bound < MANY {
            self.order.forget();
            return Ok(false);
        }
        if self.order.good_for > 0 {
            return Ok(true);
        }
        let (gpu, room) = (&self.gpu, self.sets[self.now].positions.capacity());
        let order = &mut self.order;
        order.order.ensure_exactly(room)?;
        order.bins.ensure_exactly(entries + 1)?;
        self.places.ensure_exactly(room + 1)?;
        let kernels = match &mut order.kernels {
            Some(kernels) => kernels,
            none => none.insert(Kernels {
                bin: stages::kernel(gpu, &kernels::BIN_PASSIVE, &[])?,
                scan: Scan::new(&ScanKernels::new(gpu, Variant::best(gpu))?)?,
                list: stages::kernel(gpu, &kernels::LIST_PASSIVE, &[])?,
            }),
        };
        kernels.scan.prepare(&order.bins, entries)?;
        recorder.encoder().clear_buffer(order.bins.raw(), 0, None);
        let mut resources = vec![
            inputs.params.binding(0),
            self.params.binding(0),
            self.counts.binding(),
            self.sets[self.now].positions.binding(),
            order.bins.binding(),
            // Where the living were counted, which is over.
            self.places.binding(),
        ];
        let bin = kernels.bin.bind(gpu, &resources);
        resources.push(order.order.binding());
        let list = kernels.list.bind(gpu, &resources);
        order.launches = Some([bin, list]);
        Ok(true)
    }

    /// Records it, once a frame.
    pub(super) fn put_in_order(&mut self, recorder: &mut Recorder) {
        if let (Some([bin, list]), Some(kernels)) = (self.order.launches.take(), &self.order.kernels) {
            let pass = recorder.stage(Stage::AdvectDiffuse.name());
            kernels.bin.launch(pass, &bin, self.bound as u32);
            kernels.scan.encode(pass);
            kernels.list.launch(pass, &list, self.bound as u32);
            self.order.good_for = GOOD_FOR;
        }
        self.order.good_for = self.order.good_for.saturating_sub(1);
    }
}
