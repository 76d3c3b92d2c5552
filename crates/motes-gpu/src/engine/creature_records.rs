//! What the device knows of everything in creatures, as kernels read it.

use bytemuck::{Pod, Zeroable};

/// A column of a matrix, with what fills it up.
type Column = [f32; 4];

/// How many there are, and where the parts of the list of links begin: `CreatureParams` in `lib/creature_records.wgsl`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct CreatureParams {
    pub(crate) creatures: u32,
    pub(crate) entry_starts: u32,
    pub(crate) entry_list: u32,
    pub(crate) edge_starts: u32,
    pub(crate) edge_list: u32,
    pub(crate) part_starts: u32,
    pub(crate) part_list: u32,
    pub(crate) part_members: u32,
    pub(crate) part_numbers: u32,
    pub(crate) part_entries: u32,
    pub(crate) most_gain: f32,
    pub(crate) unused: u32,
}

/// A particle of a creature: `CreatureMember` in `lib/creature_records.wgsl`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct CreatureMember {
    pub(crate) rest: [f32; 3],
    pub(crate) mass: f32,
    pub(crate) rest_rotation: [f32; 4],
    pub(crate) radii: [f32; 3],
    pub(crate) share: f32,
    pub(crate) start: [f32; 3],
    pub(crate) part_share: f32,
    pub(crate) place: [f32; 3],
    pub(crate) neighborhood: u32,
    pub(crate) origin: [f32; 4],
    pub(crate) rotation: [f32; 4],
    pub(crate) turned: [f32; 3],
    pub(crate) index: u32,
    pub(crate) torque: [f32; 3],
    pub(crate) moves: u32,
    pub(crate) pulled: [f32; 3],
    pub(crate) turns: u32,
    pub(crate) weight: f32,
    pub(crate) unused_x: u32,
    pub(crate) unused_y: u32,
    pub(crate) unused_z: u32,
}

/// A rigid part: `CreaturePart` there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct CreaturePart {
    pub(crate) origin: [f32; 4],
    pub(crate) rotation: [f32; 4],
    pub(crate) rest_center: [f32; 3],
    pub(crate) mass: f32,
    pub(crate) near: [f32; 3],
    pub(crate) first: u32,
    pub(crate) center: [f32; 3],
    pub(crate) count: u32,
    pub(crate) travel: [f32; 3],
    pub(crate) mobility: f32,
    pub(crate) turned: [f32; 3],
    pub(crate) bounces: u32,
    pub(crate) rebound: [f32; 3],
    pub(crate) unused_x: u32,
    pub(crate) rebound_spin: [f32; 3],
    pub(crate) unused_y: u32,
    pub(crate) before: [Column; 3],
    pub(crate) inverse: [Column; 3],
}

/// What contacts of a member do to a part: `PartLoad` there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct PartLoad {
    pub(crate) center: [f32; 3],
    pub(crate) slot: u32,
    pub(crate) arms: [f32; 3],
    pub(crate) count: f32,
    pub(crate) normals: [Column; 3],
    pub(crate) turning: [Column; 3],
    pub(crate) about: [Column; 3],
    pub(crate) everywhere: [Column; 3],
}

/// A neighbourhood: `CreatureGroup` in `lib/creature_group.wgsl`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct CreatureGroup {
    pub(crate) balance: [Column; 3],
    pub(crate) start: [f32; 3],
    pub(crate) gain: f32,
    pub(crate) turned: [f32; 3],
    pub(crate) rate: f32,
    pub(crate) first: u32,
    pub(crate) count: u32,
    pub(crate) unused_x: u32,
    pub(crate) unused_y: u32,
}

/// A member in a neighbourhood: `CreatureEntry` there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct CreatureEntry {
    pub(crate) pull: [f32; 3],
    pub(crate) member: u32,
    pub(crate) pushed: [f32; 3],
    pub(crate) unused: u32,
}

/// An edge that resists twisting: `CreatureEdge` in `lib/creature_edge.wgsl`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct CreatureEdge {
    pub(crate) twisted: [f32; 3],
    pub(crate) impulse: f32,
    pub(crate) first: u32,
    pub(crate) second: u32,
    pub(crate) rate: f32,
    pub(crate) unused: u32,
}
