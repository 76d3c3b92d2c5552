// Attachments of rigid bodies in trees, all at once: motes-core's `articulated.rs`. A workgroup has a tree, whose bodies come
// in levels from the leaves to the root. They are to hold at the end of the sub-step; STARTS is 1 where they are to hold at its
// start, after some bodies were moved out of overlaps.

@group(0) @binding(0) var<storage, read_write> bodies: array<Body>;
@group(0) @binding(1) var<storage, read_write> attachments: array<Attachment>;
@group(0) @binding(2) var<storage, read> trees: array<Tree>;
// The first node of each level; the last entry is the end.
@group(0) @binding(3) var<storage, read> levels: array<u32>;
// Body, joint above, first of the joints below, and how many there are. Behind all nodes the joints: first attachment, how many
// there are, node above and node below.
@group(0) @binding(4) var<storage, read> nodes: array<vec4u>;
@group(0) @binding(5) var<storage, read_write> drives: array<Drive>;
@group(0) @binding(6) var<storage, read_write> node_work: array<NodeWork>;
@group(0) @binding(7) var<storage, read_write> joint_work: array<JointWork>;

var<workgroup> tree: Tree;
// Whether an axis was taken to be on the wrong piece of its law, whether mobilities have to be worked out, and whether any body of
// the tree was moved out of overlaps, as threads find it; and one of these for all to read.
var<workgroup> unsettled: atomic<u32>;
var<workgroup> unknown: atomic<u32>;
var<workgroup> some_moved: atomic<u32>;
var<workgroup> answer: u32;
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
    var anchor = attachment.anchor;
    if STARTS == 1u {
        anchor = attachment.from_anchor;
    }
    let above = select(anchor, attachment.point, is_first);
    let below = select(attachment.point, anchor, is_first);
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

