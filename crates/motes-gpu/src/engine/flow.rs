//! What liquids do: they keep their density and share their velocities. The counterpart of `cpu/fluids/` in motes-core.

use bytemuck::{Pod, Zeroable};
use motes_core::constraints::density::Lattice;
use motes_core::constraints::{tension, viscosity};
use motes_core::engine::Frame;
use motes_core::glam::Vec4;
use motes_core::{Liquids, Material};

use super::arrays::{SORTED, SUPPORTS};
use super::fluids::Fluids;
use super::sph::{SphParams, SphStages};
use super::stages::{Bound, WORKGROUP};
use crate::buffers::{Buffer, Uniforms};
use crate::device::Gpu;
use crate::error::GpuError;
use crate::kernel::{Kernel, Source};
use crate::kernels;
use crate::launch::Launch;

/// Vectors of each particle: see `lib/density.wgsl`.
const SECTIONS: usize = 3;

/// Where velocities are after an even and after an odd number of exchanges: what the sections held has had its use by then.
const IN_TURN: [usize; 2] = [SUPPORTS, SORTED];

/// An exchange of velocities: `Exchange` in `share_velocities.wgsl`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct Exchange {
    pub(crate) scale: f32,
    pub(crate) before: u32,
    pub(crate) after: u32,
    pub(crate) unused: u32,
}

/// What is done to velocities in a sub-step of the frame.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Stirring {
    contracts: bool,
    swirls: bool,
    exchanges: usize,
}

/// What liquids keep of each particle within a sub-step.
pub(super) struct Flow {
    vectors: Buffer<Vec4>,
    exchanges: Uniforms<Exchange>,
    sph: Uniforms<SphParams>,
    stirring: Stirring,
    /// By which of the solvers.
    liquids: Liquids,
}

impl Flow {
    pub(super) fn new(gpu: &Gpu) -> Result<Self, GpuError> {
        Ok(Self {
            vectors: Buffer::new(gpu, "flow", SECTIONS)?,
            exchanges: Uniforms::new(gpu, "exchanges", viscosity::MOST as usize)?,
            sph: Uniforms::new(gpu, "sph params", 1)?,
            stirring: Stirring::default(),
            liquids: Liquids::default(),
        })
    }

    /// Makes room and notes what is to be done in a frame; says whether any memory was replaced.
    pub(super) fn take_over(&mut self, frame: &Frame, [particles, stride]: [usize; 2]) -> Result<bool, GpuError> {
        let settings = &frame.settings;
        let h = frame.dt / settings.substeps.max(1) as f32;
        let scales = viscosity::exchanges(frame, &Lattice::new(settings.smoothing_radius), h);
        let swirls = |material: &Material| material.vorticity > 0.0;
        self.stirring = Stirring {
            contracts: tension::acts(frame),
            swirls: frame.materials.as_slice().iter().any(swirls),
            exchanges: scales.len(),
        };
        for (number, scale) in scales.into_iter().enumerate() {
            let exchange = Exchange {
                scale,
                before: (IN_TURN[number % 2] * stride) as u32,
                after: (IN_TURN[(number + 1) % 2] * stride) as u32,
                unused: 0,
            };
            self.exchanges.write(number, &exchange);
        }
        if let Liquids::Sph(sph) = settings.liquids {
            self.sph.write(0, &SphParams::new(settings, sph));
        }
        let before = std::mem::replace(&mut self.liquids, settings.liquids);
        let changed = std::mem::discriminant(&before) != std::mem::discriminant(&settings.liquids);
        Ok(self.vectors.ensure_exactly(SECTIONS * particles.max(1))? || changed)
    }

    pub(super) fn sph(&self) -> &Uniforms<SphParams> {
        &self.sph
    }

    /// What is kept of each particle, in sections.
    pub(super) fn vectors(&self) -> &Buffer<Vec4> {
        &self.vectors
    }

    /// Particles that there is room for.
    pub(super) fn room(&self) -> usize {
        self.vectors.capacity() / SECTIONS
    }

    pub(super) fn bytes(&self) -> u64 {
        self.vectors.bytes()
    }
}

