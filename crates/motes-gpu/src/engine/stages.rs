//! The kernels of the step, bound to the arrays they work on.

use crate::Buffer;
use crate::buffers::Uniforms;
use crate::colliders::{BLOCK, Colliders};
use crate::device::Gpu;
use crate::engine::arrays::{Arrays, Room};
use crate::engine::bodies::DeviceBodies;
use crate::engine::body_stages::BodyStages;
use crate::engine::fluids::{FluidStages, Fluids};
use crate::engine::params::{Iteration, Params};
use crate::error::GpuError;
use crate::kernel::{Kernel, Variant};
use crate::kernels;
use crate::launch::Launch;
use motes_core::glam::Vec4;

/// The kernels that move particles by what their pairs do.
struct Gathers {
    begin_solve: Kernel,
    gather_stabilization: Kernel,
    gather_solve: Kernel,
}

impl Gathers {
    fn new(gpu: &Gpu, scaled: bool, bodies: u32, sizes: u32) -> Result<Self, GpuError> {
        let scaled = u32::from(scaled);
        let constants = [
            ("WORKGROUP", WORKGROUP),
            ("SCALED", scaled),
            ("BODIES", bodies),
            ("SIZES", sizes),
        ];
        let kernel = |source| Kernel::new(gpu, source, &constants);
        Ok(Self {
            begin_solve: kernel(&kernels::BEGIN_SOLVE)?,
            gather_stabilization: kernel(&kernels::GATHER_STABILIZATION)?,
            gather_solve: kernel(&kernels::GATHER_SOLVE)?,
        })
    }
}

/// The compiled kernels of the step.
pub(crate) struct StepKernels {
    /// Whether they are for particles of several sizes.
    pub(crate) sizes: bool,
    predict: Kernel,
    fill_cells: Kernel,
    reorder: Kernel,
    /// One for each of `FINDERS`.
    find_pairs: [Kernel; 3],
    recall: Kernel,
    scale_masses: Kernel,
    /// Without mass scaling, and with it.
    gathers: [Gathers; 2],
    push_apart: Kernel,
    solve_pairs: Kernel,
    derive_velocities: Kernel,
    rebound_pairs: Kernel,
    rebound_gather: Kernel,
    finish: Kernel,
    tabulate: Kernel,
}

impl StepKernels {
    /// For worlds with or without bodies, of particles of one size or of several.
    pub(crate) fn new(gpu: &Gpu, variant: Variant, bodies: bool, several: bool) -> Result<Self, GpuError> {
        let (bodies, sizes) = (u32::from(bodies), u32::from(several));
        let constants = [("WORKGROUP", WORKGROUP), ("BODIES", bodies), ("SIZES", sizes)];
        let kernel = |source| Kernel::new(gpu, source, &constants);
        let find_pairs = match (variant, several) {
            (Variant::Plain, false) => kernels::FIND_PAIRS,
            (Variant::Subgroup, false) => kernels::FIND_PAIRS_SUBGROUP,
            (Variant::Plain, true) => kernels::FIND_SIZED_PAIRS,
            (Variant::Subgroup, true) => kernels::FIND_SIZED_PAIRS_SUBGROUP,
        };
        let shared = |threads: usize| {
            let constants = [("WORKGROUP", WORKGROUP), ("SHARE", threads as u32)];
            Kernel::new(gpu, &find_pairs, &constants)
        };
        Ok(Self {
            sizes: several,
            predict: kernel(&kernels::PREDICT)?,
            fill_cells: kernel(&kernels::FILL_CELLS)?,
            reorder: kernel(&kernels::REORDER)?,
            find_pairs: [shared(FINDERS[0].1)?, shared(FINDERS[1].1)?, shared(FINDERS[2].1)?],
            recall: kernel(&kernels::RECALL)?,
            scale_masses: kernel(&kernels::SCALE_MASSES)?,
            gathers: [
                Gathers::new(gpu, false, bodies, sizes)?,
                Gathers::new(gpu, true, bodies, sizes)?,
            ],
            push_apart: kernel(&kernels::PUSH_APART)?,
            solve_pairs: kernel(&kernels::SOLVE_PAIRS)?,
            derive_velocities: kernel(&kernels::DERIVE_VELOCITIES)?,
            rebound_pairs: kernel(&kernels::REBOUND_PAIRS)?,
            rebound_gather: kernel(&kernels::REBOUND_GATHER)?,
            finish: Kernel::new(
                gpu,
                &kernels::FINISH,
                &[("WORKGROUP", BLOCK), ("BODIES", bodies), ("SIZES", sizes)],
            )?,
            tabulate: Kernel::new(gpu, &kernels::TABULATE, &[])?,
        })
    }
}

/// Threads of a workgroup.
pub(super) const WORKGROUP: u32 = 256;

/// Up to how many particles how many threads look for the neighbours of one: `SHARE` in `find_pairs.wgsl`. Where particles
/// are few, more threads wait less.
const FINDERS: [(usize, usize); 3] = [(1 << 14, 8), (200_000, 2), (usize::MAX, 1)];

