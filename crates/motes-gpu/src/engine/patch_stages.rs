//! The patches of sheets on the device, and the kernels that solve them.

use bytemuck::{Pod, Zeroable};
use motes_core::engine::Frame;
use motes_core::engine::timings::Stage;
use motes_core::glam::Vec3;
use motes_core::store::batch::{ALIVE, Batch};
use motes_core::{ConstraintKind, ConstraintSolver, ParticleId, Particles};

use super::State;
use super::bends::DeviceBends;
use super::features::Features;
use super::patches::{Net, Partition, Patch, PatchRoom};
use super::row_list::{NOBODY, RowList};
use super::rows::DeviceRows;
use super::stages::Bound;
use crate::buffers::{Buffer, Uniforms};
use crate::device::Gpu;
use crate::error::GpuError;
use crate::kernel::{Kernel, Source};
use crate::kernels;
use crate::launch::Launch;

/// Of a particle of a patch: it is owned; its number is among those with curvatures.
pub(crate) const PATCH_OWNED: u32 = 1 << 29;
pub(crate) const PATCH_BENT: u32 = 1 << 28;

/// What the kernel does of an iteration, unless it does both.
pub(crate) const BENDS_ALONE: u32 = 1;
pub(crate) const ROWS_ALONE: u32 = 2;

/// Threads of a workgroup, which has a patch.
const THREADS: u32 = 256;

/// How many there are in all patches: `PatchParams` in `lib/patch.wgsl`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct PatchParams {
    pub(crate) members: u32,
    pub(crate) rows: u32,
    pub(crate) bends: u32,
    pub(crate) unused: u32,
}

/// How a curvature of a patch answers in a sub-step: `PatchBend` in `lib/patch.wgsl`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct PatchBend {
    pub(crate) locals: [u32; 2],
    pub(crate) rest: f32,
    pub(crate) compliance: f32,
    pub(crate) weights: [f32; 4],
}

/// What patches follow from: how often rows were added, and participants numbered anew, of distances and of curvatures.
type Key = [u64; 4];

/// The patches of a world on the device.
pub(crate) struct DevicePatches {
    params: Uniforms<PatchParams>,
    patches: Buffer<Patch>,
    members: Buffer<u32>,
    rows: Buffer<[u32; 2]>,
    bends: Buffer<[u32; 4]>,
    lists: Buffer<u32>,
    /// In the sub-step: slots of members, and what distances and curvatures need and have done.
    slots: Buffer<u32>,
    row_work: Buffer<[u32; 4]>,
    row_states: Buffer<[f32; 2]>,
    bend_work: Buffer<PatchBend>,
    bend_states: Buffer<[f32; 4]>,
    /// How many there are.
    counts: PatchParams,
    count: usize,
    room: PatchRoom,
    /// Places in the store of the distances and curvatures of patches.
    places: [Vec<u32>; 2],
    made_from: Option<Key>,
}

impl DevicePatches {
    pub(super) fn new(gpu: &Gpu) -> Result<Self, GpuError> {
        Ok(Self {
            params: Uniforms::new(gpu, "patch params", 1)?,
            patches: Buffer::new(gpu, "patches", 1)?,
            members: Buffer::new(gpu, "members of patches", 1)?,
            rows: Buffer::new(gpu, "distances of patches", 1)?,
            bends: Buffer::new(gpu, "curvatures of patches", 1)?,
            lists: Buffer::new(gpu, "lists of patches", 1)?,
            slots: Buffer::new(gpu, "slots of patches", 1)?,
            row_work: Buffer::new(gpu, "work on distances", 1)?,
            row_states: Buffer::new(gpu, "impulses of distances", 1)?,
            bend_work: Buffer::new(gpu, "work on curvatures of patches", 1)?,
            bend_states: Buffer::new(gpu, "impulses of curvatures of patches", 1)?,
            counts: PatchParams::default(),
            count: 0,
            room: PatchRoom::default(),
            places: Default::default(),
            made_from: None,
        })
    }

