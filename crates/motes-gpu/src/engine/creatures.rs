//! Creatures on the device: who belongs to what, as motes-core's lists say it, and room for what is known of everything in them throughout a sub-step.
//!
//! Places, velocities, spins and orientations are those of the particles; nothing else outlasts a sub-step.

use bytemuck::Pod;
use motes_core::constraints::contact::REBOUNDS;
use motes_core::constraints::shape_match::{FIRM, gain, largest_gain};
use motes_core::creature::lists::{Lists, NONE, Reverse};
use motes_core::glam::Vec3;
use motes_core::{Creatures, Particles};

use super::creature_records::{
    CreatureEdge, CreatureEntry, CreatureGroup, CreatureMember, CreatureParams, CreaturePart, PartLoad,
};
use super::row_list::{NOBODY, RowParams};
use crate::buffers::{Buffer, Uniforms};
use crate::device::Gpu;
use crate::error::GpuError;

/// What is no ellipsoid; an ellipsoid that turns by itself; one that turns with the rigid part that it is in.
pub(crate) const ROUND: f32 = 0.0;
pub(crate) const ALONE: f32 = 1.0;
pub(crate) const IN_PART: f32 = 2.0;

/// The creatures of a world on the device.
pub(crate) struct DeviceCreatures {
    /// By which `locate_rows` finds the particles.
    pub(super) row_params: Uniforms<RowParams>,
    pub(super) params: Uniforms<CreatureParams>,
    /// The member, and which part of its weight a particle feels, by index of an id.
    pub(super) numbers: Buffer<u32>,
    pub(super) weights: Buffer<f32>,
    /// Slots of the members, plus one.
    pub(super) slots: Buffer<u32>,
    pub(super) members: Buffer<CreatureMember>,
    pub(super) groups: Buffer<CreatureGroup>,
    pub(super) entries: Buffer<CreatureEntry>,
    pub(super) edges: Buffer<CreatureEdge>,
    pub(super) parts: Buffer<CreaturePart>,
    pub(super) loads: Buffer<PartLoad>,
    /// Whether anything rebounded in each round.
    pub(super) rebounded: Buffer<u32>,
    /// What belongs to what: see `CreatureParams`.
    pub(super) links: Buffer<u32>,
    lists: Lists,
    counts: CreatureParams,
    /// Whether the lists are those of the world at present.
    listed: bool,
}

impl DeviceCreatures {
    pub(super) fn new(gpu: &Gpu) -> Result<Self, GpuError> {
        Ok(Self {
            row_params: Uniforms::new(gpu, "row params of creatures", 1)?,
            params: Uniforms::new(gpu, "creature params", 1)?,
            numbers: Buffer::new(gpu, "numbers of members", 1)?,
            weights: Buffer::new(gpu, "weights of members", 1)?,
            slots: Buffer::new(gpu, "slots of members", 1)?,
            members: Buffer::new(gpu, "members of creatures", 1)?,
            groups: Buffer::new(gpu, "neighbourhoods", 1)?,
            entries: Buffer::new(gpu, "entries of neighbourhoods", 1)?,
            edges: Buffer::new(gpu, "edges of creatures", 1)?,
            parts: Buffer::new(gpu, "parts of creatures", 1)?,
            loads: Buffer::new(gpu, "loads of parts", 1)?,
            rebounded: Buffer::new(gpu, "rounds of rebounds", REBOUNDS as usize + 1)?,
            links: Buffer::new(gpu, "links of creatures", 1)?,
            lists: Lists::default(),
            counts: CreatureParams::default(),
            listed: false,
        })
    }

    /// Memory on the device, bytes.
    pub(super) fn bytes(&self) -> u64 {
        self.numbers.bytes()
            + self.weights.bytes()
            + self.slots.bytes()
            + self.members.bytes()
            + self.groups.bytes()
            + self.entries.bytes()
            + self.edges.bytes()
            + self.parts.bytes()
            + self.loads.bytes()
            + self.links.bytes()
    }