// A joint with what it has to close.
fn begin_joint(j: u32, share: f32) {
    let joint = joint_at(j);
    let upper = nodes[joint.z].x;
    var work = JointWork();
    work.drive = NO_JOINT;
    work.points = symmetric(vec3f(1.0), vec3f());
    for (var a = joint.x; a < joint.x + joint.y; a++) {
        if holds(a) {
            let held = held_by(a, upper);
            work.holding += 1.0;
            work.upper_middle += held.upper;
            work.acts_below += held.lower;
        }
    }
    if work.holding == 0.0 {
        joint_work[j] = work;
        return;
    }
    work.upper_middle /= work.holding;
    work.acts_below /= work.holding;
    work.acts_above = work.upper_middle;
    if work.holding > 1.0 {
        work = hold_turns(work, joint, upper);
    }
    work.gap = gap_of(joint, upper, work.upper_middle, work.holding, work.spread);
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

// The gap of a joint that has not changed otherwise.
fn aim_joint(j: u32) {
    let holding = joint_work[j].holding;
    if holding == 0.0 {
        return;
    }
    let joint = joint_at(j);
    let upper = nodes[joint.z].x;
    joint_work[j].gap = gap_of(joint, upper, joint_work[j].upper_middle, holding, joint_work[j].spread);
    if DRIVES == 1u {
        aim_drive(j);
    }
}

// How far the body above has to move against the one below, whose points share a torque like that.
fn gap_of(joint: vec4u, upper: u32, middle: vec3f, holding: f32, spread: mat3x3f) -> Spatial {
    let start = bodies[upper].from_rotation;
    var gap = Spatial();
    for (var a = joint.x; a < joint.x + joint.y; a++) {
        if holds(a) {
            let held = held_by(a, upper);
            gap.linear += held.gap;
            gap.angular += cross(turn(start, held.upper - middle), held.gap);
        }
    }
    return Spatial(gap.linear / holding, spread * gap.angular);
}

// The axes about which several points hold.
fn hold_turns(joint_alone: JointWork, joint: vec4u, upper: u32) -> JointWork {
    var work = joint_alone;
    let start = bodies[upper].from_rotation;
    var spread = mat3x3f();
    for (var a = joint.x; a < joint.x + joint.y; a++) {
        if holds(a) {
            spread += spread_of(turn(start, held_by(a, upper).upper - work.upper_middle));
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
    return work;
}

// How far the bodies of a joint move without it: the one above by `upper`.
fn free_of(j: u32, upper: Spatial) -> Spatial {
    let free = displacement_at(upper, joint_work[j].upper_arm);
    let lower = joint_at(j).w;
    if lower == NO_JOINT {
        return free;
    }
    return minus(free, displacement_at(node_work[lower].free, joint_work[j].lower_arm));
}

// How far contacts push a body: what its joints have to take up in the same go.
fn pushed(n: u32) -> Spatial {
    if STARTS == 1u {
        return Spatial();
    }
    let b = nodes[n].x;
    return Spatial(bodies[b].rebound, node_work[n].inverse_inertia * bodies[b].rebound_spin);
}

// On the way up: what a body is with the joints below it.
fn attach_all(n: u32) {
    let node = nodes[n];
    let inverse_mass = symmetric(vec3f(1.0 / bodies[node.x].mass), vec3f());
    var mobility = SpatialTensor(inverse_mass, mat3x3f(), node_work[n].inverse_inertia);
    var free = pushed(n);
    for (var j = node.z; j < node.z + node.w; j++) {
        let arm = joint_work[j].upper_arm;
        if joint_work[j].holding == 0.0 {
            continue;
        }
        let own = tensor_at(mobility, arm);
        var rest = SpatialTensor();
        let lower = joint_at(j).w;
        if lower != NO_JOINT {
            rest = tensor_at(node_work[lower].mobility, joint_work[j].lower_arm);
        }
        rest.along += symmetric(vec3f(joint_work[j].sure), vec3f());
        let whole = SpatialTensor(own.along + rest.along, own.crossing + rest.crossing, own.turning + rest.turning);
        let held = joint_work[j].held;
        let points = joint_work[j].points;
        var yielded = whole;
        yielded.turning += symmetric(vec3f(joint_work[j].yielding), vec3f());
        var stiffness = tensor_inverse(yielded, points, held, joint_work[j].share);
        let unmoved = free_of(j, free);
        let given = joint_work[j].given;
        let gap = minus(minus(joint_work[j].gap, unmoved), times(whole, given));
        var wanted = plus(times(stiffness, gap), given);
        var is_point = trace(held) == 0.0 && trace(points) > 2.5;
        joint_work[j].above = own;
        joint_work[j].stiffness = stiffness;
        if DRIVES == 1u && joint_work[j].piece != NO_AXIS {
            eliminate_axis(j, whole, stiffness);
            aim_axis(j, wanted, unmoved);
            let reaction = joint_work[j].reaction;
            wanted = plus(wanted, scaled(reaction, joint_work[j].given_along));
            stiffness = plus_outer(stiffness, reaction, joint_work[j].yields);
            is_point = is_point && joint_work[j].yields == 0.0;
        }
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

// The same where only gaps have changed.
fn attach_again(n: u32) {
    let node = nodes[n];
    var free = pushed(n);
    for (var j = node.z; j < node.z + node.w; j++) {
        if joint_work[j].holding == 0.0 {
            continue;
        }
        let unmoved = free_of(j, free);
        var wanted = times(joint_work[j].stiffness, minus(joint_work[j].gap, unmoved));
        if DRIVES == 1u && joint_work[j].piece != NO_AXIS {
            aim_axis(j, wanted, unmoved);
            wanted = plus(wanted, scaled(joint_work[j].reaction, joint_work[j].given_along));
        }
        joint_work[j].wanted = wanted;
        free = plus(free, displacement_at(times(joint_work[j].above, wanted), -joint_work[j].upper_arm));
    }
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
        var impulse = minus(joint_work[j].wanted, times(joint_work[j].stiffness, moved));
        if DRIVES == 1u && joint_work[j].piece != NO_AXIS {
            let reaction = joint_work[j].reaction;
            impulse = minus(impulse, scaled(reaction, joint_work[j].yields * product(reaction, moved)));
        }
        joint_work[j].impulse = impulse;
        acting = plus(acting, impulse_from(impulse, arm));
        if DRIVES == 1u {
            release_axis(j, moved);
            release_friction(j);
        }
    }
}

// Moves a body by its joints.
fn move_node(n: u32) {
    let node = nodes[n];
    let b = node.x;
    let start = node_work[n].start;
    var impulse = Spatial();
    for (var j = node.z; j < node.z + node.w; j++) {
        impulse = plus(impulse, impulse_from(joint_work[j].impulse, turn(start, joint_work[j].acts_above)));
    }
    if node.y != NO_JOINT {
        impulse = plus(impulse, from_above(node.y, turn(start, joint_work[node.y].acts_below)));
    }
    var twisted = vec3f();
    if STARTS == 0u {
        twisted = bodies[b].rebound_spin;
    }
    let turning = length(node_work[n].inverse_inertia * (impulse.angular + twisted));
    let angular = (impulse.angular + twisted) * (LARGEST_TURN / max(turning, LARGEST_TURN));
    if STARTS == 0u {
        let distance = impulse.linear / bodies[b].mass + bodies[b].rebound;
        bodies[b].rebound = vec3f();
        bodies[b].rebound_spin = vec3f();
        move_end(b, distance, angular);
    } else if any(impulse.linear != vec3f()) || any(impulse.angular != vec3f()) {
        move_start(b, impulse.linear / bodies[b].mass, angular);
    }
}

// Notes what the attachments of a joint did.
fn note_impulses(j: u32) {
    let upper = nodes[joint_at(j).z].x;
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

// Whether a body is turned nearly as it was when its mobility was worked out.
fn is_as_before(n: u32) -> bool {
    return abs(dot(halfway_of(nodes[n].x), node_work[n].halfway)) > SAME_TURN;
}

// Whether the mobilities of a joint were worked out in this sub-step, with what acts on its axis where it was in the end.
fn is_known(j: u32) -> bool {
    return attachments[joint_at(j).x].is_solved != 0u && joint_work[j].changes == 0.0;
}

@compute @workgroup_size(WORKGROUP)
fn main(thread: Thread) {
    let local = thread.local;
    if local == 0u {
        tree = Tree();
        if group_index(thread) < arrayLength(&trees) {
            tree = trees[group_index(thread)];
        }
        atomicStore(&unsettled, 0u);
        atomicStore(&unknown, 0u);
        atomicStore(&some_moved, 0u);
    }
    let own = workgroupUniformLoad(&tree);
    first_joint = own.behind;
    let first = levels[own.first_level];
    let end = levels[own.first_level + own.levels];
    let end_level = own.first_level + own.levels;
    let share = select(SURE, SPARE, own.nails > 1u);
    if STARTS == 1u {
        for (var n = first + local; n < end; n += WORKGROUP) {
            if bodies[nodes[n].x].start_moved != 0.0 {
                atomicStore(&some_moved, 1u);
            }
        }
        workgroupBarrier();
        if local == 0u {
            answer = atomicLoad(&some_moved);
        }
        if workgroupUniformLoad(&answer) == 0u {
            return;
        }
    } else {
        for (var j = own.first_joint + local; j < own.end_joint; j += WORKGROUP) {
            if !is_known(j) {
                atomicStore(&unknown, 1u);
            }
        }
        for (var n = first + local; n < end; n += WORKGROUP) {
            if !is_as_before(n) {
                atomicStore(&unknown, 1u);
            }
        }
        workgroupBarrier();
    }
    if local == 0u {
        answer = atomicLoad(&unknown);
    }
    var again = STARTS == 0u && workgroupUniformLoad(&answer) == 0u;
    for (var n = first + local; n < end && !again; n += WORKGROUP) {
        begin_node(n);
    }
    for (var j = own.first_joint + local; j < own.end_joint; j += WORKGROUP) {
        if again {
            aim_joint(j);
        } else {
            begin_joint(j, share);
        }
    }
    storageBarrier();
    var settled = false;
    for (var round = 0u; round < PASSES && !settled; round++) {
        for (var level = own.first_level; level < end_level; level++) {
            for (var n = levels[level] + local; n < levels[level + 1u]; n += WORKGROUP) {
                if again {
                    attach_again(n);
                } else {
                    attach_all(n);
                }
            }
            storageBarrier();
        }
        for (var level = end_level; level > own.first_level; level--) {
            for (var n = levels[level - 1u] + local; n < levels[level]; n += WORKGROUP) {
                release_all(n);
            }
            storageBarrier();
        }
        again = false;
        settled = true;
        if DRIVES == 1u {
            workgroupBarrier();
            if local == 0u {
                answer = atomicExchange(&unsettled, 0u);
            }
            settled = workgroupUniformLoad(&answer) == 0u;
        }
    }
    for (var n = first + local; n < end; n += WORKGROUP) {
        move_node(n);
    }
    for (var j = own.first_joint + local; j < own.end_joint && STARTS == 0u; j += WORKGROUP) {
        note_impulses(j);
        if DRIVES == 1u {
            note_axis(j);
        }
        attachments[joint_at(j).x].is_solved = u32(settled);
    }
}
