// Attachments of rigid bodies in trees, all at once: motes-core's `articulated.rs`. A workgroup has a tree, whose bodies come
// in levels from the leaves to the root. They are to hold at the end of the sub-step; STARTS is 1 where they are to hold at its
// start, after some bodies were moved out of overlaps.

@group(0) @binding(0) var<storage, read_write> bodies: array<Body>;
@group(0) @binding(1) var<storage, read_write> attachments: array<Attachment>;
// The first level of each tree, how many there are, in how many places it is held by what does not yield, and the first joint.
@group(0) @binding(2) var<storage, read> trees: array<vec4u>;
// The first node of each level; the last entry is the end.
@group(0) @binding(3) var<storage, read> levels: array<u32>;
// Body, joint above, first of the joints below, and how many there are. Behind all nodes the joints: first attachment, how many
// there are, node above and node below.
@group(0) @binding(4) var<storage, read> nodes: array<vec4u>;
@group(0) @binding(5) var<storage, read_write> drives: array<Drive>;
@group(0) @binding(6) var<storage, read_write> node_work: array<NodeWork>;
@group(0) @binding(7) var<storage, read_write> joint_work: array<JointWork>;

var<workgroup> tree: vec4u;
// Whether an axis was taken to be on the wrong piece of its law, as threads find it, and for all to read.
var<workgroup> unsettled: atomic<u32>;
var<workgroup> again: u32;
// Whether any body of the tree was moved out of overlaps, in the same way.
var<workgroup> some_moved: atomic<u32>;
var<workgroup> is_some_moved: u32;
// Where the joints begin among the nodes.
var<private> first_joint: u32;

fn joint_at(j: u32) -> vec4u {
    return nodes[first_joint + j];
}

// One attachment of a joint: its points in the frames of the bodies above and below, and the way between them.
struct Held {
    upper: vec3f,
    lower: vec3f,
    gap: vec3f,
}

fn arm_of(b: u32, point: vec3f) -> vec3f {
    return point - bodies[b].origin - bodies[b].rest_center;
}

// The rotation of a body where joints are to hold.
fn rotation_of(b: u32) -> vec4f {
    if STARTS == 1u {
        return bodies[b].from_rotation;
    }
    return bodies[b].to_rotation;
}

fn place_of(b: u32, point: vec3f) -> vec3f {
    if b == NO_BODY {
        return point;
    }
    var position = bodies[b].to_position;
    if STARTS == 1u {
        position = bodies[b].from_position;
    }
    return position + turn(rotation_of(b), arm_of(b, point));
}

fn holds(a: u32) -> bool {
    if STARTS == 1u {
        return holds_start(a);
    }
    return attachments[a].state == HOLDS;
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
    return between(bodies[b].from_rotation, rotation_of(b), bodies[b].lever);
}

