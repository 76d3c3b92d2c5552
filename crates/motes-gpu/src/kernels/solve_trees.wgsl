// Attachments of rigid bodies in trees, all at once: motes-core's `articulated.rs`. A workgroup has a tree, whose bodies come
// in levels from the leaves to the root.

@group(0) @binding(0) var<storage, read_write> bodies: array<Body>;
@group(0) @binding(1) var<storage, read_write> attachments: array<Attachment>;
// The first level of each tree, how many there are, and in how many places it is held by what does not yield.
@group(0) @binding(2) var<storage, read> trees: array<vec4u>;
// The first node of each level; the last entry is the end.
@group(0) @binding(3) var<storage, read> levels: array<u32>;
// Body, joint above, first of the joints below, and how many there are.
@group(0) @binding(4) var<storage, read> nodes: array<vec4u>;
// First attachment, how many there are, node above and node below.
@group(0) @binding(5) var<storage, read> joints: array<vec4u>;
@group(0) @binding(6) var<storage, read_write> node_work: array<NodeWork>;
@group(0) @binding(7) var<storage, read_write> joint_work: array<JointWork>;

var<workgroup> tree: vec4u;

// One attachment of a joint: its points in the frames of the bodies above and below, and the way between them.
struct Held {
    upper: vec3f,
    lower: vec3f,
    gap: vec3f,
}

fn arm_of(b: u32, point: vec3f) -> vec3f {
    return point - bodies[b].origin - bodies[b].rest_center;
}

fn place_of(b: u32, point: vec3f) -> vec3f {
    if b == NO_BODY {
        return point;
    }
    return bodies[b].to_position + turn(bodies[b].to_rotation, arm_of(b, point));
}

fn held_by(a: u32, upper: u32) -> Held {
    let attachment = attachments[a];
    let is_first = attachment.body == upper;
    let above = select(attachment.anchor, attachment.point, is_first);
    let below = select(attachment.point, attachment.anchor, is_first);
    let lower = select(attachment.body, attachment.other, is_first);
    var arm = vec3f();
    if lower != NO_BODY {
        arm = arm_of(lower, below);
    }
    return Held(arm_of(upper, above), arm, place_of(lower, below) - place_of(upper, above));
}

fn start_of(b: u32) -> vec4f {
    return between(bodies[b].from_rotation, bodies[b].to_rotation, bodies[b].lever);
}

fn halfway_of(b: u32) -> vec4f {
    return between(start_of(b), bodies[b].to_rotation, 0.5);
}

fn begin_node(n: u32) {
    let b = nodes[n].x;
    let halfway = halfway_of(b);
    let inverse_inertia = turned(bodies[b].inverse_inertia, halfway);
    let mobility = SpatialTensor(symmetric(vec3f(1.0 / bodies[b].mass), vec3f()), mat3x3f(), inverse_inertia);
    node_work[n] = NodeWork(mobility, Spatial(), start_of(b), halfway, inverse_inertia);
}

// What a joint has to close.
fn begin_joint(j: u32, share: f32) {
    let joint = joints[j];
    let upper = nodes[joint.z].x;
    var work = JointWork();
    var gap = vec3f();
    for (var a = joint.x; a < joint.x + joint.y; a++) {
        if attachments[a].state == HOLDS {
            let held = held_by(a, upper);
            work.holding += 1.0;
            work.upper_middle += held.upper;
            work.lower_middle += held.lower;
            gap += held.gap;
        }
    }
    if work.holding == 0.0 {
        joint_work[j] = work;
        return;
    }
    work.upper_middle /= work.holding;
    work.lower_middle /= work.holding;
    work.gap.linear = gap / work.holding;
    work.upper_arm = turn(halfway_of(upper), work.upper_middle);
    work.share = share;
    work.sure = share / bodies[upper].mass;
    if joint.w != NO_JOINT {
        let lower = nodes[joint.w].x;
        work.lower_arm = turn(halfway_of(lower), work.lower_middle);
        work.sure += share / bodies[lower].mass;
    }
    if work.holding > 1.0 {
        work = hold_turns(work, joint, upper);
    }
    joint_work[j] = work;
}

// The axes about which several points hold, and the turn that they are apart.
fn hold_turns(joint_alone: JointWork, joint: vec4u, upper: u32) -> JointWork {
    var work = joint_alone;
    let start = bodies[upper].from_rotation;
    var spread = mat3x3f();
    var moment = vec3f();
    for (var a = joint.x; a < joint.x + joint.y; a++) {
        if attachments[a].state == HOLDS {
            let held = held_by(a, upper);
            let s = turn(start, held.upper - work.upper_middle);
            spread += spread_of(s);
            moment += cross(s, held.gap);
        }
    }
    let size = trace(spread);
    if size < SAME_POINT {
        return work;
    }
    if work.holding == 2.0 {
        work.spread = spread * (4.0 / (size * size));
    } else {
        let found = eigen(spread);
        let least = LEAST_INERTIA * max(found.values.x, max(found.values.y, found.values.z));
        let values = select(vec3f(), 1.0 / found.values, found.values > vec3f(least));
        work.spread = found.axes * symmetric(values, vec3f()) * transpose(found.axes);
    }
    work.held = work.spread * spread;
    work.gap.angular = work.spread * moment;
    return work;
}