    /// Memory on the device, bytes.
    pub(super) fn bytes(&self) -> u64 {
        self.patches.bytes()
            + self.members.bytes()
            + self.rows.bytes()
            + self.bends.bytes()
            + self.lists.bytes()
            + self.slots.bytes()
            + self.row_work.bytes()
            + self.row_states.bytes()
            + self.bend_work.bytes()
            + self.bend_states.bytes()
    }

    /// Whether the rows of the world are in patches.
    pub(super) fn are_there(&self) -> bool {
        self.count > 0
    }

    /// Goes without patches; says whether there were any.
    fn forget(&mut self) -> bool {
        self.made_from = None;
        std::mem::take(&mut self.count) > 0
    }

    fn take(&mut self, made: &Partition) -> Result<(), GpuError> {
        self.counts = PatchParams {
            members: made.members.len() as u32,
            rows: made.rows.len() as u32,
            bends: made.bends.len() as u32,
            unused: 0,
        };
        self.count = made.patches.len();
        self.params.write(0, &self.counts);
        self.patches.ensure(made.patches.len())?;
        self.members.ensure(made.members.len())?;
        self.rows.ensure(made.rows.len())?;
        self.bends.ensure(made.bends.len())?;
        self.lists.ensure(made.lists.len())?;
        self.slots.ensure(made.members.len())?;
        self.row_work.ensure(made.rows.len())?;
        self.row_states.ensure(made.rows.len())?;
        self.bend_work.ensure(made.bends.len())?;
        self.bend_states.ensure(made.bends.len())?;
        self.patches.write(0, &made.patches);
        self.members.write(0, &made.members);
        self.rows.write(0, &made.rows);
        self.bends.write(0, &made.bends);
        self.lists.write(0, &made.lists);
        self.places = [
            made.rows.iter().map(|row| row[0]).collect(),
            made.bends.iter().map(|bend| bend[0]).collect(),
        ];
        Ok(())
    }

    /// Writes to the store what distances did in the last sub-step.
    pub(super) fn read_rows(&self, batch: &mut Batch) -> Result<(), GpuError> {
        let states = self.row_states.read(0..self.places[0].len())?.wait()?;
        for (&row, [impulse, _]) in self.places[0].iter().zip(states) {
            let alive = batch.states()[row as usize] & ALIVE != 0;
            batch.impulses_mut()[row as usize] = if alive { impulse } else { 0.0 };
        }
        Ok(())
    }

    /// The same of curvatures.
    pub(super) fn read_bends(&self, batch: &mut Batch) -> Result<(), GpuError> {
        let states = self.bend_states.read(0..self.places[1].len())?.wait()?;
        for (&row, [x, y, z, _]) in self.places[1].iter().zip(states) {
            let alive = batch.states()[row as usize] & ALIVE != 0;
            batch.impulses_mut()[row as usize] = if alive { Vec3::new(x, y, z).length() } else { 0.0 };
        }
        Ok(())
    }
}

impl State {
    /// Records an iteration over curvatures and distances.
    pub(super) fn solve_rows(&mut self, iteration: usize) {
        let (substep, first) = (self.substep, iteration == 0);
        let in_patches = self.stages.as_ref().is_some_and(|stages| stages.patches.is_some());
        if !in_patches {
            self.record_bends(Stage::SolveRows, |bends, pass| bends.solve(substep, first, pass));
            self.record_rows(Stage::SolveRows, |rows, pass| rows.solve(iteration, pass));
            return;
        }
        if !first {
            self.record_patches(|patches, pass| patches.solve(iteration, pass));
            return;
        }
        self.record_bends(Stage::SolveRows, |bends, pass| bends.divide(substep, pass));
        self.record_patches(|patches, pass| patches.begin_bends(substep, pass));
        self.record_rows(Stage::SolveRows, |rows, pass| rows.divide(pass));
        self.record_patches(|patches, pass| patches.begin_rows(pass));
    }

