//! The kernels of the step, bound to the arrays they work on.

use crate::Buffer;
use crate::buffers::Uniforms;
use crate::colliders::{BLOCK, Colliders};
use crate::compiled::Compiled;
use crate::device::Gpu;
use crate::engine::arrays::{Arrays, Room};
use crate::engine::balloons::{BalloonStages, DeviceBalloons};
use crate::engine::bends::{BendStages, DeviceBends};
use crate::engine::bodies::DeviceBodies;
use crate::engine::body_stages::BodyStages;
use crate::engine::creature_stages::CreatureStages;
use crate::engine::creatures::DeviceCreatures;
use crate::engine::faces::{DeviceFaces, FaceStages};
use crate::engine::features::Features;
use crate::engine::fluids::{FluidStages, Fluids};
use crate::engine::gas::{DeviceGas, GasStages};
use crate::engine::optional::OptionalProperties;
use crate::engine::params::{Iteration, Params};
use crate::engine::patch_stages::{DevicePatches, PatchStages};
use crate::engine::pulls::{DevicePulls, PullStages};
use crate::engine::row_stages::RowStages;
use crate::engine::rows::DeviceRows;
use crate::kernel::{Kernel, Source, Variant};
use crate::kernels;
use crate::launch::Launch;
use motes_core::glam::Vec4;
use motes_core::particles::TEMPERATURES;
use motes_core::particles::rest::REST_POSITIONS;
use motes_core::particles::spin::SPINS;

/// Threads of a workgroup.
pub(super) const WORKGROUP: u32 = 256;

/// Up to how many particles how many threads look for the neighbours of one: `SHARE` in `find_pairs.wgsl`. Where particles
/// are few, more threads wait less.
const FINDERS: [(usize, usize); 3] = [(60_000, 8), (200_000, 2), (usize::MAX, 1)];

/// Candidates in a row of cells up to which each has a bit in `find_pairs.wgsl`: three rows share a word. Longer rows are
/// looked through twice.
pub(crate) const ROW_BITS: u32 = 10;

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
    /// Where particles rebound from each other.
    pub(crate) derive_velocities: Option<Launch>,
    /// Where there are passive particles or liquids.
    pub(crate) rebound_colliders: Option<Launch>,
    /// Where there are sheets, nets or ropes.
    pub(crate) bound_ways: Option<Launch>,
    pub(crate) recall_contacts: Launch,
    /// One per sub-step.
    pub(crate) finish: Vec<Launch>,
    pub(crate) tabulate: Launch,
    /// For either set of pairs as the present one.
    pub(crate) pairs: [PairStages; 2],
    /// What the launches were made for.
    pub(crate) features: Features,
    /// Where there are bodies.
    pub(crate) bodies: Option<BodyStages>,
    /// Where there are fluids.
    pub(crate) fluids: Option<FluidStages>,
    /// Where particles are participants of rows.
    pub(crate) locate: Option<Launch>,
    /// Where there are distances.
    pub(crate) rows: Option<RowStages>,
    /// Where some of these keep curvatures.
    pub(crate) bends: Option<BendStages>,
    /// Where sheets are in patches.
    pub(crate) patches: Option<PatchStages>,
    /// Where the air acts on faces.
    pub(crate) faces: Option<FaceStages>,
    /// Where there are balloons.
    pub(crate) balloons: Option<BalloonStages>,
    /// Where springs draw particles.
    pub(crate) pulls: Option<PullStages>,
    /// Where grains turn.
    pub(crate) turning: Option<TurningStages>,
    /// Where there is gas.
    pub(crate) gas: Option<GasStages>,
    /// Where there are creatures.
    pub(crate) creatures: Option<CreatureStages>,
}

pub(crate) struct TurningStages {
    pub(crate) begin: Launch,
    pub(crate) end: Launch,
}