fn halfway_of(b: u32) -> vec4f {
    return between(start_of(b), rotation_of(b), 0.5);
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
    let joint = joint_at(j);
    let upper = nodes[joint.z].x;
    var work = JointWork();
    work.drive = NO_JOINT;
    work.points = symmetric(vec3f(1.0), vec3f());
    var gap = vec3f();
    for (var a = joint.x; a < joint.x + joint.y; a++) {
        if holds(a) {
            let held = held_by(a, upper);
            work.holding += 1.0;
            work.upper_middle += held.upper;
            work.acts_below += held.lower;
            gap += held.gap;
        }
    }
    if work.holding == 0.0 {
        joint_work[j] = work;
        return;
    }
    work.upper_middle /= work.holding;
    work.acts_below /= work.holding;
    work.gap.linear = gap / work.holding;
    work.acts_above = work.upper_middle;
    if work.holding > 1.0 {
        work = hold_turns(work, joint, upper);
    }
    if DRIVES == 1u {
        work = begin_drive(work, joint, upper);
    }
    work.upper_arm = turn(halfway_of(upper), work.acts_above);
    work.share = share;
    work.sure = share / bodies[upper].mass;
    if joint.w != NO_JOINT {
        let lower = nodes[joint.w].x;
        work.lower_arm = turn(halfway_of(lower), work.acts_below);
        work.sure += share / bodies[lower].mass;
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
        if holds(a) {
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
    let inverse_mass = symmetric(vec3f(1.0 / bodies[node.x].mass), vec3f());
    var mobility = SpatialTensor(inverse_mass, mat3x3f(), node_work[n].inverse_inertia);
    var free = Spatial();
    for (var j = node.z; j < node.z + node.w; j++) {
        let arm = joint_work[j].upper_arm;
        if joint_work[j].holding == 0.0 {
            continue;
        }
        let own = tensor_at(mobility, arm);
        var rest = SpatialTensor();
        var gap = minus(joint_work[j].gap, displacement_at(free, arm));
        let lower = joint_at(j).w;
        if lower != NO_JOINT {
            let below = joint_work[j].lower_arm;
            rest = tensor_at(node_work[lower].mobility, below);
            gap = plus(gap, displacement_at(node_work[lower].free, below));
        }
        rest.along += symmetric(vec3f(joint_work[j].sure), vec3f());
        let whole = SpatialTensor(own.along + rest.along, own.crossing + rest.crossing, own.turning + rest.turning);
        let held = joint_work[j].held;
        let points = joint_work[j].points;
        var yielded = whole;
        yielded.turning += symmetric(vec3f(joint_work[j].yielding), vec3f());
        var stiffness = tensor_inverse(yielded, points, held, joint_work[j].share);
        let unmoved = minus(joint_work[j].gap, gap);
        let given = joint_work[j].given;
        var wanted = plus(times(stiffness, minus(gap, times(whole, given))), given);
        var is_point = trace(held) == 0.0 && trace(points) > 2.5;
        if DRIVES == 1u && joint_work[j].piece != NO_AXIS {
            attach_axis(j, whole, stiffness, wanted, unmoved);
            let reaction = joint_work[j].reaction;
            wanted = plus(wanted, scaled(reaction, joint_work[j].given_along));
            stiffness = plus_outer(stiffness, reaction, joint_work[j].yields);
            is_point = is_point && joint_work[j].yields == 0.0;
        }
        joint_work[j].above = own;
        joint_work[j].stiffness = stiffness;
        joint_work[j].wanted = wanted;
        free = plus(free, displacement_at(times(own, wanted), -arm));
        var left: SpatialTensor;
        if is_point {
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
        if DRIVES == 1u {
            release_axis(j, moved);
            release_friction(j);
        }
    }
}

// Moves a body by its joints, and notes what the attachments below it did.
fn move_node(n: u32) {
    let node = nodes[n];
    let b = node.x;
    let start = node_work[n].start;
    var impulse = Spatial();
    for (var j = node.z; j < node.z + node.w; j++) {
        impulse = plus(impulse, impulse_from(joint_work[j].impulse, turn(start, joint_work[j].acts_above)));
        if STARTS == 0u {
            note_impulses(j, b);
        }
        if DRIVES == 1u {
            note_axis(j);
        }
    }
    if node.y != NO_JOINT {
        impulse = plus(impulse, from_above(node.y, turn(start, joint_work[node.y].acts_below)));
    }
    let turning = length(node_work[n].inverse_inertia * impulse.angular);
    let angular = impulse.angular * (LARGEST_TURN / max(turning, LARGEST_TURN));
    if STARTS == 0u {
        move_end(b, impulse.linear / bodies[b].mass, angular);
    } else if any(impulse.linear != vec3f()) || any(impulse.angular != vec3f()) {
        move_start(b, impulse.linear / bodies[b].mass, angular);
    }
}

fn note_impulses(j: u32, upper: u32) {
    var impulse = joint_work[j].impulse;
    // A spring is all that its points bear.
    if DRIVES == 1u && trace(joint_work[j].points) > 0.5 {
        impulse = held_impulse(j);
    }
    let joint = joint_at(j);
    let torque = joint_work[j].spread * impulse.angular;
    let start = bodies[upper].from_rotation;
    for (var a = joint.x; a < joint.x + joint.y; a++) {
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
        atomicStore(&unsettled, 0u);
        atomicStore(&some_moved, 0u);
    }
    let own = workgroupUniformLoad(&tree);
    first_joint = own.w;
    let first = levels[own.x];
    let end = levels[own.x + own.y];
    if STARTS == 1u {
        for (var n = first + thread.local; n < end; n += WORKGROUP) {
            if bodies[nodes[n].x].start_moved != 0.0 {
                atomicStore(&some_moved, 1u);
            }
        }
        workgroupBarrier();
        if thread.local == 0u {
            is_some_moved = atomicLoad(&some_moved);
        }
        if workgroupUniformLoad(&is_some_moved) == 0u {
            return;
        }
    }
    let share = select(SURE, SPARE, own.z > 1u);
    for (var n = first + thread.local; n < end; n += WORKGROUP) {
        begin_node(n);
        for (var j = nodes[n].z; j < nodes[n].z + nodes[n].w; j++) {
            begin_joint(j, share);
        }
    }
    storageBarrier();
    for (var round = 0u; round < PASSES; round++) {
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
        if DRIVES == 0u {
            break;
        }
        workgroupBarrier();
        if thread.local == 0u {
            again = atomicExchange(&unsettled, 0u);
        }
        if workgroupUniformLoad(&again) == 0u {
            break;
        }
    }
    for (var n = first + thread.local; n < end; n += WORKGROUP) {
        move_node(n);
    }
}
