//! The kernels of passive particles, compiled when there are any for the first time.

use motes_core::engine::Frame;
use motes_core::engine::timings::Stage;
use motes_core::glam::Vec4;

use super::foam::FoamParams;
use super::{DevicePassive, PassiveArrays, PassiveParams};
use crate::buffers::{Buffer, Uniforms};
use crate::device::Gpu;
use crate::engine::arrays::Arrays;
use crate::engine::faces::Air;
use crate::engine::flow::{may_share, neighbor_share};
use crate::engine::gas;
use crate::error::GpuError;
use crate::kernel::{Kernel, Source, Variant};
use crate::kernels;
use crate::readback::{ReadBack, Ring};
use crate::recorder::Recorder;
use crate::scan::{Scan, ScanKernels};

/// A number on its way to the host.
pub(super) type Counting = ReadBack<u32>;

pub(super) const WORKGROUP: u32 = 128;

/// Passive particles up to which several threads share what is around each.
const FEW: usize = 150_000;

/// What `advect_passive` is compiled for.
type Constants = Vec<(&'static str, u32)>;

/// A kernel and what it works on.
pub(super) type Bound = (Kernel, wgpu::BindGroup);

pub(super) struct PassiveStages {
    gpu: Gpu,
    append: Kernel,
    /// Where any can die.
    reaping: Option<Reaping>,
    /// With what it was compiled for, and in a frame what it works on; second for the last sub-step, in which gas may be seen.
    advect: Option<(Constants, [Kernel; 2])>,
    advected: Option<[wgpu::BindGroup; 2]>,
    /// Where they are moved in an order of their own: what puts those that carry them side by side, and what they are then.
    pack: Option<Bound>,
    packed: Buffer<Vec4>,
    /// Threads for each.
    share: u32,
    ring: Ring,
}

struct Reaping {
    mark: Kernel,
    scan: Scan,
    compact: Kernel,
}

/// What line 25 works on in a frame.
pub(super) struct Advected<'a> {
    /// What kernels know of it.
    pub(super) frame: (wgpu::BindingResource<'a>, &'a Uniforms<PassiveParams>),
    pub(super) particles: &'a Arrays,
    pub(super) counts: &'a Buffer<u32>,
    pub(super) set: &'a PassiveArrays,
    pub(super) foam: &'a Uniforms<FoamParams>,
    pub(super) air: &'a Uniforms<Air>,
    pub(super) seen: &'a Buffer<u32>,
    /// Where they are moved in an order of their own.
    pub(super) order: Option<wgpu::BindingResource<'a>>,
    /// How many there are at most, and room for how many that carry them.
    pub(super) counts_at_most: [usize; 2],
}

pub(super) fn kernel(gpu: &Gpu, source: &Source, constants: &[(&str, u32)]) -> Result<Kernel, GpuError> {
    let mut all = vec![("WORKGROUP", WORKGROUP)];
    all.extend(constants);
    Kernel::new(gpu, source, &all)
}

impl PassiveStages {
    pub(super) fn new(gpu: &Gpu) -> Result<Self, GpuError> {
        Ok(Self {
            append: kernel(gpu, &kernels::APPEND_PASSIVE, &[])?,
            reaping: None,
            advect: None,
            advected: None,
            pack: None,
            packed: Buffer::new(gpu, "packed carriers", 1)?,
            share: 1,
            ring: Ring::default(),
            gpu: gpu.clone(),
        })
    }

    /// Memory on the device, bytes.
    pub(super) fn bytes(&self) -> u64 {
        self.packed.bytes()
    }

    /// Records births, which a slot of the parameters is about.
    pub(super) fn append(&self, passive: &DevicePassive, (births, slot): (usize, usize), recorder: &mut Recorder) {
        let (present, _) = passive.sets();
        let resources = [
            passive.params.binding(slot),
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
                mark: kernel(gpu, &kernels::MARK_PASSIVE, &[])?,
                scan: Scan::new(&ScanKernels::new(gpu, Variant::best(gpu))?)?,
                compact: kernel(gpu, &kernels::COMPACT_PASSIVE, &[])?,
            }),
        };
        reaping.scan.prepare(&passive.places, room)?;
        let (present, left) = passive.sets();
        let params = passive.params.binding(1);
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
        advected: Advected<'_>,
        frame: &Frame,
        is_warm: bool,
    ) -> Result<(), GpuError> {
        let Advected {
            frame: (params, own),
            particles,
            counts,
            set,
            foam,
            air,
            seen,
            order,
            counts_at_most: [bound, carriers],
        } = advected;
        // There is room for a radius or for warmth.
        let packs = order.is_some() && !(is_warm && frame.sizes.is_some());
        let mixed = frame.fluids && (frame.solids || frame.gas);
        let wanted = [
            ("SIZES", frame.sizes.is_some()),
            ("MIXED", mixed),
            ("ORDERED", order.is_some()),
            ("WARM", is_warm),
            ("SEES", gas::leaves(frame)),
            ("PACKED", packs),
        ];
        self.share = if bound <= FEW { neighbor_share(carriers) } else { 1 };
        let wanted = wanted.map(|(name, value)| (name, u32::from(value)));
        let wanted = [
            &wanted[..],
            &[("SHARE", self.share), ("MAY_SHARE", may_share(carriers))],
        ]
        .concat();
        let known = self.advect.take().filter(|(constants, _)| *constants == wanted);
        let advect = match known {
            Some((_, advect)) => advect,
            None => {
                let (_, sees) = wanted[4];
                let with = |sees: u32| {
                    let mut constants = wanted.clone();
                    constants[4].1 = sees;
                    kernel(&self.gpu, &kernels::ADVECT_PASSIVE, &constants)
                };
                [with(0)?, with(sees)?]
            }
        };
        self.pack = None;
        if packs {
            self.packed.ensure_exactly(2 * particles.vectors.stride())?;
            let constants = [wanted[0], wanted[3]];
            let pack = kernel(&self.gpu, &kernels::PACK_CARRIERS, &constants)?;
            let resources = [params.clone(), particles.vectors.binding(), self.packed.binding()];
            self.pack = Some((pack.clone(), pack.bind(&self.gpu, &resources)));
        }
        let vectors = match packs {
            true => self.packed.binding(),
            false => particles.vectors.binding(),
        };
        let resources = [
            params,
            own.binding(0),
            vectors,
            particles.cells.binding(),
            counts.binding(),
            set.positions.binding(),
            set.velocities.binding(),
            set.kinds.binding(),
            foam.binding(0),
            // Only read where there is one.
            order.unwrap_or_else(|| counts.binding()),
            air.binding(0),
            seen.binding(),
        ];
        self.advected = Some([0, 1].map(|last: usize| advect[last].bind(&self.gpu, &resources)));
        self.advect = Some((wanted, advect));
        Ok(())
    }

    /// Records line 25 for so many, carried by at most so many.
    pub(super) fn advect(&self, bound: usize, carriers: usize, is_last: bool, pass: &mut wgpu::ComputePass<'_>) {
        if let (Some((_, advect)), Some(bindings)) = (&self.advect, &self.advected) {
            if let Some((pack, bindings)) = &self.pack {
                pack.launch(pass, bindings, carriers as u32);
            }
            let variant = usize::from(is_last);
            advect[variant].launch(pass, &bindings[variant], self.share * bound as u32);
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