    fn record_patches(&mut self, work: impl FnOnce(&PatchStages, &mut wgpu::ComputePass<'_>)) {
        self.record(Stage::SolveRows, |stages, _, pass| {
            if let Some(patches) = &stages.patches {
                work(patches, pass);
            }
        });
    }

    /// Cuts sheets into patches, where they are solved all at once and do not tear; says whether launches have to be made anew.
    pub(super) fn take_over_patches(&mut self, frame: &Frame) -> Result<bool, GpuError> {
        let [distances, bends] =
            [ConstraintKind::Distance, ConstraintKind::Bending].map(|kind| self.constraints.batch(kind));
        let fit = frame.settings.constraint_solver == ConstraintSolver::Jacobi
            && frame.solids
            && self.rows.hauling.bodies == 0
            && !distances.can_tear()
            && !self.rows.fragile
            && !self.rows.strands.are_there()
            // Where bodies move particles after contacts it takes two launches, as without patches.
            && (self.bodies.is_empty() || !bends.is_empty());
        if !fit || distances.is_empty() && bends.is_empty() {
            return Ok(self.patches.forget());
        }
        let numberings = [&self.rows.list, &self.bends.list].map(RowList::numbering);
        let key = [distances.additions(), bends.additions(), numberings[0], numberings[1]];
        if self.patches.made_from == Some(key) {
            return Ok(false);
        }
        let (net, members) = net_of(&self.rows, &self.bends, [distances, bends], &self.host);
        let Some((room, mut made)) = net.partition() else {
            let were_there = self.patches.forget();
            self.patches.made_from = Some(key);
            return Ok(were_there);
        };
        for patch in &made.patches {
            let (first, owned) = (patch.first as usize, patch.owned as usize);
            for (place, member) in made.members[first..first + patch.locals as usize]
                .iter_mut()
                .enumerate()
            {
                *member = members[*member as usize] | if place < owned { PATCH_OWNED } else { 0 };
            }
        }
        self.patches.take(&made)?;
        self.patches.room = room;
        self.patches.made_from = Some(key);
        Ok(true)
    }
}

/// Who is joined to whom, and what `members` of patches say of each.
fn net_of(rows: &DeviceRows, bends: &DeviceBends, batches: [&Batch; 2], particles: &Particles) -> (Net, Vec<u32>) {
    let mut net = Net::default();
    let mut members = Vec::new();
    let mut number_of = vec![NOBODY; rows.list.indices().max(bends.list.indices())];
    for (list, bent) in [(&rows.list, 0), (&bends.list, PATCH_BENT)] {
        for (participant, id) in list.present() {
            let number = &mut number_of[id.index as usize];
            if *number == NOBODY {
                *number = members.len() as u32;
                members.push(participant | bent);
                // One that is about to be split off another has no place yet.
                let place = particles.slot(id).map(|slot| particles.positions[slot].truncate());
                net.places.push(place.unwrap_or_default());
            }
        }
    }
    let number = |id: ParticleId| number_of[id.index as usize];
    let known = |numbers: &[u32]| !numbers.contains(&NOBODY);
    let [distances, curvatures] = batches;
    let living = |batch: &'_ Batch| batch.ids().map(|id| id.index).collect::<Vec<u32>>();
    for row in living(distances) {
        if let &[a, b] = distances.particles_of(row as usize)
            && known(&[a, b].map(number))
        {
            net.rows.push((row, [a, b].map(number)));
        }
    }
    for row in living(curvatures) {
        if let &[a, b, c, d] = curvatures.particles_of(row as usize)
            && known(&[a, b, c, d].map(number))
        {
            net.bends.push((row, [a, b, c, d].map(number)));
            net.weights.push(curvatures.weights()[row as usize]);
        }
    }
    (net, members)
}

/// Launches for the patches of a world.
pub(crate) struct PatchStages {
    locate: Launch,
    /// The first time in a sub-step, of distances.
    respond: Option<Launch>,
    /// The first time in a frame, of curvatures: neither their weights nor masses change within it.
    respond_bends: Option<Launch>,
    /// The first iteration, of curvatures and then, once it is known how masses are shared among distances, of these.
    begin: [Option<Launch>; 2],
    /// One for each iteration.
    solve: Vec<Launch>,
    /// Particles move between contacts and curvatures.
    moves: bool,
}

impl PatchStages {
    /// None without patches.
    pub(crate) fn new(bound: Bound<'_>) -> Option<Self> {
        if !bound.has(Features::PATCHES) {
            return None;
        }
        let (d, rows, bends) = (bound.patches, bound.rows, bound.bends);
        let (params, patch_params) = (|| bound.params(), || d.params.binding(0));
        let (vectors, slots) = (|| bound.arrays.vectors.binding(), || d.slots.binding());
        let launch = |source: &Source, resources: &[wgpu::BindingResource<'_>], threads: u32| {
            bound.launch(&bound.kernel(source), resources, threads as usize)
        };
        let locate = launch(
            &kernels::LOCATE_PATCHES,
            &[
                params(),
                d.members.binding(),
                rows.list.slots.binding(),
                bends.list.slots.binding(),
                slots(),
                vectors(),
                patch_params(),
            ],
            d.counts.members,
        );
        let respond = (d.counts.rows > 0).then(|| {
            launch(
                &kernels::RESPOND_PATCH_ROWS,
                &[
                    params(),
                    patch_params(),
                    d.rows.binding(),
                    rows.list.rows.binding(),
                    rows.list.ends_of_row.binding(),
                    rows.list.slots.binding(),
                    rows.mobilities.binding(),
                    rows.ends.binding(),
                    d.row_work.binding(),
                ],
                d.counts.rows,
            )
        });
        let respond_bends = (d.counts.bends > 0).then(|| {
            launch(
                &kernels::RESPOND_PATCH_BENDS,
                &[
                    params(),
                    patch_params(),
                    vectors(),
                    bends.list.slots.binding(),
                    bends.list.rows.binding(),
                    bends.weights.binding(),
                    bends.totals.binding(),
                    d.bends.binding(),
                    d.bend_work.binding(),
                    d.bend_states.binding(),
                ],
                d.counts.bends,
            )
        });
        let kernel = |first: u32, does: u32| {
            let PatchRoom { locals, notes } = d.room;
            let constants = [
                ("WORKGROUP", THREADS),
                ("FIRST", first),
                ("DOES", does),
                ("LOCALS", locals as u32),
                ("ROW_NOTES", notes as u32),
            ];
            bound.kernel_with(&kernels::SOLVE_PATCHES, &constants)
        };
        let iterations = &bound.inputs.iterations;
        let solve = |kernel: &Kernel, iteration: usize| {
            let resources = [
                params(),
                iterations.binding(iteration),
                vectors(),
                d.patches.binding(),
                slots(),
                d.lists.binding(),
                d.row_work.binding(),
                d.row_states.binding(),
                d.bend_work.binding(),
                d.bend_states.binding(),
            ];
            Launch::new(bound.gpu, kernel, &resources, d.count)
        };
        let alone = [(BENDS_ALONE, d.counts.bends), (ROWS_ALONE, d.counts.rows)];
        let begin = alone.map(|(does, count)| (count > 0).then(|| solve(&kernel(1, does), 0)));
        let both = kernel(0, 0);
        Some(Self {
            begin,
            solve: (0..iterations.slots())
                .map(|iteration| solve(&both, iteration))
                .collect(),
            locate,
            respond,
            respond_bends,
            moves: bound.has(Features::BODIES),
        })
    }

    /// The first iteration over curvatures in a sub-step.
    fn begin_bends(&self, substep: u32, pass: &mut wgpu::ComputePass<'_>) {
        let [bends, _] = &self.begin;
        if let Some(bends) = bends {
            self.locate.encode(pass);
            let respond = self.respond_bends.iter().filter(|_| substep == 0);
            respond.for_each(|launch| launch.encode(pass));
            bends.encode(pass);
        }
    }

    /// The first iteration over distances in a sub-step, once it is known how mobile participants are.
    fn begin_rows(&self, pass: &mut wgpu::ComputePass<'_>) {
        self.locate.encode(pass);
        let [_, rows] = &self.begin;
        self.respond.iter().chain(rows).for_each(|launch| launch.encode(pass));
    }

    /// Another iteration.
    fn solve(&self, iteration: usize, pass: &mut wgpu::ComputePass<'_>) {
        if self.moves {
            self.locate.encode(pass);
        }
        self.solve[iteration].encode(pass);
    }
}
