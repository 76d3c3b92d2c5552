//! Colliders on the device: contacts of particles with them, what they receive, and who is inside triggers.
//!
//! The shapes, the swept query and its constants are those of `motes_core::colliders`; the kernels say the same in WGSL.

mod bindings;
pub(crate) mod cells;
mod contact;
mod forces;
mod params;
pub(crate) mod pool;
pub(crate) mod shapes;

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use motes_core::engine::Frame;
use motes_core::glam::Vec4;

use crate::buffers::Buffer;
use crate::device::Gpu;
use crate::error::GpuError;
use crate::kernel::Kernel;
use crate::kernels;
use bindings::Bindings;
use forces::{Forces, Sources};
use params::Params;
use pool::Pool;

pub use contact::{ColliderContact, ParticleBuffers};
pub(crate) use forces::BLOCK;
pub use forces::ForceSum;
pub use params::ColliderParams;

/// Threads of a workgroup: small, so that few particles keep a large GPU busy.
const WORKGROUP: u32 = 128;

/// Up to how many particles how many threads have each.
const FINDERS: [(usize, u32); 2] = [(1 << 15, 8), (1 << 17, 4)];

/// The colliders of a world on the device.
#[derive(Debug)]
pub struct Colliders {
    gpu: Gpu,
    /// By the kinds of shapes they know, and how many threads have a particle.
    finders: HashMap<(u32, u32), Kernel>,
    /// Threads that a particle has, and how many it shall have, if somebody said so.
    share: u32,
    wanted_share: Option<u32>,
    overlap_finders: HashMap<u32, Kernel>,
    pool: Pool,
    params: Params,
    contacts: Buffer<ColliderContact>,
    ranges: Buffer<[u32; 2]>,
    overlaps: Buffer<[u32; 2]>,
    counters: Buffer<u32>,
    forces: Forces,
    contact_bindings: Bindings,
    overlap_bindings: Bindings,
    /// Kinds of shapes of solids and of triggers that the bindings are for.
    bound_kinds: [u32; 2],
}

impl Colliders {
    /// No colliders.
    pub fn new(gpu: &Gpu) -> Result<Self, GpuError> {
        Ok(Self {
            finders: HashMap::new(),
            share: 1,
            wanted_share: None,
            overlap_finders: HashMap::new(),
            pool: Pool::new(gpu)?,
            params: Params::new(gpu)?,
            contacts: Buffer::new(gpu, "collider contacts", 1)?,
            ranges: Buffer::new(gpu, "collider contact ranges", 1)?,
            overlaps: Buffer::new(gpu, "trigger overlaps", 1)?,
            counters: Buffer::new(gpu, "collider counters", 2)?,
            forces: Forces::new(gpu)?,
            contact_bindings: Bindings::default(),
            overlap_bindings: Bindings::default(),
            bound_kinds: [0; 2],
            gpu: gpu.clone(),
        })
    }

    /// Has so many threads look for the contacts of each particle, a power of two up to 32, from the next frame on; otherwise it
    /// depends on the device, the shapes and the number of particles. The contacts are the same.
    pub fn share_particles(&mut self, threads: Option<u32>) {
        self.wanted_share = threads.map(|threads| threads.clamp(1, 32).next_power_of_two());
    }

    /// Takes over the colliders of a frame; says whether buffers were replaced, so that they must be bound again.
    ///
    /// There is room for at least one contact per particle in small worlds, for one in five particles beyond that, and
    /// for as many as earlier frames needed, as far as [`Self::learn`] was told.
    pub fn begin_frame(&mut self, frame: &Frame, substeps: u32, particles: usize) -> Result<bool, GpuError> {
        let replaced = self.take_over(frame, substeps, particles)?;
        self.wait()?;
        self.counters.write(0, &vec![0; self.counters.capacity()]);
        Ok(replaced)
    }

    /// The same for those who set the counters to zero on the device and [`Self::wait`] for the kernels.
    pub(crate) fn take_over(&mut self, frame: &Frame, substeps: u32, particles: usize) -> Result<bool, GpuError> {
        let counters = 2 * (substeps as usize + 1);
        let mut replaced = self.pool.fill(frame, substeps)?;
        replaced |= self.contacts.ensure_exactly(first_room(particles))?;
        replaced |= self.ranges.ensure_exactly(particles)?;
        replaced |= self.counters.ensure(counters)?;
        replaced |= self.forces.begin_frame(particles, frame.colliders.len())?;
        if self.pool.layout().triggers > 0 {
            replaced |= self.overlaps.ensure(particles)?;
        }
        let capacity = [self.contacts.capacity(), self.overlaps.capacity()];
        replaced |= self.params.fill(frame, substeps, self.pool.layout(), capacity)?;
        if replaced {
            self.forget();
        }
        self.compile(particles);
        Ok(replaced)
    }

