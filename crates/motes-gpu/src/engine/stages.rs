//! The kernels of the step, bound to the arrays they work on.

use crate::Buffer;
use crate::buffers::Uniforms;
use crate::colliders::Colliders;
use crate::device::Gpu;
use crate::engine::arrays::Arrays;
use crate::engine::params::{Field, Iteration, Params};
use crate::error::GpuError;
use crate::kernel::{Kernel, Variant};
use crate::kernels;
use crate::launch::Launch;
use motes_core::glam::Vec4;

/// The compiled kernels of the step.
pub(crate) struct StepKernels {
    predict: Kernel,
    fill_cells: Kernel,
    reorder: Kernel,
    /// For few particles, and for many.
    find_pairs: [Kernel; 2],
    recall: Kernel,
    scale_masses: Kernel,
    push_apart: Kernel,
    gather_stabilization: Kernel,
    solve_pairs: Kernel,
    gather_first: Kernel,
    gather_contacts: Kernel,
    gather_solve: Kernel,
    solve_colliders: Kernel,
    derive_velocities: Kernel,
    rebound_pairs: Kernel,
    rebound_gather: Kernel,
    rebound_colliders: Kernel,
    update_velocities: Kernel,
    finish: Kernel,
    tabulate: Kernel,
}

impl StepKernels {
    pub(crate) fn new(gpu: &Gpu, variant: Variant) -> Result<Self, GpuError> {
        let kernel = |source| Kernel::new(gpu, source, &[("WORKGROUP", WORKGROUP)]);
        let find_pairs = match variant {
            Variant::Plain => kernels::FIND_PAIRS,
            Variant::Subgroup => kernels::FIND_PAIRS_SUBGROUP,
        };
        let shared = |threads: usize| {
            let constants = [("WORKGROUP", WORKGROUP), ("SHARE", threads as u32)];
            Kernel::new(gpu, &find_pairs, &constants)
        };
        Ok(Self {
            predict: kernel(&kernels::PREDICT)?,
            fill_cells: kernel(&kernels::FILL_CELLS)?,
            reorder: kernel(&kernels::REORDER)?,
            find_pairs: [shared(FINDERS)?, shared(1)?],
            recall: kernel(&kernels::RECALL)?,
            scale_masses: kernel(&kernels::SCALE_MASSES)?,
            push_apart: kernel(&kernels::PUSH_APART)?,
            gather_stabilization: kernel(&kernels::GATHER_STABILIZATION)?,
            solve_pairs: kernel(&kernels::SOLVE_PAIRS)?,
            gather_first: kernel(&kernels::GATHER_FIRST)?,
            gather_contacts: kernel(&kernels::GATHER_CONTACTS)?,
            gather_solve: kernel(&kernels::GATHER_SOLVE)?,
            solve_colliders: kernel(&kernels::SOLVE_COLLIDERS)?,
            derive_velocities: kernel(&kernels::DERIVE_VELOCITIES)?,
            rebound_pairs: kernel(&kernels::REBOUND_PAIRS)?,
            rebound_gather: kernel(&kernels::REBOUND_GATHER)?,
            rebound_colliders: kernel(&kernels::REBOUND_COLLIDERS)?,
            update_velocities: kernel(&kernels::UPDATE_VELOCITIES)?,
            finish: kernel(&kernels::FINISH)?,
            tabulate: Kernel::new(gpu, &kernels::TABULATE, &[])?,
        })
    }
}

/// Threads of a workgroup.
const WORKGROUP: u32 = 256;

/// Threads that look for the neighbours of one particle where particles are few: `SHARE` in `find_pairs.wgsl`.
const FINDERS: usize = 4;

/// Workgroups up to which particles are few.
const FEW_GROUPS: usize = 360;

/// What the kernels read besides the arrays.
pub(crate) struct Inputs {
    pub(crate) params: Uniforms<Params>,
    /// One slot per iteration.
    pub(crate) iterations: Uniforms<Iteration>,
    pub(crate) table: Buffer<Vec4>,
    pub(crate) fields: Buffer<Field>,
    /// What the two hold, and the generations of their memory.
    pub(crate) written: (Vec<Vec4>, Vec<Field>, [u64; 2]),
}

impl Inputs {
    /// Writes the materials and fields of a frame, unless they are there already.
    pub(crate) fn write(&mut self, table: Vec<Vec4>, fields: Vec<Field>) {
        let wanted = (table, fields, [self.table.generation(), self.fields.generation()]);
        if wanted != self.written {
            self.table.write(0, &wanted.0);
            self.fields.write(0, &wanted.1);
            self.written = wanted;
        }
    }
}

