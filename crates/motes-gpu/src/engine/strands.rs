//! Strands on the device: rows that follow one another, which a workgroup each tightens after every iteration.

use motes_core::ParticleId;
use motes_core::glam::Vec4;
use motes_core::store::batch::Batch;
use motes_core::store::strands::{LONGEST, Strand, strands_of};

use super::features::Features;
use super::stages::Bound;
use crate::buffers::Buffer;
use crate::device::Gpu;
use crate::error::GpuError;
use crate::kernels;
use crate::launch::Launch;

/// A row that leads from its second particle to its first.
pub(crate) const BACKWARDS: u32 = 1 << 30;

/// The strands of a world on the device.
pub(super) struct DeviceStrands {
    /// How many there are, and where the rows and participants of each are: see `solve_strands.wgsl`.
    lists: Buffer<u32>,
    /// The participants at which several end, and which ends these are: see `join_strands.wgsl`.
    joints: Buffer<u32>,
    end_moves: Buffer<Vec4>,
    count: usize,
    joint_count: usize,
    /// How often rows were added and participants numbered anew when they were found; none while they are not wanted.
    found_at: Option<[u64; 2]>,
}

impl DeviceStrands {
    pub(super) fn new(gpu: &Gpu) -> Result<Self, GpuError> {
        Ok(Self {
            lists: Buffer::new(gpu, "strands", 1)?,
            joints: Buffer::new(gpu, "joints of strands", 1)?,
            end_moves: Buffer::new(gpu, "moves of ends of strands", 1)?,
            count: 0,
            joint_count: 0,
            found_at: None,
        })
    }

    /// Memory on the device, bytes.
    pub(super) fn bytes(&self) -> u64 {
        self.lists.bytes() + self.joints.bytes() + self.end_moves.bytes()
    }

    /// Whether there are any.
    pub(super) fn are_there(&self) -> bool {
        self.count > 0
    }

    /// Finds them anew if rows were added, given the participant with an index of an id; says whether launches have to be made anew.
    pub(super) fn take_over(
        &mut self,
        batch: &Batch,
        numbering: u64,
        wanted: bool,
        number_of: impl Fn(ParticleId) -> u32,
    ) -> Result<bool, GpuError> {
        let key = wanted.then(|| [batch.additions(), numbering]);
        if self.found_at == key {
            return Ok(false);
        }
        self.found_at = key;
        let found = if wanted { strands_of(batch) } else { Vec::new() };
        let before = (self.count, self.joint_count);
        let Listed { lists, joints } = list(batch, &found, number_of);
        self.count = found.len();
        self.joint_count = joints.first().map_or(0, |&count| count as usize);
        let mut replaced = self.lists.ensure(lists.len())?;
        replaced |= self.joints.ensure(joints.len())?;
        replaced |= self.end_moves.ensure(2 * found.len())?;
        self.lists.write(0, &lists);
        self.joints.write(0, &joints);
        Ok(replaced || before != (self.count, self.joint_count))
    }

    /// What tightens them, and moves what several end at.
    pub(super) fn launches(&self, bound: Bound<'_>) -> Vec<Launch> {
        let rows = bound.rows;
        let mut launches = Vec::new();
        if self.count > 0 {
            let constants = [
                ("WORKGROUP", LONGEST as u32 + 1),
                ("COLORED", u32::from(bound.has(Features::COLORS))),
            ];
            let resources = [
                bound.params(),
                bound.arrays.vectors.binding(),
                rows.list.slots.binding(),
                self.lists.binding(),
                rows.ends.binding(),
                rows.list.ends_of_row.binding(),
                rows.impulses.binding(),
                rows.changes.binding(),
                self.end_moves.binding(),
            ];
            let kernel = bound.kernel_with(&kernels::SOLVE_STRANDS, &constants);
            launches.push(Launch::new(bound.gpu, &kernel, &resources, self.count));
        }
        if self.joint_count > 0 {
            let resources = [
                bound.params(),
                bound.arrays.vectors.binding(),
                rows.list.slots.binding(),
                self.joints.binding(),
                self.end_moves.binding(),
            ];
            launches.push(bound.launch(&bound.kernel(&kernels::JOIN_STRANDS), &resources, self.joint_count));
        }
        launches
    }
}

/// Strands as kernels read them.
struct Listed {
    lists: Vec<u32>,
    joints: Vec<u32>,
}

fn list(batch: &Batch, strands: &[Strand], number_of: impl Fn(ParticleId) -> u32) -> Listed {
    let ends = |strand: &Strand| [0, strand.rows.len()].map(|end| number_of(strand.particles[end]));
    let mut joints: Vec<(u32, u32)> = (0..)
        .zip(strands.iter().flat_map(ends))
        .map(|(end, participant)| (participant, end))
        .collect();
    joints.sort_unstable();
    let mut lists = vec![strands.len() as u32];
    let mut next = 1 + 4 * strands.len() as u32;
    for strand in strands {
        let sharing = ends(strand).map(|participant| {
            let first = joints.partition_point(|&(other, _)| other < participant);
            joints[first..]
                .iter()
                .take_while(|&&(other, _)| other == participant)
                .count() as u32
        });
        let rows = strand.rows.len() as u32;
        lists.extend([next, rows, next + rows, sharing[0] | sharing[1] << 16]);
        next += 2 * rows + 1;
    }
    for strand in strands {
        for (row, from) in strand.rows.iter().zip(&strand.particles) {
            let forwards = batch.particles_of(*row as usize)[0] == *from;
            lists.push(if forwards { *row } else { *row | BACKWARDS });
        }
        lists.extend(strand.particles.iter().map(|&id| number_of(id)));
    }
    let shared: Vec<&[(u32, u32)]> = joints.chunk_by(|a, b| a.0 == b.0).filter(|own| own.len() > 1).collect();
    let mut packed = vec![shared.len() as u32];
    let mut next = 1 + 3 * shared.len() as u32;
    for own in &shared {
        packed.extend([own[0].0, next, own.len() as u32]);
        next += own.len() as u32;
    }
    packed.extend(shared.iter().flat_map(|own| own.iter().map(|&(_, end)| end)));
    Listed { lists, joints: packed }
}