// On the way up: what a body is with the joints below it.
fn attach_all(n: u32) {
    let node = nodes[n];
    var mobility = node_work[n].mobility;
    var free = Spatial();
    for (var j = node.z; j < node.z + node.w; j++) {
        let arm = joint_work[j].upper_arm;
        if joint_work[j].holding == 0.0 {
            continue;
        }
        let own = tensor_at(mobility, arm);
        var rest = SpatialTensor();
        var gap = minus(joint_work[j].gap, displacement_at(free, arm));
        let lower = joints[j].w;
        if lower != NO_JOINT {
            let below = joint_work[j].lower_arm;
            rest = tensor_at(node_work[lower].mobility, below);
            gap = plus(gap, displacement_at(node_work[lower].free, below));
        }
        rest.along += symmetric(vec3f(joint_work[j].sure), vec3f());
        let whole = SpatialTensor(own.along + rest.along, own.crossing + rest.crossing, own.turning + rest.turning);
        let held = joint_work[j].held;
        let stiffness = tensor_inverse(whole, held, joint_work[j].share);
        let wanted = times(stiffness, gap);
        joint_work[j].above = own;
        joint_work[j].stiffness = stiffness;
        joint_work[j].wanted = wanted;
        free = plus(free, displacement_at(times(own, wanted), -arm));
        var left: SpatialTensor;
        if trace(held) == 0.0 {
            left = yielding(own, stiffness.along, rest.along);
        } else {
            left = reduced(own, stiffness);
        }
        mobility = tensor_at(left, -arm);
    }
    node_work[n].mobility = mobility;
    node_work[n].free = free;
}

// What the joint above does to a body, about its centre.
fn from_above(above: u32, arm: vec3f) -> Spatial {
    let impulse = joint_work[above].impulse;
    return impulse_from(Spatial(-impulse.linear, -impulse.angular), arm);
}

// On the way down: the impulses of the joints below a body.
fn release_all(n: u32) {
    let node = nodes[n];
    var acting = Spatial();
    if node.y != NO_JOINT {
        acting = from_above(node.y, joint_work[node.y].lower_arm);
    }
    for (var k = node.w; k > 0u; k--) {
        let j = node.z + k - 1u;
        if joint_work[j].holding == 0.0 {
            continue;
        }
        let arm = joint_work[j].upper_arm;
        let moved = times(joint_work[j].above, impulse_from(acting, -arm));
        let impulse = minus(joint_work[j].wanted, times(joint_work[j].stiffness, moved));
        joint_work[j].impulse = impulse;
        acting = plus(acting, impulse_from(impulse, arm));
    }
}

// Moves a body by its joints, and notes what the attachments below it did.
fn move_node(n: u32) {
    let node = nodes[n];
    let b = node.x;
    let start = node_work[n].start;
    var impulse = Spatial();
    for (var j = node.z; j < node.z + node.w; j++) {
        impulse = plus(impulse, impulse_from(joint_work[j].impulse, turn(start, joint_work[j].upper_middle)));
        note_impulses(j, b);
    }
    if node.y != NO_JOINT {
        impulse = plus(impulse, from_above(node.y, turn(start, joint_work[node.y].lower_middle)));
    }
    let turning = length(node_work[n].inverse_inertia * impulse.angular);
    let angular = impulse.angular * (LARGEST_TURN / max(turning, LARGEST_TURN));
    move_end(b, impulse.linear / bodies[b].mass, angular);
}

fn note_impulses(j: u32, upper: u32) {
    let impulse = joint_work[j].impulse;
    let torque = joint_work[j].spread * impulse.angular;
    let start = bodies[upper].from_rotation;
    for (var a = joints[j].x; a < joints[j].x + joints[j].y; a++) {
        if attachments[a].state != HOLDS {
            continue;
        }
        let is_first = attachments[a].body == upper;
        let point = select(attachments[a].anchor, attachments[a].point, is_first);
        let s = turn(start, arm_of(upper, point) - joint_work[j].upper_middle);
        let part = impulse.linear / joint_work[j].holding + cross(torque, s);
        attachments[a].impulse += select(-part, part, is_first);
    }
}

@compute @workgroup_size(WORKGROUP)
fn main(thread: Thread) {
    if thread.local == 0u {
        let known = group_index(thread) < arrayLength(&trees);
        tree = select(vec4u(), trees[min(group_index(thread), arrayLength(&trees) - 1u)], known);
    }
    let own = workgroupUniformLoad(&tree);
    let first = levels[own.x];
    let end = levels[own.x + own.y];
    let share = select(SURE, SPARE, own.z > 1u);
    for (var n = first + thread.local; n < end; n += WORKGROUP) {
        begin_node(n);
        for (var j = nodes[n].z; j < nodes[n].z + nodes[n].w; j++) {
            begin_joint(j, share);
        }
    }
    storageBarrier();
    for (var level = own.x; level < own.x + own.y; level++) {
        for (var n = levels[level] + thread.local; n < levels[level + 1u]; n += WORKGROUP) {
            attach_all(n);
        }
        storageBarrier();
    }
    for (var level = own.x + own.y; level > own.x; level--) {
        for (var n = levels[level - 1u] + thread.local; n < levels[level]; n += WORKGROUP) {
            release_all(n);
        }
        storageBarrier();
    }
    for (var n = first + thread.local; n < end; n += WORKGROUP) {
        move_node(n);
    }
}
