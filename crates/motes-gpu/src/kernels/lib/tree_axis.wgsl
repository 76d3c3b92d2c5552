// What acts on the axes of joints in trees: motes-core's `articulated.rs` and `articulations.rs`. Kernels have `bodies`,
// `attachments` and `drives`.

// A point of what is joined and its rotation at the end of the sub-step.
fn frame_of(d: u32, b: u32, point: vec3f) -> JointFrame {
    if b == NO_BODY {
        return JointFrame(drives[d].base_end + turn(drives[d].base_to, drives[d].anchor), drives[d].base_to);
    }
    return JointFrame(place_of(b, point), bodies[b].to_rotation);
}

// How far a body has turned.
fn turn_of(d: u32, b: u32) -> vec3f {
    if b == NO_BODY {
        return arc(compose(drives[d].base_to, reverse(drives[d].base_from)));
    }
    return arc(compose(bodies[b].to_rotation, reverse(bodies[b].from_rotation)));
}

fn outer(v: vec3f) -> mat3x3f {
    return mat3x3f(v * v.x, v * v.y, v * v.z);
}

// A joint with what acts on its axis.
fn begin_drive(held_alone: JointWork, joint: vec4u, upper: u32) -> JointWork {
    var work = held_alone;
    let d = attachments[joint.x].drive;
    if d == NO_JOINT || drives[d].acts == 0u {
        return work;
    }
    let attachment = attachments[drives[d].leader];
    let body = frame_of(d, attachment.body, attachment.point);
    let partner = frame_of(d, attachment.other, attachment.anchor);
    let is_first = attachment.body == upper;
    work.drive = d;
    work.side = select(-1.0, 1.0, is_first);
    let along = drives[d].along;
    if drives[d].kind == DISTANCE {
        work.points = mat3x3f();
    } else if drives[d].kind == SLIDER {
        work.points -= outer(along);
        work.gap.linear = leave_free(work.gap.linear, direction_of(d, body, partner));
        work = act_where_first_is(work, joint, upper, is_first);
    }
    if has_axis(d) {
        let direction = work.side * select(along, direction_of(d, body, partner), drives[d].kind == BALL_JOINT);
        work.direction.linear = select(vec3f(), direction, is_linear(d));
        work.direction.angular = direction - work.direction.linear;
        work.displacement = apart_by(d, drives[d].place, place_of_joint(d, body, partner));
        work.piece = UNKNOWN;
        work.changes = select(0.0, 1.0, drives[d].kind == BALL_JOINT);
    }
    if rubs(d) {
        let turned_by_now = work.side * (turn_of(d, attachment.body) - turn_of(d, attachment.other));
        work.rubbed = Spatial(turned_by_now, work.side * drives[d].turning);
        work.rubbing = STICKS;
        work.changes = 1.0;
        work.held = symmetric(vec3f(1.0), vec3f());
        work.gap.angular = -turned_by_now;
        if drives[d].friction == 0.0 {
            work = slip(work, vec3f());
        }
    }
    return work;
}

// Takes away what a slider leaves free.
fn leave_free(gap: vec3f, direction: vec3f) -> vec3f {
    return gap - direction * dot(direction, gap);
}

// The gap of a joint along its axis, and how far that has moved.
fn aim_drive(j: u32) {
    let d = joint_work[j].drive;
    if d == NO_JOINT {
        return;
    }
    let attachment = attachments[drives[d].leader];
    let body = frame_of(d, attachment.body, attachment.point);
    let partner = frame_of(d, attachment.other, attachment.anchor);
    if drives[d].kind == SLIDER {
        joint_work[j].gap.linear = leave_free(joint_work[j].gap.linear, direction_of(d, body, partner));
    }
    if joint_work[j].piece != NO_AXIS {
        joint_work[j].displacement = apart_by(d, drives[d].place, place_of_joint(d, body, partner));
    }
}

// Has a slider act on both of its bodies where the first has its points.
fn act_where_first_is(work_alone: JointWork, joint: vec4u, upper: u32, is_first: bool) -> JointWork {
    var work = work_alone;
    if joint.w == NO_JOINT {
        return work;
    }
    let lower = node_at(joint.w).x;
    let own = select(lower, upper, is_first);
    let other = select(upper, lower, is_first);
    let middle = select(work.acts_below, work.upper_middle, is_first);
    let place = bodies[own].from_position + turn(bodies[own].from_rotation, middle);
    let there = turn(reverse(bodies[other].from_rotation), place - bodies[other].from_position);
    if is_first {
        work.acts_below = there;
    } else {
        work.acts_above = there;
    }
    return work;
}

