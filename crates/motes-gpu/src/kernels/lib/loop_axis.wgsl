// What acts on the axes of joints in loops: motes-core's `attachment.rs` and `joints.rs`. Kernels have `bodies`, `attachments` and
// `drives`, and sides of attachments.

// A point of what is joined and its rotation at the end of the sub-step.
fn frame_of(d: u32, b: u32, side: Side) -> JointFrame {
    if b == NO_BODY {
        return JointFrame(drives[d].base_end + turn(drives[d].base_to, drives[d].anchor), drives[d].base_to);
    }
    return JointFrame(side.center + side.arm, bodies[b].to_rotation);
}

// How far what is on a side has turned.
fn turn_of(d: u32, b: u32) -> vec3f {
    if b == NO_BODY {
        return arc(compose(drives[d].base_to, reverse(drives[d].base_from)));
    }
    return arc(compose(bodies[b].to_rotation, reverse(bodies[b].from_rotation)));
}

// A side that is met at another place.
fn met_at(side: Side, b: u32, place: vec3f) -> Side {
    var moved = side;
    if b == NO_BODY {
        return Side(place, vec3f(), vec3f(), 0.0, mat3x3f());
    }
    moved.arm = place - side.center;
    moved.start = moved.arm;
    if !is_a(b, KINEMATIC) {
        let rotation = bodies[b].to_rotation;
        let start = between(bodies[b].from_rotation, rotation, bodies[b].lever);
        moved.start = turn(start, turn(reverse(rotation), moved.arm));
    }
    return moved;
}

// Friction and damping of a ball joint.
fn rub(d: u32, attachment: Attachment, first: Side, second: Side) {
    let mobility = trace(first.inverse_inertia + second.inverse_inertia) / 3.0;
    if mobility <= 0.0 {
        return;
    }
    let h = drives[d].h;
    let turned_by_now = turn_of(d, attachment.body) - turn_of(d, attachment.other);
    let friction = h * h * drives[d].friction;
    let damping = h * drives[d].damping;
    let so_far = drives[d].turning;
    let needed = so_far - turned_by_now / mobility;
    let size = length(needed);
    var more = needed - so_far;
    if size > friction {
        more = (needed * (friction / size) - so_far - damping * turned_by_now) / (1.0 + damping * mobility);
    }
    drives[d].turning = so_far + more;
    push(first, attachment, 0u, vec3f(), more);
    push(second, attachment, 1u, vec3f(), -more);
}

// What acts on the axis of a joint.
fn act(d: u32, a: u32) {
    let attachment = attachments[a];
    var first = side_of(attachment, 0u);
    var second = side_of(attachment, 1u);
    var body = frame_of(d, attachment.body, first);
    var partner = frame_of(d, attachment.other, second);
    // Before friction of a ball joint turns it, as motes-core has it.
    let displacement = apart_by(d, drives[d].place, place_of_joint(d, body, partner));
    let leaning = direction_of(d, body, partner);
    if rubs(d) {
        rub(d, attachment, first, second);
        first = side_of(attachment, 0u);
        second = side_of(attachment, 1u);
    }
    if has_axis(d) {
        let direction = select(drives[d].along, leaning, drives[d].kind == BALL_JOINT);
        if drives[d].kind == SLIDER {
            second = met_at(second, attachment.other, body.point);
        }
        var mobility = dot(direction, (first.inverse_inertia + second.inverse_inertia) * direction);
        if is_linear(d) {
            mobility = dot(direction, (mobility_of(first) + mobility_of(second)) * direction);
        }
        if mobility > 0.0 {
            let so_far = drives[d].impulse;
            let met = meet(law_of(d), displacement, so_far, mobility).impulse;
            let more = (met - so_far) * direction;
            drives[d].impulse = met;
            let linear = select(vec3f(), more, is_linear(d));
            push(first, attachment, 0u, linear, more - linear);
            push(second, attachment, 1u, -linear, linear - more);
            if drives[d].kind == DISTANCE {
                attachments[a].impulse += more;
            }
        }
    }
    first = side_of(attachment, 0u);
    second = side_of(attachment, 1u);
    body = frame_of(d, attachment.body, first);
    partner = frame_of(d, attachment.other, second);
    let moved = apart_by(d, drives[d].place, place_of_joint(d, body, partner));
    drives[d].position = drives[d].start + moved;
    drives[d].speed = moved / drives[d].h;
}