/// Particles up to which sums over neighbours are made of parts, and of how many: `lib/neighbor_shares.wgsl`.
pub(crate) const SUMMED_IN_PARTS: u32 = 30_000;
pub(crate) const NEIGHBOR_PARTS: u32 = 4;

/// Threads that share the neighbours of a particle, where there is room for so many particles.
pub(crate) fn neighbor_share(room: usize) -> u32 {
    if room <= SUMMED_IN_PARTS as usize {
        NEIGHBOR_PARTS
    } else {
        1
    }
}

/// Whether there may be more of them in a world of as many particles: room is at most twice what is needed.
pub(crate) fn may_share(room: usize) -> u32 {
    u32::from(room <= 2 * SUMMED_IN_PARTS as usize)
}

impl Fluids {
    pub(super) fn stirring(&self) -> Stirring {
        self.flow.stirring
    }

    /// Where velocities are among the vectors when all exchanges are done.
    pub(super) fn flow_section(&self, stride: usize) -> u32 {
        (IN_TURN[self.flow.stirring.exchanges % 2] * stride) as u32
    }

    /// Looks at how dense it is in a sub-step, or where everybody is when it is over.
    pub(super) fn crowd(&self, bound: Bound<'_>, substep: usize, ended: bool) -> Launch {
        let kernel = bound.kernel_with_sums(&kernels::CROWD, &[("ENDED", u32::from(ended))]);
        let resources = [
            bound.params(),
            self.params.binding(substep),
            bound.arrays.vectors.binding(),
            self.ranges.binding(),
            self.list.binding(),
            bound.colliders.contacts().binding(),
            bound.colliders.ranges().binding(),
            self.flow.vectors.binding(),
            self.densities.binding(),
            self.counters.binding(),
        ];
        bound.per_share(&kernel, &resources)
    }

    fn press(&self, bound: Bound<'_>, iteration: usize) -> Launch {
        let constants = [
            ("FIRST", u32::from(iteration == 0)),
            ("PREDICTIVE", u32::from(self.flow.liquids == Liquids::Pcisph)),
        ];
        let kernel = bound.kernel_with_sums(&kernels::PRESS, &constants);
        let resources = [
            bound.params(),
            self.params.binding(0),
            bound.inputs.iterations.binding(iteration),
            bound.arrays.vectors.binding(),
            self.ranges.binding(),
            self.list.binding(),
            bound.colliders.contacts().binding(),
            bound.colliders.ranges().binding(),
            self.flow.vectors.binding(),
            self.densities.binding(),
        ];
        bound.per_share(&kernel, &resources)
    }

    fn make_way(&self, bound: Bound<'_>, substep: usize, relaxes: bool) -> Launch {
        let kernel = bound.kernel_with_sums(&kernels::MAKE_WAY, &[("RELAXES", u32::from(relaxes))]);
        let resources = [
            bound.params(),
            self.params.binding(substep),
            bound.arrays.vectors.binding(),
            self.ranges.binding(),
            self.list.binding(),
            self.flow.vectors.binding(),
            self.counters.binding(),
            bound.colliders.contacts().binding(),
            bound.colliders.ranges().binding(),
        ];
        bound.per_share(&kernel, &resources)
    }

    fn constrain(&self, bound: Bound<'_>, is_first: bool) -> Launch {
        let kernel = kernel(bound, &kernels::CONSTRAIN, ("FIRST", u32::from(is_first)));
        let resources = [
            bound.params(),
            self.params.binding(0),
            bound.arrays.vectors.binding(),
            self.ranges.binding(),
            self.list.binding(),
            bound.colliders.contacts().binding(),
            bound.colliders.ranges().binding(),
            self.flow.vectors.binding(),
        ];
        bound.per_particle(&kernel, &resources)
    }

    fn displace(&self, bound: Bound<'_>) -> Launch {
        let resources = [
            bound.params(),
            self.params.binding(0),
            bound.arrays.vectors.binding(),
            self.ranges.binding(),
            self.list.binding(),
            self.flow.vectors.binding(),
        ];
        bound.per_particle(&bound.kernel(&kernels::DISPLACE), &resources)
    }