/// Launches that are ready to be recorded, as long as no array is replaced.
pub(crate) struct Stages {
    pub(crate) predict: Launch,
    pub(crate) fill_cells: Launch,
    pub(crate) reorder: Launch,
    pub(crate) solve_colliders: Launch,
    pub(crate) derive_velocities: Launch,
    pub(crate) rebound_colliders: Launch,
    /// The two before at once.
    pub(crate) update_velocities: Launch,
    pub(crate) finish: Launch,
    pub(crate) tabulate: Launch,
    /// For either set of pairs as the present one.
    pub(crate) pairs: [PairStages; 2],
}

pub(crate) struct PairStages {
    pub(crate) find: Launch,
    pub(crate) recall: Launch,
    pub(crate) scale_masses: Launch,
    pub(crate) gather_first: Launch,
    pub(crate) push_apart: Launch,
    pub(crate) gather_stabilization: Launch,
    /// One per iteration.
    pub(crate) solve: Vec<Launch>,
    pub(crate) gather: Launch,
    /// `gather` and the contacts with colliders at once.
    pub(crate) gather_solve: Launch,
    pub(crate) rebound: Launch,
    pub(crate) rebound_gather: Launch,
}

impl Stages {
    pub(crate) fn new(
        gpu: &Gpu,
        kernels: &StepKernels,
        arrays: &Arrays,
        inputs: &Inputs,
        colliders: &Colliders,
        (count, pairs): (usize, usize),
    ) -> Self {
        let a = arrays;
        let params = || inputs.params.binding(0);
        let groups = |threads: usize| threads.div_ceil(WORKGROUP as usize);
        let particles = groups(count);
        let launch =
            |kernel: &Kernel, resources: &[wgpu::BindingResource<'_>]| Launch::new(gpu, kernel, resources, particles);
        let (contacts, ranges) = (colliders.contacts(), colliders.ranges());
        Self {
            predict: launch(
                &kernels.predict,
                &[
                    params(),
                    a.positions.binding(),
                    a.velocities.binding(),
                    a.kinds.binding(),
                    inputs.table.binding(),
                    inputs.fields.binding(),
                    a.cells.binding(),
                    a.owners.binding(),
                ],
            ),
            fill_cells: launch(&kernels.fill_cells, &[params(), a.cells.binding()]),
            reorder: launch(
                &kernels.reorder,
                &[
                    params(),
                    a.cells.binding(),
                    a.positions.binding(),
                    a.velocities.binding(),
                    a.kinds.binding(),
                    a.starts.binding(),
                    a.predicted.binding(),
                    a.before.binding(),
                    a.sorted_kinds.binding(),
                ],
            ),
            solve_colliders: launch(
                &kernels.solve_colliders,
                &[
                    params(),
                    ranges.binding(),
                    contacts.binding(),
                    a.starts.binding(),
                    a.predicted.binding(),
                    a.positions.binding(),
                ],
            ),
            derive_velocities: launch(
                &kernels.derive_velocities,
                &[
                    params(),
                    a.predicted.binding(),
                    a.starts.binding(),
                    a.before.binding(),
                    a.velocities.binding(),
                ],
            ),
            rebound_colliders: launch(
                &kernels.rebound_colliders,
                &[
                    params(),
                    ranges.binding(),
                    contacts.binding(),
                    a.before.binding(),
                    a.sorted_kinds.binding(),
                    inputs.table.binding(),
                    a.velocities.binding(),
                ],
            ),
            update_velocities: launch(
                &kernels.update_velocities,
                &[
                    params(),
                    a.predicted.binding(),
                    a.starts.binding(),
                    a.before.binding(),
                    ranges.binding(),
                    contacts.binding(),
                    a.sorted_kinds.binding(),
                    inputs.table.binding(),
                    a.velocities.binding(),
                ],
            ),
            finish: launch(
                &kernels.finish,
                &[
                    params(),
                    a.predicted.binding(),
                    a.starts.binding(),
                    a.sorted_kinds.binding(),
                    a.positions.binding(),
                    a.velocities.binding(),
                    a.kinds.binding(),
                    a.blowups.binding(),
                ],
            ),
            tabulate: Launch::new(
                gpu,
                &kernels.tabulate,
                &[
                    params(),
                    a.positions.binding(),
                    a.census.binding(),
                    a.owners.binding(),
                    a.blowups.binding(),
                ],
                1,
            ),
            pairs: [0, 1].map(|now| {
                PairStages::new(
                    gpu,
                    kernels,
                    arrays,
                    inputs,
                    colliders,
                    now,
                    (particles, groups(pairs + 1)),
                )
            }),
        }
    }
}

impl PairStages {
    fn new(
        gpu: &Gpu,
        kernels: &StepKernels,
        a: &Arrays,
        inputs: &Inputs,
        colliders: &Colliders,
        now: usize,
        (particles, pairs): (usize, usize),
    ) -> Self {
        let params = || inputs.params.binding(0);
        let (set, old) = (&a.pairs[now], &a.pairs[1 - now]);
        let finders = if particles <= FEW_GROUPS { FINDERS } else { 1 };
        let per_particle =
            |kernel: &Kernel, resources: &[wgpu::BindingResource<'_>]| Launch::new(gpu, kernel, resources, particles);
        let per_pair =
            |kernel: &Kernel, resources: &[wgpu::BindingResource<'_>]| Launch::new(gpu, kernel, resources, pairs);
        Self {
            find: Launch::new(
                gpu,
                &kernels.find_pairs[usize::from(finders == 1)],
                &[
                    params(),
                    a.predicted.binding(),
                    a.sorted_kinds.binding(),
                    a.cells.binding(),
                    a.starts.binding(),
                    set.ranges.binding(),
                    set.members.binding(),
                    a.foreign.binding(),
                    a.owners.binding(),
                ],
                particles * finders,
            ),
            recall: per_pair(
                &kernels.recall,
                &[
                    params(),
                    a.owners.binding(),
                    set.members.binding(),
                    a.sorted_kinds.binding(),
                    a.predicted.binding(),
                    old.ranges.binding(),
                    old.members.binding(),
                    old.impulses.binding(),
                    set.impulses.binding(),
                ],
            ),
            scale_masses: per_pair(
                &kernels.scale_masses,
                &[
                    params(),
                    a.owners.binding(),
                    set.members.binding(),
                    a.starts.binding(),
                    a.predicted.binding(),
                    a.shares.binding(),
                ],
            ),
            gather_first: per_particle(
                &kernels.gather_first,
                &[
                    params(),
                    set.impulses.binding(),
                    set.ranges.binding(),
                    set.members.binding(),
                    a.foreign.binding(),
                    a.shares.binding(),
                    a.predicted.binding(),
                    a.positions.binding(),
                    a.cells.binding(),
                ],
            ),
            push_apart: per_pair(
                &kernels.push_apart,
                &[
                    params(),
                    a.owners.binding(),
                    set.members.binding(),
                    a.starts.binding(),
                    a.predicted.binding(),
                    old.impulses.binding(),
                ],
            ),
            gather_stabilization: per_particle(
                &kernels.gather_stabilization,
                &[
                    params(),
                    old.impulses.binding(),
                    set.ranges.binding(),
                    a.foreign.binding(),
                    a.shares.binding(),
                    a.starts.binding(),
                    a.predicted.binding(),
                    colliders.contacts().binding(),
                    colliders.ranges().binding(),
                ],
            ),
            solve: (0..inputs.iterations.slots())
                .map(|iteration| {
                    per_pair(
                        &kernels.solve_pairs,
                        &[
                            params(),
                            inputs.iterations.binding(iteration),
                            a.owners.binding(),
                            set.members.binding(),
                            a.predicted.binding(),
                            a.starts.binding(),
                            a.sorted_kinds.binding(),
                            inputs.table.binding(),
                            set.impulses.binding(),
                            old.impulses.binding(),
                        ],
                    )
                })
                .collect(),
            gather: per_particle(
                &kernels.gather_contacts,
                &[
                    params(),
                    set.impulses.binding(),
                    set.ranges.binding(),
                    a.foreign.binding(),
                    a.shares.binding(),
                    a.predicted.binding(),
                    a.positions.binding(),
                ],
            ),
            gather_solve: per_particle(
                &kernels.gather_solve,
                &[
                    params(),
                    set.impulses.binding(),
                    set.ranges.binding(),
                    a.foreign.binding(),
                    a.predicted.binding(),
                    a.positions.binding(),
                    a.starts.binding(),
                    colliders.contacts().binding(),
                    colliders.ranges().binding(),
                ],
            ),
            rebound: per_pair(
                &kernels.rebound_pairs,
                &[
                    params(),
                    a.owners.binding(),
                    set.members.binding(),
                    a.predicted.binding(),
                    a.before.binding(),
                    a.velocities.binding(),
                    a.sorted_kinds.binding(),
                    inputs.table.binding(),
                    old.impulses.binding(),
                ],
            ),
            rebound_gather: per_particle(
                &kernels.rebound_gather,
                &[
                    params(),
                    old.impulses.binding(),
                    set.ranges.binding(),
                    a.foreign.binding(),
                    a.predicted.binding(),
                    a.positions.binding(),
                    a.velocities.binding(),
                ],
            ),
        }
    }
}