    /// Has the lists made anew: the creatures are those of another world.
    pub(super) fn forget(&mut self) {
        self.lists = Lists::default();
        self.listed = false;
    }

    /// Takes note that an index has been given to a new particle.
    pub(super) fn reuse(&mut self, index: u32) {
        if (index as usize) < self.numbers.capacity() {
            self.numbers.write(index as usize, &[NOBODY]);
            self.weights.write(index as usize, &[1.0]);
        }
    }

    /// Members, of which launches are made for as many workgroups as there are creatures.
    pub(super) fn creature_count(&self) -> usize {
        self.counts.creatures as usize
    }

    pub(super) fn part_entry_count(&self) -> usize {
        self.counts.part_entries as usize
    }

    /// Writes what has changed; says whether memory was replaced, or launches have another size.
    pub(super) fn take_over(
        &mut self,
        creatures: &Creatures,
        host: &Particles,
        iterations: u32,
    ) -> Result<bool, GpuError> {
        if creatures.is_empty() && self.counts.creatures == 0 {
            return Ok(false);
        }
        let mut replaced = false;
        let indices = host.index_count();
        if self.lists.update(creatures) || !self.listed || indices > self.numbers.capacity() {
            replaced = self.list(host)?;
            self.listed = true;
        }
        let params = CreatureParams {
            most_gain: largest_gain(iterations),
            ..self.counts
        };
        self.params.write(0, &params);
        self.row_params.write(
            0,
            &RowParams {
                participants: self.lists.members.len() as u32,
                indices: indices as u32,
                ..RowParams::default()
            },
        );
        Ok(replaced)
    }

    fn list(&mut self, host: &Particles) -> Result<bool, GpuError> {
        let lists = &self.lists;
        let before = self.counts;
        let (links, counts) = links(lists);
        let indices = host.index_count();
        let mut replaced = before.creatures != counts.creatures || before.part_entries != counts.part_entries;
        replaced |= self.numbers.ensure(indices)?;
        replaced |= self.weights.ensure(indices)?;
        let mut numbers = vec![NOBODY; self.numbers.capacity()];
        let mut weights = vec![1.0; self.weights.capacity()];
        for (number, known) in (0..).zip(&lists.members) {
            if host.slot(known.particle).is_some() {
                numbers[known.particle.index as usize] = number;
                weights[known.particle.index as usize] = 1.0 - known.buoyancy;
            }
        }
        self.numbers.write(0, &numbers);
        self.weights.write(0, &weights);
        replaced |= self.slots.ensure(lists.members.len())?;
        replaced |= fill(&mut self.links, &links)?;
        replaced |= fill(&mut self.members, &members(lists))?;
        replaced |= fill(&mut self.groups, &groups(lists))?;
        let entries = lists.entries.iter().map(|&member| CreatureEntry {
            member,
            ..CreatureEntry::default()
        });
        replaced |= fill(&mut self.entries, &entries.collect::<Vec<_>>())?;
        let edges = lists.edges.iter().map(|edge| CreatureEdge {
            first: edge.members[0],
            second: edge.members[1],
            rate: rate(edge.torsion),
            ..CreatureEdge::default()
        });
        replaced |= fill(&mut self.edges, &edges.collect::<Vec<_>>())?;
        let parts = lists.parts.iter().map(|part| CreaturePart {
            first: part.first,
            count: part.count,
            ..CreaturePart::default()
        });
        replaced |= fill(&mut self.parts, &parts.collect::<Vec<_>>())?;
        replaced |= self.loads.ensure(lists.part_entries.len())?;
        self.counts = counts;
        Ok(replaced)
    }

    /// Empties what a frame fills: some may have died.
    pub(super) fn begin_frame(&self, encoder: &mut wgpu::CommandEncoder) {
        encoder.clear_buffer(self.slots.raw(), 0, None);
    }
}

fn fill<T: Pod>(buffer: &mut Buffer<T>, values: &[T]) -> Result<bool, GpuError> {
    let replaced = buffer.ensure(values.len())?;
    buffer.write(0, values);
    Ok(replaced)
}