// Has friction of a ball joint do so much, and damping besides.
fn slip(work_alone: JointWork, friction: vec3f) -> JointWork {
    var work = work_alone;
    let damping = drives[work.drive].h * drives[work.drive].damping;
    let more = friction - work.rubbed.angular;
    work.rubbing = SLIPS;
    if damping > 0.0 {
        work.yielding = 1.0 / damping;
        work.gap.angular = more / damping - work.rubbed.linear;
    } else {
        work.held = mat3x3f();
        work.gap.angular = vec3f();
        work.given.angular = more;
    }
    return work;
}

// What the points of a joint do, without what acts on its axis.
fn held_impulse(j: u32) -> Spatial {
    return minus(joint_work[j].impulse, scaled(joint_work[j].direction, joint_work[j].more));
}

// Eliminates the row of an axis, given the mobility of its joint and the inverse of what is held.
fn eliminate_axis(j: u32, whole: SpatialTensor, stiffness: SpatialTensor) {
    let direction = joint_work[j].direction;
    let across = times(whole, direction);
    let reaction = minus(direction, times(stiffness, across));
    joint_work[j].across = across;
    joint_work[j].reaction = reaction;
    joint_work[j].mobility = max(product(across, reaction), joint_work[j].share * product(across, direction));
}

// Finds its impulse if nothing above acts, from those of what is held, and how far the bodies move without any.
fn aim_axis(j: u32, wanted: Spatial, free: Spatial) {
    let mobility = joint_work[j].mobility;
    joint_work[j].free = product(joint_work[j].direction, free) + product(joint_work[j].across, wanted);
    joint_work[j].given_along = 0.0;
    joint_work[j].yields = 0.0;
    if mobility <= 0.0 {
        return;
    }
    let reached = joint_work[j].displacement + joint_work[j].free;
    let d = joint_work[j].drive;
    let law = law_of(d);
    if joint_work[j].piece == UNKNOWN {
        let met = meet(law, reached, drives[d].impulse, mobility);
        joint_work[j].piece = met.piece;
        joint_work[j].value = met.value;
    }
    if joint_work[j].piece == HELD_AT {
        joint_work[j].given_along = (joint_work[j].value - reached) / mobility;
        joint_work[j].yields = 1.0 / mobility;
    } else {
        let slope = slope_of(law, mobility);
        let stiff = 1.0 / (1.0 + slope.y * mobility);
        joint_work[j].given_along = stiff * (slope.x + joint_work[j].value - drives[d].impulse - slope.y * reached);
        joint_work[j].yields = stiff * slope.y;
    }
}

// What comes of an axis when the body above is moved besides.
fn release_axis(j: u32, moved: Spatial) {
    let mobility = joint_work[j].mobility;
    if joint_work[j].piece == NO_AXIS {
        return;
    }
    if mobility <= 0.0 {
        joint_work[j].further = 0.0;
        joint_work[j].more = 0.0;
        return;
    }
    let besides = product(joint_work[j].reaction, moved);
    let more = joint_work[j].given_along - joint_work[j].yields * besides;
    let further = joint_work[j].free + besides + mobility * more;
    let d = joint_work[j].drive;
    let met = meet(law_of(d), joint_work[j].displacement + further, drives[d].impulse + more, mobility);
    joint_work[j].further = further;
    joint_work[j].more = more;
    if met.piece != joint_work[j].piece || met.value != joint_work[j].value {
        atomicStore(&unsettled, 1u);
    }
    joint_work[j].piece = met.piece;
    joint_work[j].value = met.value;
}

// Whether friction of a ball joint bears what it was taken to; if not, it slips from here on.
fn release_friction(j: u32) {
    if joint_work[j].rubbing != STICKS {
        return;
    }
    let d = joint_work[j].drive;
    let needed = joint_work[j].rubbed.angular + held_impulse(j).angular;
    let size = length(needed);
    let friction = drives[d].h * drives[d].h * drives[d].friction;
    if size > friction {
        joint_work[j] = slip(joint_work[j], needed * (friction / size));
        atomicStore(&unsettled, 1u);
    }
}

// Adds what acted on the axis of a joint.
fn note_axis(j: u32) {
    let d = joint_work[j].drive;
    if d == NO_JOINT || joint_work[j].holding == 0.0 {
        return;
    }
    if joint_work[j].piece != NO_AXIS {
        let moved = joint_work[j].displacement + joint_work[j].further;
        drives[d].impulse += joint_work[j].more;
        drives[d].position = drives[d].start + moved;
        drives[d].speed = moved / drives[d].h;
    }
    if joint_work[j].rubbing != NO_FRICTION {
        drives[d].turning += joint_work[j].side * held_impulse(j).angular;
    }
}