pub(crate) struct PairStages {
    pub(crate) find: Launch,
    pub(crate) recall: Launch,
    /// Where masses are scaled and there are no bodies.
    pub(crate) scale_masses: Option<Launch>,
    pub(crate) begin_solve: Launch,
    /// Where overlaps are undone more than once: what pushes particles apart, and what moves them.
    pub(crate) stabilize: Option<[Launch; 2]>,
    /// One per iteration.
    pub(crate) solve: Vec<Launch>,
    /// Contacts with colliders are part of it.
    pub(crate) gather_solve: Launch,
    /// Where grains turn, before it.
    pub(crate) gather_turns: Option<Launch>,
    /// Where particles rebound from each other: what passes between them the first time in a sub-step, and again; what comes of it.
    pub(crate) rebound: Option<[Launch; 3]>,
}

/// What launches are made from.
#[derive(Clone, Copy)]
pub(crate) struct Bound<'a> {
    pub(crate) gpu: &'a Gpu,
    pub(crate) compiled: &'a Compiled,
    pub(crate) arrays: &'a Arrays,
    pub(crate) inputs: &'a Inputs,
    pub(crate) colliders: &'a Colliders,
    pub(crate) shapes: &'a DeviceBodies,
    pub(crate) fluids: Option<&'a Fluids>,
    pub(crate) rows: &'a DeviceRows,
    pub(crate) bends: &'a DeviceBends,
    pub(crate) patches: &'a DevicePatches,
    pub(crate) faces: &'a DeviceFaces,
    pub(crate) balloons: &'a DeviceBalloons,
    pub(crate) pulls: &'a DevicePulls,
    pub(crate) gas: &'a DeviceGas,
    pub(crate) creatures: &'a DeviceCreatures,
    /// What only some particles have, by index of the id.
    pub(crate) optional: &'a OptionalProperties,
    pub(crate) room: &'a Room,
}