/// The gain of a stiffness in a sub-step of a sixtieth of a second: it grows with the square of the sub-step, but for what gives way to nothing.
fn rate(stiffness: f32) -> f32 {
    let rate = gain(stiffness, 1.0 / 60.0);
    if rate < FIRM { rate } else { f32::MAX }
}

fn members(lists: &Lists) -> Vec<CreatureMember> {
    { lists.members.iter() }
        .map(|known| CreatureMember {
            rest: known.rest.to_array(),
            mass: known.mass,
            rest_rotation: known.rest_rotation.to_array(),
            radii: Vec3::to_array(&known.radii),
            share: known.share,
            part_share: known.part_share,
            neighborhood: if known.neighborhood == NONE {
                NOBODY
            } else {
                known.neighborhood
            },
            index: known.particle.index,
            weight: 1.0 - known.buoyancy,
            ..CreatureMember::default()
        })
        .collect()
}

fn groups(lists: &Lists) -> Vec<CreatureGroup> {
    { lists.neighborhoods.iter() }
        .map(|own| CreatureGroup {
            rate: rate(own.stiffness),
            first: own.first,
            count: own.count,
            ..CreatureGroup::default()
        })
        .collect()
}

/// For each creature first and end of its members, neighbourhoods, edges and parts; then what is in which lists of members.
fn links(lists: &Lists) -> (Vec<u32>, CreatureParams) {
    let mut links = Vec::new();
    for own in &lists.creatures {
        let is_own = |member: u32| own.contains(&(member as usize));
        links.extend([own.start as u32, own.end as u32]);
        links.extend(range(&lists.neighborhoods, |group| {
            is_own(lists.entries[group.first as usize])
        }));
        links.extend(range(&lists.edges, |edge| is_own(edge.members[0])));
        links.extend(range(&lists.parts, |part| {
            part.count > 0 && is_own(lists.part_entries[part.first as usize])
        }));
    }
    let mut add = |values: &[u32]| {
        let first = links.len() as u32;
        links.extend_from_slice(values);
        first
    };
    let mut both = |reverse: &Reverse| [add(&reverse.starts), add(&reverse.entries)];
    let [entry_starts, entry_list] = both(&lists.entries_of);
    let [edge_starts, edge_list] = both(&lists.edges_of);
    let [part_starts, part_list] = both(&lists.parts_of);
    let counts = CreatureParams {
        creatures: lists.creatures.len() as u32,
        entry_starts,
        entry_list,
        edge_starts,
        edge_list,
        part_starts,
        part_list,
        part_members: add(&lists.part_entries),
        part_numbers: add(&lists.part_numbers),
        part_entries: lists.part_entries.len() as u32,
        most_gain: 0.0,
        unused: 0,
    };
    (links, counts)
}

/// First and end of those in a row that belong to a creature; these are side by side.
fn range<T>(all: &[T], is_own: impl Fn(&T) -> bool) -> [u32; 2] {
    let first = all.iter().position(&is_own).unwrap_or(all.len());
    let count = all[first..].iter().take_while(|one| is_own(one)).count();
    [first as u32, (first + count) as u32]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_gain_grows_with_the_square_of_the_sub_step() {
        for stiffness in [0.001, 0.3, 0.99, -40.0] {
            let h = 1.0 / 480.0;
            let expected = gain(stiffness, h);
            let found = rate(stiffness) * (60.0 * h) * (60.0 * h);
            assert!((found / expected - 1.0).abs() < 1e-5, "{found} {expected}");
        }
        assert_eq!(rate(1.0), f32::MAX);
    }

    #[test]
    fn what_belongs_to_a_creature_is_found_side_by_side() {
        assert_eq!(range(&[1, 1, 2, 2, 2, 3], |&one| one == 2), [2, 5]);
        assert_eq!(range(&[1, 3], |&one| one == 2), [2, 2]);
    }
}
