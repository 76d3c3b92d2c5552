// Trees that are solved in the memory of a workgroup, which has one of them: NODES and JOINTS are what the largest needs. A thread learns what
// another did in a fraction of the time that it takes through storage. Nodes and joints are numbered from 0 on. Kernels have `nodes`.

@group(0) @binding(6) var<storage, read_write> kept_nodes: array<NodeWork>;
@group(0) @binding(7) var<storage, read_write> kept_joints: array<JointWork>;

var<workgroup> node_work: array<NodeWork, NODES>;
var<workgroup> joint_work: array<JointWork, JOINTS>;
var<workgroup> node_links: array<vec4u, NODES>;
var<workgroup> joint_links: array<vec4u, JOINTS>;
var<private> first_node: u32;

// Reads what was kept of the last time.
fn take_up(own: Tree, local: u32) {
    first_node = levels[own.first_level];
    for (var n = local; n < nodes_of(own).y; n += WORKGROUP) {
        let node = nodes[first_node + n];
        let above = select(node.y - own.first_joint, NO_JOINT, node.y == NO_JOINT);
        node_links[n] = vec4u(node.x, above, node.z - own.first_joint, node.w);
        if STARTS == 0u {
            node_work[n] = kept_nodes[first_node + n];
        }
    }
    for (var j = local; j < joints_of(own).y; j += WORKGROUP) {
        let joint = nodes[own.behind + own.first_joint + j];
        let lower = select(joint.w - first_node, NO_JOINT, joint.w == NO_JOINT);
        joint_links[j] = vec4u(joint.xy, joint.z - first_node, lower);
        if STARTS == 0u {
            joint_work[j] = kept_joints[own.first_joint + j];
        }
    }
    workgroupBarrier();
}

// Keeps what the next time may go by.
fn put_back(own: Tree, local: u32) {
    for (var n = local; n < nodes_of(own).y; n += WORKGROUP) {
        kept_nodes[first_node + n] = node_work[n];
    }
    for (var j = local; j < joints_of(own).y; j += WORKGROUP) {
        kept_joints[own.first_joint + j] = joint_work[j];
    }
}

fn nodes_of(own: Tree) -> vec2u {
    return vec2u(0u, levels[own.first_level + own.levels] - levels[own.first_level]);
}

fn joints_of(own: Tree) -> vec2u {
    return vec2u(0u, own.end_joint - own.first_joint);
}

// Of a level of the tree, the first node.
fn level_at(own: Tree, level: u32) -> u32 {
    return levels[own.first_level + level] - first_node;
}

fn node_at(n: u32) -> vec4u {
    return node_links[n];
}

fn joint_at(j: u32) -> vec4u {
    return joint_links[j];
}

// Threads wait for what others have written.
fn wait_for_others() {
    workgroupBarrier();
}
