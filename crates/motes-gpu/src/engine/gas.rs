//! Gas: its temperatures and vortex strengths, and what it does besides keeping its density. The counterpart of `cpu/fluids/gas.rs` in motes-core.

use bytemuck::{Pod, Zeroable};
use motes_core::constraints::density::{self, Lattice};
use motes_core::constraints::viscosity;
use motes_core::engine::Frame;
use motes_core::glam::Vec3;
use motes_core::particles::{SWIRLS, TEMPERATURES};
use motes_core::smoke::swirls;
use motes_core::{Material, Settings};

use super::faces::Air;
use super::features::Features;
use super::stages::Bound;
use super::volume::Volume;
use crate::buffers::{Buffer, Uniforms};
use crate::device::Gpu;
use crate::error::GpuError;
use crate::kernels;
use crate::launch::Launch;

/// `GasParams` in `lib/gas.wgsl`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct GasParams {
    pub(crate) passed: f32,
    pub(crate) grown: f32,
    pub(crate) exact: f32,
    pub(crate) per_layer: f32,
    pub(crate) farthest: f32,
    pub(crate) swirls: u32,
    pub(crate) zones: u32,
    pub(crate) warmth_at_last: u32,
    pub(crate) dt: f32,
    pub(crate) unused_a: u32,
    pub(crate) unused_b: u32,
    pub(crate) unused_c: u32,
}

/// An exchange of heat: `HeatExchange` in `warm_gas.wgsl`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct HeatExchange {
    pub(crate) scale: f32,
    pub(crate) way: u32,
    pub(crate) most: f32,
    pub(crate) unused: u32,
}

/// `Zone` in `cool_gas.wgsl`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct Zone {
    pub(crate) volume: Volume,
    pub(crate) warmth: f32,
    pub(crate) unused_a: u32,
    pub(crate) unused_b: u32,
    pub(crate) unused_c: u32,
}

/// What gas takes besides what liquids do.
pub(crate) struct DeviceGas {
    params: Uniforms<GasParams>,
    air: Uniforms<Air>,
    exchanges: Uniforms<HeatExchange>,
    zones: Buffer<Zone>,
    /// Whether a marker has each particle about it: all zero between frames.
    seen: Buffer<u32>,
    doing: Doing,
}

/// What happens in a sub-step of the frame.
#[derive(Clone, Copy, Debug, Default)]
struct Doing {
    warms: bool,
    exchanges: usize,
    rolls_up: bool,
}

/// Whether gas is removed that has no marker about it.
pub(super) fn leaves(frame: &Frame) -> bool {
    frame.gas && frame.smoke.is_some_and(|smoke| smoke.lonely.is_finite())
}

impl DeviceGas {
    pub(super) fn new(gpu: &Gpu) -> Result<Self, GpuError> {
        Ok(Self {
            params: Uniforms::new(gpu, "gas params", 1)?,
            air: Uniforms::new(gpu, "air about gas", 1)?,
            exchanges: Uniforms::new(gpu, "exchanges of heat", viscosity::MOST as usize)?,
            zones: Buffer::new(gpu, "heat zones", 1)?,
            seen: Buffer::new(gpu, "seen by markers", 1)?,
            doing: Doing::default(),
        })
    }

    /// Tells the kernels of a frame; says whether memory was replaced.
    pub(super) fn take_over(&mut self, frame: &Frame, is_warm: bool, particles: usize) -> Result<bool, GpuError> {
        if !frame.gas {
            return Ok(false);
        }
        let settings = &frame.settings;
        let h = frame.dt / settings.substeps.max(1) as f32;
        let of_gas = |field: fn(&Material) -> f32| {
            let mut materials = frame.materials.as_slice().iter();
            materials.any(|material| material.is_gas && field(material) != 0.0)
        };
        let swirls = of_gas(|material| material.baroclinity) && settings.gravity != Vec3::ZERO;
        let lattice = Lattice::new(settings.smoothing_radius);
        let scales = match is_warm {
            true => viscosity::exchanges_of_heat(frame, &lattice, h),
            false => Vec::new(),
        };
        self.doing = Doing {
            warms: is_warm,
            exchanges: scales.len(),
            rolls_up: swirls || of_gas(|material| material.air_drag),
        };
        for (number, &scale) in scales.iter().enumerate() {
            let exchange = HeatExchange {
                scale,
                way: number as u32 % 2,
                most: viscosity::most_heat(frame, &lattice),
                ..HeatExchange::default()
            };
            self.exchanges.write(number, &exchange);
        }
        let zone = |(volume, warmth): &(motes_core::Volume, f32)| Zone {
            volume: Volume::from(volume),
            warmth: *warmth,
            ..Zone::default()
        };
        let mut replaced = self.zones.ensure(frame.heat.len())?;
        replaced |= self.seen.ensure(if leaves(frame) { particles } else { 1 })?;
        self.zones.write(0, &frame.heat.iter().map(zone).collect::<Vec<_>>());
        self.air.write(0, &Air::new(&frame.air));
        let params = GasParams {
            swirls: u32::from(swirls),
            zones: frame.heat.len() as u32,
            warmth_at_last: scales.len() as u32 % 2,
            dt: frame.dt,
            ..GasParams::new(settings, &lattice, h)
        };
        self.params.write(0, &params);
        Ok(replaced)
    }