    /// Makes room for contacts from the next frame on; says whether buffers were replaced.
    pub fn reserve(&mut self, contacts: usize) -> Result<bool, GpuError> {
        let replaced = self.contacts.ensure_exactly(contacts)?;
        if replaced {
            self.forget();
        }
        Ok(replaced)
    }

    /// Makes room for as many contacts as the counters of an earlier frame call for, and says how many found none there.
    /// Buffers may be replaced.
    pub fn learn(&mut self, counters: &[u32]) -> Result<u64, GpuError> {
        let substeps = counters.chunks_exact(2).take(self.params.substeps());
        let used = substeps.clone().map(|counts| counts[0] as usize).max().unwrap_or(0);
        if used > self.contacts.capacity() / 4 * 3 {
            self.reserve(used + used / 2)?;
        }
        Ok(substeps.map(|counts| u64::from(counts[1])).sum())
    }

    /// Has the number of particles, in all of the frame, taken from the start of `count` when `encoder` gets there. What
    /// else is told of it only sizes launches.
    pub(crate) fn take_count(&self, encoder: &mut wgpu::CommandEncoder, count: &Buffer<u32>) {
        self.params.take_count(encoder, count);
    }

    /// Ends what [`Self::take_count`] began.
    pub(crate) fn forget_count(&mut self) {
        self.params.forget_count();
    }

    /// Finds the contacts of a sub-step.
    pub fn find(&mut self, pass: &mut wgpu::ComputePass<'_>, substep: u32, particles: &ParticleBuffers<'_>) {
        let slot = substep as usize;
        self.params.set_count(slot, particles.count);
        let Some(kernel) = self.finders.get(&(self.pool.solid_kinds(), self.share)) else {
            return;
        };
        let ParticleBuffers {
            positions,
            predicted,
            kinds,
            ..
        } = particles;
        let given = [positions.raw(), predicted.raw(), kinds.raw()];
        let bindings = self.contact_bindings.get(slot, given, || {
            let mut resources = vec![
                self.params.binding(slot),
                positions.binding(),
                predicted.binding(),
                kinds.binding(),
                self.pool.words().binding(),
                self.contacts.binding(),
                self.ranges.binding(),
                self.counters.binding(),
            ];
            if self.pool.solid_kinds() & shapes::SHELLS != 0 {
                resources.push(self.pool.words().binding());
            }
            kernel.bind(&self.gpu, &resources)
        });
        kernel.launch(pass, bindings, particles.count * self.share);
    }

    /// Adds up what the contacts of a sub-step, found and solved before, did to the colliders. For those who have no
    /// kernel that does so by the way, with `lib/collider_sum.wgsl`.
    pub fn sum(&mut self, pass: &mut wgpu::ComputePass<'_>, substep: u32, count: u32) {
        let slot = substep as usize;
        self.params.set_count(slot, count);
        let sources = Sources {
            params: self.params.binding(slot),
            ranges: self.ranges.raw(),
            contacts: self.contacts.raw(),
            pool: self.pool.words().raw(),
        };
        self.forces.sum(pass, slot, count, sources);
    }

    /// Completes the sums of the frame, after its last sub-step.
    pub fn total(&mut self, pass: &mut wgpu::ComputePass<'_>) {
        let slot = self.params.substeps() - 1;
        self.forces.total(pass, slot, self.params.binding(slot));
    }

    /// Finds the particles inside triggers, with the triggers where they are at the end of the frame.
    pub fn find_overlaps(
        &mut self,
        pass: &mut wgpu::ComputePass<'_>,
        count: u32,
        positions: &Buffer<Vec4>,
        kinds: &Buffer<[u32; 4]>,
    ) {
        let slot = self.params.substeps();
        self.params.set_count(slot, count);
        self.params.set_overlap_capacity(self.overlaps.capacity());
        let kernel = self.overlap_finders.get(&self.pool.trigger_kinds());
        let (Some(kernel), true) = (kernel, self.pool.layout().triggers > 0) else {
            return;
        };
        let given = [positions.raw(), kinds.raw()];
        let bindings = self.overlap_bindings.get(slot, given, || {
            let resources = [
                self.params.binding(slot),
                positions.binding(),
                kinds.binding(),
                self.pool.words().binding(),
                self.pool.words().binding(),
                self.overlaps.binding(),
                self.counters.binding(),
            ];
            kernel.bind(&self.gpu, &resources)
        });
        kernel.launch(pass, bindings, count);
    }

    /// Makes room for overlaps and sets their counters to zero, to find them again when there was too little.
    pub fn reserve_overlaps(&mut self, overlaps: usize) -> Result<(), GpuError> {
        if self.overlaps.ensure(overlaps)? {
            self.overlap_bindings.clear();
        }
        self.counters.write(self.overlap_counters(), &[0, 0]);
        Ok(())
    }

    /// The contacts of the sub-step whose contacts were found last, in runs.
    pub fn contacts(&self) -> &Buffer<ColliderContact> {
        &self.contacts
    }

    /// Start and length of each particle's run of contacts.
    pub fn ranges(&self) -> &Buffer<[u32; 2]> {
        &self.ranges
    }

