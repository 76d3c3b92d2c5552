// How the joints of a tree begin: what they have to close, and how bodies move by themselves. Kernels have `bodies`, `attachments` and `drives`.

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
    let b = node_at(n).x;
    let halfway = halfway_of(b);
    let inverse_inertia = turned(bodies[b].inverse_inertia, halfway);
    let mobility = SpatialTensor(symmetric(vec3f(1.0 / bodies[b].mass), vec3f()), mat3x3f(), inverse_inertia);
    node_work[n] = NodeWork(mobility, Spatial(), start_of(b), halfway, inverse_inertia);
}

// A joint with what it has to close.
fn begin_joint(j: u32, share: f32) {
    let joint = joint_at(j);
    let upper = node_at(joint.z).x;
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
        let lower = node_at(joint.w).x;
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
    let upper = node_at(joint.z).x;
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

// Whether a body is turned nearly as it was when its mobility was worked out.
fn is_as_before(n: u32) -> bool {
    return abs(dot(halfway_of(node_at(n).x), node_work[n].halfway)) > SAME_TURN;
}

// Whether the mobilities of a joint were worked out in this sub-step, with what acts on its axis where it was in the end.
fn is_known(j: u32) -> bool {
    return attachments[joint_at(j).x].is_solved != 0u && joint_work[j].changes == 0.0;
}