impl Bound<'_> {
    /// Whether the world has a feature.
    pub(super) fn has(&self, feature: Features) -> bool {
        self.room.features.has(feature)
    }

    /// A kernel as worlds like this need it, with these constants besides.
    pub(super) fn kernel_with(&self, source: &Source, constants: &[(&'static str, u32)]) -> Kernel {
        let mut all = constants.to_vec();
        all.extend(self.room.features.constants());
        self.compiled.get(source, &all)
    }

    /// The same with the usual number of threads.
    pub(super) fn kernel(&self, source: &Source) -> Kernel {
        self.kernel_with(source, &[("WORKGROUP", WORKGROUP)])
    }

    /// What only some particles have, by index of the id, or a buffer in its place.
    pub(super) fn property(&self, name: &str) -> wgpu::BindingResource<'_> {
        let values = self.optional.values(name);
        values.map_or_else(|| self.params(), Buffer::binding)
    }

    /// Spins likewise.
    pub(super) fn spins(&self) -> wgpu::BindingResource<'_> {
        self.property(SPINS)
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

    /// What finds participants in their slots, once particles are sorted.
    fn locate(&self) -> Option<Launch> {
        let rows = [Features::ROWS, Features::COLORS, Features::BENDS, Features::FACES];
        let lists = [&self.rows.list, &self.bends.list, &self.faces.list];
        rows.into_iter().any(|feature| self.has(feature)).then(|| {
            let mut resources = vec![self.params()];
            resources.extend(lists.iter().map(|list| list.params.binding(0)));
            resources.push(self.arrays.kinds.binding());
            resources.extend(
                lists
                    .iter()
                    .flat_map(|list| [list.numbers.binding(), list.slots.binding()]),
            );
            self.per_particle(&self.kernel(&kernels::LOCATE_PARTICIPANTS), &resources)
        })
    }

    /// One more than there are pairs, for the one that is always zero.
    pub(super) fn per_pair(&self, kernel: &Kernel, resources: &[wgpu::BindingResource<'_>]) -> Launch {
        self.launch(kernel, resources, self.room.pairs + 1)
    }
}

impl Stages {
    /// Kernels may still be compiled when it returns.
    pub(crate) fn new(bound: Bound<'_>) -> Self {
        let Bound {
            arrays: a,
            inputs,
            colliders,
            ..
        } = bound;
        let finish = bound.kernel_with(&kernels::FINISH, &[("WORKGROUP", BLOCK)]);
        let params = || bound.params();
        let rebounds = bound.has(Features::REBOUNDS);
        Self {
            predict: bound.per_particle(
                &bound.kernel(&kernels::PREDICT),
                &[
                    params(),
                    a.vectors.binding(),
                    a.kinds.binding(),
                    inputs.table.binding(),
                    a.cells.binding(),
                    bound.property(TEMPERATURES),
                    bound.creatures.weights.binding(),
                ],
            ),
            fill_cells: bound.per_particle(
                &bound.kernel(&kernels::FILL_CELLS),
                &[params(), a.cells.binding(), a.foreign.binding(), a.owners.binding()],
            ),
            reorder: bound.per_particle(
                &bound.kernel(&kernels::REORDER),
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
            bound_ways: match bound.has(Features::RESTS) {
                true => Some(bound.per_particle(
                    &bound.kernel(&kernels::BOUND_WAYS),
                    &[params(), a.vectors.binding(), a.kinds.binding(), a.owners.binding()],
                )),
                false => None,
            },
            derive_velocities: match rebounds {
                true => Some(bound.per_particle(
                    &bound.kernel(&kernels::DERIVE_VELOCITIES),
                    &[params(), a.vectors.binding()],
                )),
                false => None,
            },
            rebound_colliders: match bound.has(Features::PASSIVE) || bound.has(Features::FLUIDS) {
                true => Some(bound.per_particle(
                    &bound.kernel(&kernels::REBOUND_COLLIDERS),
                    &[
                        params(),
                        a.vectors.binding(),
                        colliders.ranges().binding(),
                        colliders.contacts().binding(),
                        a.kinds.binding(),
                    ],
                )),
                false => None,
            },
            recall_contacts: bound.per_particle(
                &bound.kernel(&kernels::RECALL_CONTACTS),
                &[
                    params(),
                    a.vectors.binding(),
                    a.kinds.binding(),
                    colliders.contacts().binding(),
                    colliders.ranges().binding(),
                    bound.spins(),
                ],
            ),
            finish: (0..colliders.substep_room())
                .map(|substep| {
                    bound.per_particle(
                        &finish,
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
                &bound.kernel(&kernels::TABULATE),
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
            pairs: [PairStages::new(bound, 0), PairStages::new(bound, 1)],
            features: bound.room.features,
            bodies: match bound.has(Features::BODIES) {
                true => Some(BodyStages::new(bound)),
                false => None,
            },
            fluids: bound.fluids.map(|fluids| fluids.stages(bound)),
            locate: bound.locate(),
            rows: RowStages::new(bound),
            bends: BendStages::new(bound),
            patches: PatchStages::new(bound),
            faces: FaceStages::new(bound),
            balloons: BalloonStages::new(bound),
            pulls: PullStages::new(bound),
            gas: GasStages::new(bound),
            creatures: CreatureStages::new(&bound),
            turning: match bound.has(Features::TURNS) {
                true => Some(TurningStages {
                    begin: bound.per_particle(
                        &bound.kernel(&kernels::BEGIN_TURNS),
                        &[params(), a.vectors.binding(), a.kinds.binding(), bound.spins()],
                    ),
                    end: bound.per_particle(
                        &bound.kernel(&kernels::END_TURNS),
                        &[
                            params(),
                            a.vectors.binding(),
                            a.kinds.binding(),
                            inputs.table.binding(),
                            bound.spins(),
                        ],
                    ),
                }),
                false => None,
            },
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
        let params = || bound.params();
        let (set, old) = (&a.pairs[now], &a.pairs[1 - now]);
        let particles = bound.room.particles;
        let fits = |&(most, _): &(usize, usize)| particles <= most;
        let sizes = bound.room.features.has(Features::SIZES);
        let finder = FINDERS
            .iter()
            .position(fits)
            .filter(|_| !sizes)
            .unwrap_or(FINDERS.len() - 1);
        let rests = bound.optional.stored(REST_POSITIONS);
        let find_pairs = match (bound.compiled.variant(), sizes, rests.is_some()) {
            (Variant::Plain, false, false) => kernels::FIND_PAIRS,
            (Variant::Subgroup, false, false) => kernels::FIND_PAIRS_SUBGROUP,
            (Variant::Plain, true, false) => kernels::FIND_SIZED_PAIRS,
            (Variant::Subgroup, true, false) => kernels::FIND_SIZED_PAIRS_SUBGROUP,
            (Variant::Plain, false, true) => kernels::FIND_FILTERED_PAIRS,
            (Variant::Subgroup, false, true) => kernels::FIND_FILTERED_PAIRS_SUBGROUP,
            (Variant::Plain, true, true) => kernels::FIND_FILTERED_SIZED_PAIRS,
            (Variant::Subgroup, true, true) => kernels::FIND_FILTERED_SIZED_PAIRS_SUBGROUP,
        };
        let mut found_by = vec![
            params(),
            a.vectors.binding(),
            a.kinds.binding(),
            a.cells.binding(),
            set.ranges.binding(),
            set.members.binding(),
            a.foreign.binding(),
            a.owners.binding(),
        ];
        found_by.extend(rests.map(Buffer::binding));
        let share = FINDERS[finder].1 as u32;
        let solve_pairs = bound.kernel(&kernels::SOLVE_PAIRS);
        let rebound_pairs = |again: u32| {
            bound.per_pair(
                &bound.kernel_with(&kernels::REBOUND_PAIRS, &[("WORKGROUP", WORKGROUP), ("AGAIN", again)]),
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
            )
        };
        Self {
            find: bound.launch(
                &bound.kernel_with(&find_pairs, &[("WORKGROUP", WORKGROUP), ("SHARE", share)]),
                &found_by,
                particles * FINDERS[finder].1,
            ),
            recall: bound.per_pair(
                &bound.kernel(&kernels::RECALL),
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
            scale_masses: match bound.has(Features::SCALED) && !bound.has(Features::BODIES) {
                true => Some(bound.per_pair(
                    &bound.kernel(&kernels::SCALE_MASSES),
                    &[
                        params(),
                        a.owners.binding(),
                        set.members.binding(),
                        a.vectors.binding(),
                        a.shares.binding(),
                    ],
                )),
                false => None,
            },
            begin_solve: bound.per_half(
                &bound.kernel(&kernels::BEGIN_SOLVE),
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
            stabilize: match bound.has(Features::RESTABILIZED) {
                true => Some([
                    bound.per_pair(
                        &bound.kernel(&kernels::PUSH_APART),
                        &[
                            params(),
                            a.owners.binding(),
                            set.members.binding(),
                            a.vectors.binding(),
                            old.impulses.binding(),
                            set.impulses.binding(),
                        ],
                    ),
                    bound.per_particle(
                        &bound.kernel(&kernels::GATHER_STABILIZATION),
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
                ]),
                false => None,
            },
            solve: (0..inputs.iterations.slots())
                .map(|iteration| {
                    bound.per_pair(
                        &solve_pairs,
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
                &bound.kernel(&kernels::GATHER_SOLVE),
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
            gather_turns: match bound.has(Features::TURNS) {
                true => Some(bound.per_particle(
                    &bound.kernel(&kernels::GATHER_TURNS),
                    &[
                        params(),
                        a.vectors.binding(),
                        set.impulses.binding(),
                        set.ranges.binding(),
                        a.foreign.binding(),
                        a.shares.binding(),
                    ],
                )),
                false => None,
            },
            rebound: match bound.has(Features::IMPACTS) {
                true => Some([
                    rebound_pairs(0),
                    rebound_pairs(1),
                    bound.per_particle(
                        &bound.kernel(&kernels::REBOUND_GATHER),
                        &[
                            params(),
                            old.impulses.binding(),
                            set.ranges.binding(),
                            a.foreign.binding(),
                            a.vectors.binding(),
                        ],
                    ),
                ]),
                false => None,
            },
        }
    }
}