/// What the kernels read besides the arrays.
pub(crate) struct Inputs {
    pub(crate) params: Uniforms<Params>,
    /// One slot per iteration.
    pub(crate) iterations: Uniforms<Iteration>,
    /// Materials, pairs of them, and force fields.
    pub(crate) table: Buffer<Vec4>,
    /// What the table holds, and the generation of its memory.
    pub(crate) written: (Vec<Vec4>, u64),
}

impl Inputs {
    /// Writes the materials and fields of a frame, unless they are there already.
    pub(crate) fn write(&mut self, table: Vec<Vec4>) {
        let wanted = (table, self.table.generation());
        if wanted != self.written {
            self.table.write(0, &wanted.0);
            self.written = wanted;
        }
    }
}

/// Launches that are ready to be recorded, as long as no array is replaced.
pub(crate) struct Stages {
    pub(crate) predict: Launch,
    pub(crate) fill_cells: Launch,
    pub(crate) reorder: Launch,
    pub(crate) derive_velocities: Launch,
    /// One per sub-step.
    pub(crate) finish: Vec<Launch>,
    pub(crate) tabulate: Launch,
    /// For either set of pairs as the present one.
    pub(crate) pairs: [PairStages; 2],
    /// Whether masses are scaled.
    pub(crate) scaled: bool,
    /// Where there are bodies.
    pub(crate) bodies: Option<BodyStages>,
    /// Where there are fluids.
    pub(crate) fluids: Option<FluidStages>,
}

pub(crate) struct PairStages {
    pub(crate) find: Launch,
    pub(crate) recall: Launch,
    pub(crate) scale_masses: Launch,
    pub(crate) begin_solve: Launch,
    pub(crate) push_apart: Launch,
    pub(crate) gather_stabilization: Launch,
    /// One per iteration.
    pub(crate) solve: Vec<Launch>,
    /// Contacts with colliders are part of it.
    pub(crate) gather_solve: Launch,
    pub(crate) rebound: Launch,
    pub(crate) rebound_gather: Launch,
}

/// What launches are made from.
#[derive(Clone, Copy)]
pub(crate) struct Bound<'a> {
    pub(crate) gpu: &'a Gpu,
    pub(crate) kernels: &'a StepKernels,
    pub(crate) arrays: &'a Arrays,
    pub(crate) inputs: &'a Inputs,
    pub(crate) colliders: &'a Colliders,
    pub(crate) shapes: &'a DeviceBodies,
    pub(crate) fluids: Option<&'a Fluids>,
    pub(crate) room: &'a Room,
}

