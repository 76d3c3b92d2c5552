//! The kernels of passive particles, compiled when there are any for the first time.

use motes_core::engine::timings::Stage;

use super::foam::FoamParams;
use super::{DevicePassive, PassiveArrays, PassiveParams};
use crate::buffers::{Buffer, Uniforms};
use crate::device::Gpu;
use crate::engine::arrays::Arrays;
use crate::error::GpuError;
use crate::kernel::{Kernel, Source, Variant};
use crate::kernels;
use crate::readback::{ReadBack, Ring};
use crate::recorder::Recorder;
use crate::scan::{Scan, ScanKernels};

/// A number on its way to the host.
pub(super) type Counting = ReadBack<u32>;

pub(super) const WORKGROUP: u32 = 128;

pub(super) struct PassiveStages {
    gpu: Gpu,
    append: Kernel,
    /// Where any can die.
    reaping: Option<Reaping>,
    advection: Option<(Kernel, wgpu::BindGroup)>,
    no_foam: Uniforms<FoamParams>,
    ring: Ring,
}

struct Reaping {
    mark: Kernel,
    scan: Scan,
    compact: Kernel,
}

pub(super) fn kernel(gpu: &Gpu, source: &Source, sizes: bool) -> Result<Kernel, GpuError> {
    let constants = [("WORKGROUP", WORKGROUP), ("SIZES", u32::from(sizes))];
    Kernel::new(gpu, source, &constants)
}

impl PassiveStages {
    pub(super) fn new(gpu: &Gpu) -> Result<Self, GpuError> {
        Ok(Self {
            append: kernel(gpu, &kernels::APPEND_PASSIVE, false)?,
            reaping: None,
            advection: None,
            no_foam: Uniforms::new(gpu, "no foam", 1)?,
            ring: Ring::default(),
            gpu: gpu.clone(),
        })
    }

    /// Records births.
    pub(super) fn append(&self, passive: &DevicePassive, births: usize, recorder: &mut Recorder) {
        let (present, _) = passive.sets();
        let resources = [
            passive.params.binding(0),
            passive.born.binding(),
            passive.counts.binding(),
            present.positions.binding(),
            present.velocities.binding(),
            present.kinds.binding(),
        ];
        let bindings = self.append.bind(&self.gpu, &resources);
        let pass = recorder.stage(Stage::Population.name());
        self.append.launch(pass, &bindings, births as u32);
    }

    /// Records deaths: those who live on come into the other set, of as much room.
    pub(super) fn reap(
        &mut self,
        passive: &DevicePassive,
        room: usize,
        recorder: &mut Recorder,
    ) -> Result<(), GpuError> {
        let gpu = &self.gpu;
        let reaping = match &mut self.reaping {
            Some(reaping) => reaping,
            none => none.insert(Reaping {
                mark: kernel(gpu, &kernels::MARK_PASSIVE, false)?,
                scan: Scan::new(&ScanKernels::new(gpu, Variant::best(gpu))?)?,
                compact: kernel(gpu, &kernels::COMPACT_PASSIVE, false)?,
            }),
        };
        reaping.scan.prepare(&passive.places, room)?;
        let (present, left) = passive.sets();
        let params = passive.params.binding(0);
        let marked = [
            params.clone(),
            passive.counts.binding(),
            present.positions.binding(),
            present.velocities.binding(),
            passive.volumes.binding(),
            passive.places.binding(),
        ];
        let compacted = [
            params,
            passive.places.binding(),
            present.positions.binding(),
            present.velocities.binding(),
            present.kinds.binding(),
            left.positions.binding(),
            left.velocities.binding(),
            left.kinds.binding(),
            passive.counts.binding(),
        ];
        let pass = recorder.stage(Stage::Population.name());
        reaping.mark.launch(pass, &reaping.mark.bind(gpu, &marked), room as u32);
        reaping.scan.encode(pass);
        reaping
            .compact
            .launch(pass, &reaping.compact.bind(gpu, &compacted), room as u32);
        Ok(())
    }

    /// Makes line 25 ready for the sub-steps of a frame.
    pub(super) fn bind_advection(
        &mut self,
        (own, counts, set): (&Uniforms<PassiveParams>, &Buffer<u32>, &PassiveArrays),
        (params, arrays): (wgpu::BindingResource<'_>, &Arrays),
        foam: Option<wgpu::BindingResource<'_>>,
        sizes: bool,
    ) -> Result<(), GpuError> {
        let foam = match foam {
            Some(foam) => foam,
            // Only read of what liquids gave off.
            None => self.no_foam.binding(0),
        };
        let advect = kernel(&self.gpu, &kernels::ADVECT_PASSIVE, sizes)?;
        let resources = [
            params,
            own.binding(0),
            arrays.vectors.binding(),
            arrays.cells.binding(),
            counts.binding(),
            set.positions.binding(),
            set.velocities.binding(),
            set.kinds.binding(),
            foam,
            arrays.kinds.binding(),
        ];
        let bindings = advect.bind(&self.gpu, &resources);
        self.advection = Some((advect, bindings));
        Ok(())
    }

    /// Records line 25 for so many.
    pub(super) fn advect(&self, bound: usize, pass: &mut wgpu::ComputePass<'_>) {
        if let Some((advect, bindings)) = &self.advection {
            advect.launch(pass, bindings, bound as u32);
        }
    }

    /// Has a number come back with the frame being recorded.
    pub(super) fn request_count(
        &self,
        source: (&wgpu::Buffer, std::ops::Range<usize>),
        encoder: &mut wgpu::CommandEncoder,
    ) -> Result<Counting, GpuError> {
        ReadBack::record_through(&self.ring, &self.gpu, source, encoder)
    }
}
