// Trees that are solved in storage, because some of them have no room in the memory of a workgroup. Nodes and joints have the numbers that they have
// among those of all trees. Kernels have `nodes`.

@group(0) @binding(6) var<storage, read_write> node_work: array<NodeWork>;
@group(0) @binding(7) var<storage, read_write> joint_work: array<JointWork>;

// Where the joints begin among the nodes.
var<private> first_joint: u32;

fn take_up(own: Tree, local: u32) {
    first_joint = own.behind;
}

fn put_back(own: Tree, local: u32) {
}

fn nodes_of(own: Tree) -> vec2u {
    return vec2u(levels[own.first_level], levels[own.first_level + own.levels]);
}

fn joints_of(own: Tree) -> vec2u {
    return vec2u(own.first_joint, own.end_joint);
}

// Of a level of the tree, the first node.
fn level_at(own: Tree, level: u32) -> u32 {
    return levels[own.first_level + level];
}

fn node_at(n: u32) -> vec4u {
    return nodes[n];
}

fn joint_at(j: u32) -> vec4u {
    return nodes[first_joint + j];
}

// Threads wait for what others have written.
fn wait_for_others() {
    storageBarrier();
}