    /// Sums of the frame, by place among its colliders.
    pub fn forces(&self) -> &Buffer<ForceSum> {
        self.forces.totals()
    }

    /// Place of the collider and number of the particle for each overlap, in any order.
    pub fn overlaps(&self) -> &Buffer<[u32; 2]> {
        &self.overlaps
    }

    /// For each sub-step of the frame, the room its contacts took and the contacts that found none; from
    /// [`Self::overlap_counters`] on, the overlaps and those of them that found no room.
    pub fn counters(&self) -> &Buffer<u32> {
        &self.counters
    }

    /// Place of the two numbers about overlaps among the counters.
    pub fn overlap_counters(&self) -> usize {
        2 * self.params.substeps()
    }

    /// Kinds of shapes that are no triggers.
    pub(crate) fn solid_kinds(&self) -> u32 {
        self.pool.solid_kinds()
    }

    /// Records, shapes and coefficients.
    pub fn pool(&self) -> &Buffer<u32> {
        self.pool.words()
    }

    /// Sums of the frame so far, by block of particles and by place among the colliders.
    pub(crate) fn block_sums(&self) -> &Buffer<ForceSum> {
        self.forces.block_sums()
    }

    /// Sub-steps that [`Self::params`] has room for.
    pub(crate) fn substep_room(&self) -> u32 {
        self.params.slots() as u32 - 1
    }

    /// The [`ColliderParams`] of a sub-step.
    pub fn params(&self, substep: u32) -> wgpu::BindingResource<'_> {
        self.params.binding(substep as usize)
    }

    /// Memory on the device, bytes.
    pub fn bytes(&self) -> u64 {
        self.pool.words().bytes()
            + self.contacts.bytes()
            + self.ranges.bytes()
            + self.overlaps.bytes()
            + self.counters.bytes()
            + self.forces.bytes()
    }

    fn forget(&mut self) {
        self.contact_bindings.clear();
        self.overlap_bindings.clear();
        self.forces.forget();
    }

    /// Compiles the kernels for the kinds of shapes there are; drivers do well when they need not think of the others.
    fn compile(&mut self, particles: usize) {
        let kinds = [self.pool.solid_kinds(), self.pool.trigger_kinds()];
        let usual = if self.gpu.is_software() {
            1
        } else {
            usual_share(kinds[0], particles)
        };
        let share = self.wanted_share.unwrap_or(usual);
        if share != self.share {
            self.contact_bindings.clear();
            self.share = share;
        }
        let constants = |kinds, share| [("SHAPES", kinds), ("WORKGROUP", WORKGROUP), ("SHARE", share)];
        if let Entry::Vacant(place) = self.finders.entry((kinds[0], share)) {
            let source = match kinds[0] & shapes::SHELLS != 0 {
                false => kernels::FIND_SOLID_CONTACTS,
                true if share > 1 => kernels::FIND_SHARED_CONTACTS,
                true => kernels::FIND_CONTACTS,
            };
            let constants = constants(kinds[0], share);
            place.insert(Kernel::begin(&self.gpu, &source, &constants));
        }
        if self.pool.layout().triggers > 0
            && let Entry::Vacant(place) = self.overlap_finders.entry(kinds[1])
        {
            let constants = constants(kinds[1], 1);
            place.insert(Kernel::begin(&self.gpu, &kernels::FIND_OVERLAPS, &constants[..2]));
        }
        if self.bound_kinds != kinds {
            self.contact_bindings.clear();
            self.overlap_bindings.clear();
            self.bound_kinds = kinds;
        }
    }

    /// Waits until the kernels are compiled; the error of one that cannot be.
    pub(crate) fn wait(&self) -> Result<(), GpuError> {
        let mut kernels = self.finders.values().chain(self.overlap_finders.values());
        kernels.try_for_each(Kernel::check)?;
        self.forces.wait()
    }
}

impl Drop for Colliders {
    fn drop(&mut self) {
        // A program that ends while its driver compiles may crash.
        let _ = self.wait();
    }
}

/// Threads that have one particle together: several where there are surfaces of triangles and so few particles that a
/// device would be idle otherwise. A driver that computes on the CPU never is.
fn usual_share(kinds: u32, particles: usize) -> u32 {
    match FINDERS.iter().find(|&&(most, _)| particles <= most) {
        Some(&(_, threads)) if kinds & shapes::SHELLS != 0 => threads,
        _ => 1,
    }
}

/// Room for contacts before any were counted. A few particles may all lie in corners; of many, most lie deep in piles, where no
/// collider is.
fn first_room(particles: usize) -> usize {
    const FEW: usize = 1 << 12;
    const SOME: usize = 1 << 14;
    const MANY: usize = 1 << 20;
    let between = particles.min(MANY).saturating_sub(SOME);
    particles.min(SOME) + 3 * particles.min(FEW) + between / 5 + particles.saturating_sub(MANY) / 8
}
