//! Trees of rigid bodies on the device: what `solve_trees` works on.

use bytemuck::{Pod, Zeroable};
use motes_core::body::trees::Trees;

use crate::buffers::Buffer;
use crate::device::Gpu;
use crate::error::GpuError;

/// What a kernel knows of a body of a tree while its joints are solved: `NodeWork` in `lib/articulated.wgsl`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct NodeWork {
    pub(crate) mobility: [[f32; 4]; 9],
    pub(crate) free: [[f32; 4]; 2],
    pub(crate) start: [f32; 4],
    pub(crate) halfway: [f32; 4],
    pub(crate) inverse_inertia: [[f32; 4]; 3],
}

/// The same of a joint: `JointWork` there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct JointWork {
    pub(crate) stiffness: [[f32; 4]; 9],
    pub(crate) above: [[f32; 4]; 9],
    pub(crate) held: [[f32; 4]; 3],
    pub(crate) spread: [[f32; 4]; 3],
    pub(crate) gap: [[f32; 4]; 2],
    pub(crate) wanted: [[f32; 4]; 2],
    pub(crate) impulse: [[f32; 4]; 2],
    pub(crate) upper_arm: [f32; 3],
    pub(crate) holding: f32,
    pub(crate) lower_arm: [f32; 3],
    pub(crate) sure: f32,
    pub(crate) upper_middle: [f32; 3],
    pub(crate) share: f32,
    pub(crate) acts_above: [f32; 3],
    pub(crate) drive: u32,
    pub(crate) acts_below: [f32; 3],
    pub(crate) side: f32,
    pub(crate) points: [[f32; 4]; 3],
    pub(crate) given: [[f32; 4]; 2],
    pub(crate) direction: [[f32; 4]; 2],
    pub(crate) across: [[f32; 4]; 2],
    pub(crate) reaction: [[f32; 4]; 2],
    pub(crate) rubbed: [[f32; 4]; 2],
    pub(crate) rubbing: u32,
    pub(crate) yielding: f32,
    pub(crate) piece: u32,
    pub(crate) value: f32,
    pub(crate) displacement: f32,
    pub(crate) mobility: f32,
    pub(crate) free: f32,
    pub(crate) given_along: f32,
    pub(crate) yields: f32,
    pub(crate) further: f32,
    pub(crate) more: f32,
    pub(crate) changes: f32,
}

/// A tree: `Tree` there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct Tree {
    pub(crate) first_level: u32,
    pub(crate) levels: u32,
    pub(crate) nails: u32,
    pub(crate) behind: u32,
    pub(crate) first_joint: u32,
    pub(crate) end_joint: u32,
}

/// Nodes and joints of the largest tree are counted in these, so that kernels are not compiled anew for every one more.
const STEP: usize = 8;

/// What a workgroup needs besides for its tree and its answers, bytes.
const BESIDES: usize = 64;

/// Trees of rigid bodies: what `solve_trees` reads, and room to work in.
pub(super) struct DeviceTrees {
    /// Nodes and joints that there is room for in each tree.
    room: [usize; 2],
    /// Memory of a workgroup, bytes.
    memory: usize,
    pub(super) islands: Buffer<Tree>,
    pub(super) levels: Buffer<u32>,
    /// The nodes, and behind them the joints.
    pub(super) nodes: Buffer<[u32; 4]>,
    pub(super) node_work: Buffer<NodeWork>,
    pub(super) joint_work: Buffer<JointWork>,
}

impl DeviceTrees {
    pub(super) fn new(gpu: &Gpu) -> Result<Self, GpuError> {
        Ok(Self {
            room: [0; 2],
            memory: gpu.device().limits().max_compute_workgroup_storage_size as usize,
            islands: Buffer::new(gpu, "trees of bodies", 1)?,
            levels: Buffer::new(gpu, "levels of trees", 1)?,
            nodes: Buffer::new(gpu, "nodes and joints of trees", 1)?,
            node_work: Buffer::new(gpu, "work on nodes", 1)?,
            joint_work: Buffer::new(gpu, "work on joints", 1)?,
        })
    }

    pub(super) fn bytes(&self) -> u64 {
        self.islands.bytes()
            + self.levels.bytes()
            + self.nodes.bytes()
            + self.node_work.bytes()
            + self.joint_work.bytes()
    }

    /// Writes trees whose attachments begin with that row.
    pub(super) fn upload(&mut self, trees: &Trees, first: u32) -> Result<bool, GpuError> {
        let sizes = |&island: &[u32; 2]| {
            let nodes = trees.nodes_of(island);
            [nodes.len(), trees.joints_of(nodes).len()]
        };
        let largest = trees.islands.iter().map(sizes);
        let largest = largest.fold([1; 2], |[nodes, joints], tree| {
            [nodes.max(tree[0]), joints.max(tree[1])]
        });
        let before = std::mem::replace(&mut self.room, largest.map(|most| most.next_multiple_of(STEP)));
        let nodes = trees
            .nodes
            .iter()
            .map(|node| [node.body, node.above, node.first, node.count]);
        let joints = trees.joints.iter();
        let joints = joints.map(|joint| [first + joint.first, joint.count, joint.upper, joint.lower]);
        let behind = trees.nodes.len() as u32;
        let islands = trees.islands.iter().zip(&trees.nails).map(|(&island, &nails)| {
            let joints = trees.joints_of(trees.nodes_of(island));
            Tree {
                first_level: island[0],
                levels: island[1],
                nails,
                behind,
                first_joint: joints.start as u32,
                end_joint: joints.end as u32,
            }
        });
        let mut replaced = before != self.room;
        replaced |= filled(&mut self.islands, islands.collect(), Tree::default())?;
        replaced |= filled(&mut self.levels, trees.levels.clone(), 0)?;
        replaced |= filled(&mut self.nodes, nodes.chain(joints).collect(), [0; 4])?;
        replaced |= self.node_work.ensure_exactly(trees.nodes.len().max(1))?;
        replaced |= self.joint_work.ensure_exactly(trees.joints.len().max(1))?;
        Ok(replaced)
    }

    /// Nodes and joints to make room for in the memory of a workgroup; none if some tree does not fit.
    pub(super) fn near(&self) -> Option<[u32; 2]> {
        let links = size_of::<[u32; 4]>();
        let [nodes, joints] = self.room;
        let bytes = nodes * (size_of::<NodeWork>() + links) + joints * (size_of::<JointWork>() + links) + BESIDES;
        (bytes <= self.memory).then_some([nodes as u32, joints as u32])
    }
}

/// Writes values to a buffer, and others to the rest of its room; says whether its memory was replaced.
pub(super) fn filled<T: Pod>(buffer: &mut Buffer<T>, mut values: Vec<T>, rest: T) -> Result<bool, GpuError> {
    let replaced = buffer.ensure_exactly(values.len().max(1))?;
    values.resize(buffer.capacity(), rest);
    buffer.write(0, &values);
    Ok(replaced)
}
