//! Forces of liquids of weakly compressible SPH. The counterpart of `cpu/fluids/sph.rs` in motes-core.

use bytemuck::{Pod, Zeroable};
use motes_core::constraints::sph::Lattice;
use motes_core::{Settings, Sph};

use super::fluids::Fluids;
use super::stages::Bound;
use crate::kernels;
use crate::launch::Launch;

/// What the kernels know: `lib/sph.wgsl`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct SphParams {
    pub(crate) share: f32,
    pub(crate) wall: f32,
    pub(crate) stiffness: f32,
    pub(crate) laplacian: f32,
    pub(crate) wall_laplacian: f32,
    pub(crate) added: f32,
    pub(crate) unused_a: f32,
    pub(crate) unused_b: f32,
}

impl SphParams {
    pub(super) fn new(settings: &Settings, sph: Sph) -> Self {
        let lattice = Lattice::new(settings.smoothing_radius);
        Self {
            share: 1.0 / lattice.sum,
            wall: lattice.wall,
            stiffness: sph.speed_of_sound * sph.speed_of_sound * lattice.stiffer,
            laplacian: lattice.sum * lattice.laplacian,
            wall_laplacian: lattice.wall_laplacian,
            added: sph.added_viscosity(1.0, 1.0),
            ..Self::default()
        }
    }
}

/// Launches that push by pressures.
pub(super) struct SphStages {
    /// What finds them, and what moves everybody by them.
    push: [Launch; 2],
    /// What has walls bear them.
    bear: Launch,
}

impl SphStages {
    pub(super) fn new(fluids: &Fluids, bound: Bound<'_>) -> Self {
        let (params, own) = (|| bound.params(), || fluids.params.binding(0));
        let sph = || fluids.flow.sph().binding(0);
        let vectors = || bound.arrays.vectors.binding();
        let [ranges, list] = [&fluids.ranges.binding(), &fluids.list.binding()];
        let contacts = || bound.colliders.contacts().binding();
        let runs = || bound.colliders.ranges().binding();
        let flow = || fluids.flow.vectors().binding();
        let compressed = [
            params(),
            own(),
            sph(),
            vectors(),
            ranges.clone(),
            list.clone(),
            bound.arrays.kinds.binding(),
            bound.inputs.table.binding(),
            contacts(),
            runs(),
            flow(),
        ];
        let pushed = [
            params(),
            own(),
            sph(),
            vectors(),
            ranges.clone(),
            list.clone(),
            contacts(),
            runs(),
            flow(),
        ];
        let borne = [params(), own(), sph(), vectors(), contacts(), runs(), flow()];
        Self {
            push: [
                bound.per_particle(&bound.kernel(&kernels::COMPRESS), &compressed),
                bound.per_particle(&bound.kernel(&kernels::PUSH_BY_PRESSURES), &pushed),
            ],
            bear: bound.per_particle(&bound.kernel(&kernels::BEAR_PRESSURES), &borne),
        }
    }

    /// Before the first iteration of a sub-step.
    pub(super) fn push(&self, pass: &mut wgpu::ComputePass<'_>) {
        self.push.iter().for_each(|launch| launch.encode(pass));
    }

    /// Once velocities are known.
    pub(super) fn bear(&self, pass: &mut wgpu::ComputePass<'_>) {
        self.bear.encode(pass);
    }
}