    fn relax(&self, bound: Bound<'_>, substep: usize) -> [Launch; 2] {
        let resources = [
            bound.params(),
            self.params.binding(substep),
            bound.arrays.vectors.binding(),
            bound.colliders.contacts().binding(),
            bound.colliders.ranges().binding(),
            self.flow.vectors.binding(),
            self.counters.binding(),
        ];
        [
            bound.per_particle(&bound.kernel(&kernels::RELAX), &resources),
            self.make_way(bound, substep, true),
        ]
    }

    fn exchange(&self, bound: Bound<'_>, number: usize) -> Launch {
        let resources = [
            bound.params(),
            self.params.binding(0),
            self.flow.exchanges.binding(number),
            bound.arrays.vectors.binding(),
            self.ranges.binding(),
            self.list.binding(),
            self.flow.vectors.binding(),
        ];
        bound.per_particle(&bound.kernel(&kernels::SHARE_VELOCITIES), &resources)
    }
}

impl Bound<'_> {
    /// A kernel with sums over neighbours.
    pub(super) fn kernel_with_sums(&self, source: &Source, constants: &[(&'static str, u32)]) -> Kernel {
        let room = self.room.particles;
        let usual = [
            ("WORKGROUP", WORKGROUP),
            ("SHARE", neighbor_share(room)),
            ("MAY_SHARE", may_share(room)),
        ];
        self.kernel_with(source, &[&usual, constants].concat())
    }

    /// All threads of each particle of such a kernel.
    pub(super) fn per_share(&self, kernel: &Kernel, resources: &[wgpu::BindingResource<'_>]) -> Launch {
        let share = neighbor_share(self.room.particles) as usize;
        self.launch(kernel, resources, share * self.room.particles)
    }
}

fn kernel(bound: Bound<'_>, source: &Source, constant: (&'static str, u32)) -> Kernel {
    bound.kernel_with(source, &[("WORKGROUP", WORKGROUP), constant])
}

/// Launches that keep densities.
pub(super) enum DensityStages {
    /// In iterations.
    Iterated {
        way: Way,
        /// For each sub-step.
        relax: Vec<[Launch; 2]>,
    },
    /// By forces, once a sub-step.
    Forced(SphStages),
}

/// How they are kept in an iteration.
pub(super) enum Way {
    Pressed {
        /// One per sub-step; none for PCISPH, which needs no such look.
        crowd: Vec<Launch>,
        /// One per iteration.
        press: Vec<Launch>,
        make_way: Launch,
    },
    PositionBased {
        /// In the first iteration, and in others.
        constrain: [Launch; 2],
        displace: Launch,
    },
}

impl Way {
    fn iterate(&self, substep: usize, iteration: usize, pass: &mut wgpu::ComputePass<'_>) {
        match self {
            Self::Pressed { crowd, press, make_way } => {
                if let (0, Some(crowd)) = (iteration, crowd.get(substep)) {
                    crowd.encode(pass);
                }
                press[iteration].encode(pass);
                make_way.encode(pass);
            }
            Self::PositionBased { constrain, displace } => {
                constrain[usize::from(iteration > 0)].encode(pass);
                displace.encode(pass);
            }
        }
    }
}

impl DensityStages {
    pub(super) fn new(fluids: &Fluids, bound: Bound<'_>) -> Self {
        if let Liquids::Sph(_) = fluids.flow.liquids {
            return Self::Forced(SphStages::new(fluids, bound));
        }
        let substeps = 0..fluids.params.slots();
        let iterations = 0..bound.inputs.iterations.slots();
        let way = if let Liquids::PositionBased(_) = fluids.flow.liquids {
            Way::PositionBased {
                constrain: [true, false].map(|is_first| fluids.constrain(bound, is_first)),
                displace: fluids.displace(bound),
            }
        } else {
            let looks = match fluids.flow.liquids {
                Liquids::Pcisph => 0..0,
                _ => substeps.clone(),
            };
            Way::Pressed {
                crowd: looks.map(|substep| fluids.crowd(bound, substep, false)).collect(),
                press: iterations.map(|iteration| fluids.press(bound, iteration)).collect(),
                make_way: fluids.make_way(bound, 0, false),
            }
        };
        Self::Iterated {
            way,
            relax: substeps.map(|substep| fluids.relax(bound, substep)).collect(),
        }
    }

    /// Lines 18–20 for densities.
    pub(super) fn solve(&self, substep: usize, iteration: usize, pass: &mut wgpu::ComputePass<'_>) {
        match self {
            Self::Iterated { way, .. } => way.iterate(substep, iteration, pass),
            Self::Forced(sph) if iteration == 0 => sph.push(pass),
            Self::Forced(_) => {}
        }
    }

    /// Whether an iteration of densities is one of contacts with colliders too, where there is nothing but liquid.
    pub(super) fn meets_colliders(&self) -> bool {
        matches!(
            self,
            Self::Iterated {
                way: Way::Pressed { .. },
                ..
            }
        )
    }

    /// Has walls bear what liquids press on them with, and takes back part of the excess from before the sub-step.
    pub(super) fn relax(&self, substep: usize, pass: &mut wgpu::ComputePass<'_>) {
        match self {
            Self::Iterated { relax, .. } => relax[substep].iter().for_each(|launch| launch.encode(pass)),
            Self::Forced(sph) => sph.bear(pass),
        }
    }
}

/// Launches that change velocities of liquids.
pub(super) struct StirringStages {
    /// What finds the slopes of densities, and what contracts by them.
    contract: [Launch; 2],
    /// What finds curls, and what keeps them up.
    swirl: [Launch; 2],
    thicken: Launch,
    exchanges: Vec<Launch>,
}

impl StirringStages {
    pub(super) fn new(fluids: &Fluids, bound: Bound<'_>) -> Self {
        let (params, own) = (|| bound.params(), || fluids.params.binding(0));
        let vectors = || bound.arrays.vectors.binding();
        let [ranges, list] = [&fluids.ranges.binding(), &fluids.list.binding()];
        let kinds = || bound.arrays.kinds.binding();
        let table = || bound.inputs.table.binding();
        let flow = || fluids.flow.vectors.binding();
        let curls = [params(), own(), vectors(), ranges.clone(), list.clone(), flow()];
        let confined = [
            params(),
            own(),
            vectors(),
            ranges.clone(),
            list.clone(),
            kinds(),
            table(),
            flow(),
        ];
        let thickened = [
            params(),
            own(),
            vectors(),
            ranges.clone(),
            kinds(),
            table(),
            bound.colliders.contacts().binding(),
            bound.colliders.ranges().binding(),
            flow(),
        ];
        let taut = [
            params(),
            own(),
            vectors(),
            ranges.clone(),
            list.clone(),
            kinds(),
            table(),
            bound.colliders.contacts().binding(),
            bound.colliders.ranges().binding(),
            flow(),
        ];
        let exchanges = 0..viscosity::MOST as usize;
        Self {
            contract: [&kernels::TAUTEN, &kernels::CONTRACT]
                .map(|source| bound.per_particle(&bound.kernel(source), &taut)),
            swirl: [
                bound.per_particle(&bound.kernel(&kernels::FIND_CURLS), &curls),
                bound.per_particle(&bound.kernel(&kernels::CONFINE_CURLS), &confined),
            ],
            thicken: bound.per_particle(&bound.kernel(&kernels::THICKEN), &thickened),
            exchanges: exchanges.map(|number| fluids.exchange(bound, number)).collect(),
        }
    }

    /// Line 26 for liquids.
    pub(super) fn stir(&self, stirring: Stirring, pass: &mut wgpu::ComputePass<'_>) {
        if stirring.contracts {
            self.contract.iter().for_each(|launch| launch.encode(pass));
        }
        if stirring.swirls {
            self.swirl.iter().for_each(|launch| launch.encode(pass));
        }
        if stirring.exchanges > 0 {
            self.thicken.encode(pass);
        }
        let exchanges = self.exchanges.iter().take(stirring.exchanges);
        exchanges.for_each(|launch| launch.encode(pass));
    }
}