impl<'a> Bound<'a> {
    /// The kernels for worlds like this.
    fn step_kernels(&self) -> &'a StepKernels {
        match self.shapes.kernels() {
            Some(kernels) if self.room.bodies => &kernels.step,
            _ => self.kernels,
        }
    }

    pub(super) fn params(&self) -> wgpu::BindingResource<'_> {
        self.inputs.params.binding(0)
    }

    pub(super) fn launch(&self, kernel: &Kernel, resources: &[wgpu::BindingResource<'_>], threads: usize) -> Launch {
        Launch::new(self.gpu, kernel, resources, threads.div_ceil(WORKGROUP as usize))
    }

    pub(super) fn per_particle(&self, kernel: &Kernel, resources: &[wgpu::BindingResource<'_>]) -> Launch {
        self.launch(kernel, resources, self.room.particles)
    }

    /// Two threads for each particle.
    fn per_half(&self, kernel: &Kernel, resources: &[wgpu::BindingResource<'_>]) -> Launch {
        self.launch(kernel, resources, 2 * self.room.particles)
    }

    /// One more than there are pairs, for the one that is always zero.
    pub(super) fn per_pair(&self, kernel: &Kernel, resources: &[wgpu::BindingResource<'_>]) -> Launch {
        self.launch(kernel, resources, self.room.pairs + 1)
    }
}

impl Stages {
    pub(crate) fn new(bound: Bound<'_>) -> Self {
        let Bound {
            arrays: a,
            inputs,
            colliders,
            ..
        } = bound;
        let kernels = bound.step_kernels();
        let params = || bound.params();
        Self {
            predict: bound.per_particle(
                &kernels.predict,
                &[
                    params(),
                    a.vectors.binding(),
                    a.kinds.binding(),
                    inputs.table.binding(),
                    a.cells.binding(),
                ],
            ),
            fill_cells: bound.per_particle(&kernels.fill_cells, &[params(), a.cells.binding(), a.foreign.binding()]),
            reorder: bound.per_particle(
                &kernels.reorder,
                &[
                    params(),
                    a.cells.binding(),
                    a.vectors.binding(),
                    a.kinds.binding(),
                    a.foreign.binding(),
                    a.owners.binding(),
                    inputs.table.binding(),
                ],
            ),
            derive_velocities: bound.per_particle(&kernels.derive_velocities, &[params(), a.vectors.binding()]),
            finish: (0..colliders.substep_room())
                .map(|substep| {
                    bound.per_particle(
                        &kernels.finish,
                        &[
                            params(),
                            colliders.params(substep),
                            a.vectors.binding(),
                            a.kinds.binding(),
                            colliders.ranges().binding(),
                            colliders.contacts().binding(),
                            colliders.pool().binding(),
                            colliders.block_sums().binding(),
                            inputs.table.binding(),
                            a.cells.binding(),
                        ],
                    )
                })
                .collect(),
            tabulate: Launch::new(
                bound.gpu,
                &kernels.tabulate,
                &[
                    params(),
                    a.vectors.binding(),
                    a.census.binding(),
                    a.owners.binding(),
                    a.cells.binding(),
                    colliders.counters().binding(),
                ],
                1,
            ),
            pairs: [0, 1].map(|now| PairStages::new(bound, now)),
            scaled: bound.room.scaled,
            bodies: if bound.room.bodies {
                BodyStages::new(bound)
            } else {
                None
            },
            fluids: bound.fluids.map(|fluids| fluids.stages(bound)),
        }
    }
}

impl PairStages {
    fn new(bound: Bound<'_>, now: usize) -> Self {
        let Bound {
            arrays: a,
            inputs,
            colliders,
            ..
        } = bound;
        let kernels = bound.step_kernels();
        let params = || bound.params();
        let gathers = &kernels.gathers[usize::from(bound.room.scaled)];
        let (set, old) = (&a.pairs[now], &a.pairs[1 - now]);
        let particles = bound.room.particles;
        let fits = |&(most, _): &(usize, usize)| particles <= most;
        let threads_share = !bound.room.sizes;
        let finder = FINDERS
            .iter()
            .position(fits)
            .filter(|_| threads_share)
            .unwrap_or(FINDERS.len() - 1);
        Self {
            find: bound.launch(
                &kernels.find_pairs[finder],
                &[
                    params(),
                    a.vectors.binding(),
                    a.kinds.binding(),
                    a.cells.binding(),
                    set.ranges.binding(),
                    set.members.binding(),
                    a.foreign.binding(),
                    a.owners.binding(),
                ],
                particles * FINDERS[finder].1,
            ),
            recall: bound.per_pair(
                &kernels.recall,
                &[
                    params(),
                    a.owners.binding(),
                    set.members.binding(),
                    a.kinds.binding(),
                    a.vectors.binding(),
                    old.ranges.binding(),
                    old.members.binding(),
                    old.impulses.binding(),
                    set.impulses.binding(),
                ],
            ),
            scale_masses: bound.per_pair(
                &kernels.scale_masses,
                &[
                    params(),
                    a.owners.binding(),
                    set.members.binding(),
                    a.vectors.binding(),
                    a.shares.binding(),
                ],
            ),
            begin_solve: bound.per_half(
                &gathers.begin_solve,
                &[
                    params(),
                    a.vectors.binding(),
                    set.impulses.binding(),
                    set.ranges.binding(),
                    set.members.binding(),
                    a.foreign.binding(),
                    a.shares.binding(),
                    colliders.contacts().binding(),
                    colliders.ranges().binding(),
                ],
            ),
            push_apart: bound.per_pair(
                &kernels.push_apart,
                &[
                    params(),
                    a.owners.binding(),
                    set.members.binding(),
                    a.vectors.binding(),
                    old.impulses.binding(),
                ],
            ),
            gather_stabilization: bound.per_particle(
                &gathers.gather_stabilization,
                &[
                    params(),
                    a.vectors.binding(),
                    old.impulses.binding(),
                    set.ranges.binding(),
                    a.foreign.binding(),
                    a.shares.binding(),
                    colliders.contacts().binding(),
                    colliders.ranges().binding(),
                ],
            ),
            solve: (0..inputs.iterations.slots())
                .map(|iteration| {
                    bound.per_pair(
                        &kernels.solve_pairs,
                        &[
                            params(),
                            inputs.iterations.binding(iteration),
                            a.owners.binding(),
                            set.members.binding(),
                            a.vectors.binding(),
                            a.kinds.binding(),
                            inputs.table.binding(),
                            set.impulses.binding(),
                            old.impulses.binding(),
                            a.cells.binding(),
                        ],
                    )
                })
                .collect(),
            gather_solve: bound.per_particle(
                &gathers.gather_solve,
                &[
                    params(),
                    a.vectors.binding(),
                    set.impulses.binding(),
                    set.ranges.binding(),
                    a.foreign.binding(),
                    a.shares.binding(),
                    colliders.contacts().binding(),
                    colliders.ranges().binding(),
                ],
            ),
            rebound: bound.per_pair(
                &kernels.rebound_pairs,
                &[
                    params(),
                    a.owners.binding(),
                    set.members.binding(),
                    a.vectors.binding(),
                    a.kinds.binding(),
                    inputs.table.binding(),
                    old.impulses.binding(),
                    set.impulses.binding(),
                ],
            ),
            rebound_gather: bound.per_particle(
                &kernels.rebound_gather,
                &[
                    params(),
                    old.impulses.binding(),
                    set.ranges.binding(),
                    a.foreign.binding(),
                    a.vectors.binding(),
                ],
            ),
        }
    }
}
