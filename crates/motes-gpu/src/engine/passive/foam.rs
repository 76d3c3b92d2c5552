//! What liquids give off, on the device: how many each particle does, a prefix sum, and all of them behind the passive particles there are. How many that
//! are the host hears later.

use bytemuck::{Pod, Zeroable};
use motes_core::Foam;
use motes_core::engine::Frame;
use motes_core::engine::timings::Stage;
use motes_core::foam::kinds::{Motion, SIZE};
use motes_core::foam::potentials::{bits, per_full};

use super::stages::{Bound, kernel};
use crate::buffers::Buffer;
use crate::device::Gpu;
use crate::engine::State;
use crate::error::GpuError;
use crate::kernel::Variant;
use crate::kernels;
use crate::scan::{Scan, ScanKernels};

/// `FoamParams` in `lib/foam.wgsl`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct FoamParams {
    pub(crate) air: f32,
    pub(crate) crest: f32,
    pub(crate) meeting: [f32; 2],
    pub(crate) sharpness: [f32; 2],
    pub(crate) energy: [f32; 2],
    pub(crate) per_full: f32,
    pub(crate) most_viscosity: f32,
    pub(crate) lifetime: f32,
    pub(crate) most: u32,
    pub(crate) random: u32,
    pub(crate) few: f32,
    pub(crate) covered: f32,
    pub(crate) flies: f32,
    pub(crate) swims: f32,
    pub(crate) size: f32,
    pub(crate) particles: u32,
    pub(crate) counter: u32,
    pub(crate) kick: [f32; 3],
    pub(crate) unused_x: u32,
    pub(crate) lift: [f32; 3],
    pub(crate) unused_y: u32,
    pub(crate) wind: [f32; 3],
    pub(crate) unused_z: u32,
}

impl FoamParams {
    /// Also of what is there yet of foam that is off.
    pub(super) fn new(frame: &Frame, particles: usize, counter: usize) -> Self {
        let settings = &frame.settings;
        let foam = frame.foam.unwrap_or_else(|| Foam::of(settings));
        let h = frame.dt / settings.substeps.max(1) as f32;
        let motion = Motion::new(&foam, settings, frame.air.velocity, h);
        let thresholds = |[low, high]: [f32; 2]| [low, 1.0 / (high - low)];
        Self {
            air: foam.air_rate * frame.dt,
            crest: foam.crest_rate * frame.dt,
            meeting: thresholds(foam.meeting),
            sharpness: thresholds(foam.sharpness),
            energy: thresholds(foam.speed.map(|speed| speed * speed)),
            per_full: per_full(settings.smoothing_radius),
            most_viscosity: foam.most_viscosity,
            lifetime: foam.lifetime,
            most: foam.most,
            random: bits(bits(foam.seed).wrapping_add(frame.number)),
            few: motion.few,
            covered: motion.covered,
            flies: motion.flies,
            swims: motion.swims,
            size: SIZE * settings.particle_radius,
            particles: particles as u32,
            counter: counter as u32,
            kick: motion.kick.to_array(),
            lift: motion.lift.to_array(),
            wind: motion.wind.to_array(),
            ..Self::default()
        }
    }
}

/// What giving off foam takes on the device.
pub(super) struct DeviceFoam {
    /// How many each particle gives off, then how many those before it do.
    numbers: Buffer<u32>,
    scan: Scan,
    launches: Option<Launches>,
}

struct Launches {
    surfaces: Bound,
    count: Bound,
    emit: Bound,
    particles: u32,
}

impl DeviceFoam {
    fn new(gpu: &Gpu) -> Result<Self, GpuError> {
        Ok(Self {
            numbers: Buffer::new(gpu, "numbers of foam", 1)?,
            scan: Scan::new(&ScanKernels::new(gpu, Variant::best(gpu))?)?,
            launches: None,
        })
    }

    pub(super) fn bytes(&self) -> u64 {
        self.numbers.bytes() + self.scan.bytes()
    }
}

impl State {
    /// Makes foam ready for a frame.
    pub(super) fn prepare_foam(&mut self, frame: &Frame) -> Result<(), GpuError> {
        let before = self.passive.foam.take();
        if frame.foam.is_none() {
            return Ok(());
        }
        let mut foam = match before {
            Some(foam) => foam,
            None => DeviceFoam::new(&self.gpu)?,
        };
        foam.numbers.ensure_exactly(self.room + 1)?;
        foam.scan.prepare(&foam.numbers, self.room)?;
        foam.launches = self.foam_launches(frame, &foam)?;
        self.passive.foam = Some(foam);
        Ok(())
    }

    fn foam_launches(&self, frame: &Frame, foam: &DeviceFoam) -> Result<Option<Launches>, GpuError> {
        let (Some(fluids), true) = (&self.fluids, self.stages.is_some()) else {
            return Ok(None);
        };
        let (gpu, mixed) = (&self.gpu, frame.solids || frame.gas);
        let constants = [("SIZES", u32::from(frame.sizes.is_some())), ("MIXED", u32::from(mixed))];
        let params = || self.inputs.params.binding(0);
        let (vectors, kinds) = (|| self.arrays.vectors.binding(), || self.arrays.kinds.binding());
        let bound = |source, resources: &[wgpu::BindingResource<'_>]| {
            let kernel = kernel(gpu, source, &constants)?;
            let bindings = kernel.bind(gpu, resources);
            Ok::<_, GpuError>((kernel, bindings))
        };
        let surfaces = [
            params(),
            fluids.params.binding(0),
            vectors(),
            fluids.ranges.binding(),
            fluids.list.binding(),
            fluids.flow.vectors().binding(),
        ];
        let count = [
            params(),
            fluids.params.binding(0),
            self.passive.foam_params.binding(0),
            vectors(),
            fluids.ranges.binding(),
            fluids.list.binding(),
            kinds(),
            self.inputs.table.binding(),
            fluids.flow.vectors().binding(),
            foam.numbers.binding(),
        ];
        let (set, _) = self.passive.sets();
        let emit = [
            params(),
            self.passive.foam_params.binding(0),
            vectors(),
            kinds(),
            foam.numbers.binding(),
            self.passive.counts.binding(),
            set.positions.binding(),
            set.velocities.binding(),
            set.kinds.binding(),
        ];
        Ok(Some(Launches {
            surfaces: bound(&kernels::FIND_SURFACES, &surfaces)?,
            count: bound(&kernels::COUNT_FOAM, &count)?,
            emit: bound(&kernels::EMIT_FOAM, &emit)?,
            particles: self.room as u32,
        }))
    }

    /// Records that liquids foam, in the last sub-step of a frame.
    pub(super) fn give_off_foam(&mut self) {
        if self.substep + 1 < self.frame.settings.substeps {
            return;
        }
        let Some(foam) = &self.passive.foam else { return };
        let Some(launches) = &foam.launches else { return };
        let pass = self.recorder.stage(Stage::AdvectDiffuse.name());
        for (kernel, bindings) in [&launches.surfaces, &launches.count] {
            kernel.launch(pass, bindings, launches.particles);
        }
        foam.scan.encode(pass);
        let (kernel, bindings) = &launches.emit;
        kernel.launch(pass, bindings, launches.particles);
        self.passive.counter = 1 - self.passive.counter;
    }
}