    /// Whether a marker has each particle about it.
    pub(super) fn seen(&self) -> &Buffer<u32> {
        &self.seen
    }

    pub(super) fn bytes(&self) -> u64 {
        self.zones.bytes() + self.seen.bytes()
    }
}

impl GasParams {
    fn new(settings: &Settings, lattice: &Lattice, h: f32) -> Self {
        let passed = swirls::passed(h);
        let smoothing = settings.smoothing_radius;
        Self {
            passed,
            grown: passed / swirls::PASSES,
            exact: 0.5 * lattice.laplacian,
            per_layer: 1.0 / (lattice.wall * density::beyond(0.5 / smoothing)),
            farthest: 0.5 * swirls::FARTHEST / (smoothing * h),
            ..Self::default()
        }
    }
}

/// Launches for gas.
pub(crate) struct GasStages {
    /// Once particles are sorted.
    pub(crate) begin: Launch,
    note: Launch,
    warm: Vec<Launch>,
    cool: Launch,
    roll_up: Launch,
    drive: Launch,
    note_lonely: Launch,
}

impl GasStages {
    /// None without gas.
    pub(super) fn new(bound: Bound<'_>) -> Option<Self> {
        let fluids = bound.fluids.filter(|_| bound.has(Features::GAS))?;
        let gas = bound.gas;
        let [params, own, of_gas] = [bound.params(), fluids.params.binding(0), gas.params.binding(0)];
        let [vectors, kinds, table] = [
            bound.arrays.vectors.binding(),
            bound.arrays.kinds.binding(),
            bound.inputs.table.binding(),
        ];
        let [ranges, list, flow] = [
            fluids.ranges.binding(),
            fluids.list.binding(),
            fluids.flow.vectors().binding(),
        ];
        let [temperatures, swirls] = [TEMPERATURES, SWIRLS].map(|name| bound.property(name));
        let (contacts, contact_ranges) = (bound.colliders.contacts(), bound.colliders.ranges());
        let launch = |source, resources: &[&wgpu::BindingResource<'_>]| {
            let resources: Vec<_> = resources.iter().map(|&resource| resource.clone()).collect();
            bound.per_particle(&bound.kernel(source), &resources)
        };
        let with_sums = |source, resources: &[&wgpu::BindingResource<'_>]| {
            let resources: Vec<_> = resources.iter().map(|&resource| resource.clone()).collect();
            bound.per_share(&bound.kernel_with_sums(source, &[]), &resources)
        };
        let warm = |number: usize| {
            let exchange = gas.exchanges.binding(number);
            let resources = [&params, &own, &exchange, &vectors, &ranges, &list, &flow];
            launch(&kernels::WARM_GAS, &resources)
        };
        Some(Self {
            begin: launch(
                &kernels::BEGIN_GAS,
                &[&params, &vectors, &kinds, &swirls, &temperatures],
            ),
            note: launch(
                &kernels::NOTE_GAS,
                &[
                    &params,
                    &own,
                    &vectors,
                    &kinds,
                    &table,
                    &contacts.binding(),
                    &contact_ranges.binding(),
                    &flow,
                ],
            ),
            warm: (0..viscosity::MOST as usize).map(warm).collect(),
            cool: launch(
                &kernels::COOL_GAS,
                &[
                    &params,
                    &own,
                    &of_gas,
                    &vectors,
                    &kinds,
                    &table,
                    &flow,
                    &gas.zones.binding(),
                    &temperatures,
                ],
            ),
            roll_up: with_sums(
                &kernels::ROLL_UP_GAS,
                &[
                    &params, &own, &of_gas, &vectors, &ranges, &list, &kinds, &table, &flow, &swirls,
                ],
            ),
            drive: with_sums(
                &kernels::DRIVE_GAS,
                &[
                    &params,
                    &own,
                    &of_gas,
                    &gas.air.binding(0),
                    &vectors,
                    &ranges,
                    &list,
                    &kinds,
                    &table,
                    &flow,
                ],
            ),
            note_lonely: launch(
                &kernels::NOTE_LONELY,
                &[&params, &of_gas, &kinds, &gas.seen.binding(), &swirls],
            ),
        })
    }

    /// Line 26 for gas.
    pub(super) fn drive(&self, gas: &DeviceGas, pass: &mut wgpu::ComputePass<'_>) {
        let Doing {
            warms,
            exchanges,
            rolls_up,
        } = gas.doing;
        if exchanges > 0 || rolls_up {
            self.note.encode(pass);
        }
        if warms {
            self.warm.iter().take(exchanges).for_each(|launch| launch.encode(pass));
            self.cool.encode(pass);
        }
        if rolls_up {
            self.roll_up.encode(pass);
            self.drive.encode(pass);
        }
    }

    /// Once markers have moved for the last time in a frame in which gas leaves that has none about it.
    pub(super) fn note_lonely(&self, pass: &mut wgpu::ComputePass<'_>) {
        self.note_lonely.encode(pass);
    }
}
