// How rigid bodies get from one end of a sub-step to the other: motes-core's `rigid.rs` and `flight.rs`.

// How far something is from where a body has it; zero if not further than rounding numbers of that size takes it.
fn beyond_rounding(off: vec3f, size: f32) -> vec3f {
    let most = max(abs(off.x), max(abs(off.y), abs(off.z)));
    return select(vec3f(), off, most > ROUNDING * size);
}

struct Pose {
    position: vec3f,
    rotation: vec4f,
}

// A pose moved by a distance and turned by axis times angle.
fn moved(pose: Pose, distance: vec3f, axis: vec3f) -> Pose {
    return Pose(pose.position + distance, normalize(compose(rotation_about(axis), pose.rotation)));
}

// Axis times angle by which an angular momentum turns a body in a time, with the inertia of the middle of it.
fn turn_in(h: f32, rotation: vec4f, inverse_inertia: mat3x3f, angular_momentum: vec3f) -> vec3f {
    var middle = turned(inverse_inertia, rotation) * angular_momentum;
    for (var k = 0u; k < 4u; k++) {
        let half = rotation_about(0.5 * h * middle);
        middle = turned(inverse_inertia, compose(half, rotation)) * angular_momentum;
    }
    return h * middle;
}

// A body's pose at the start of the sub-step.
fn start_of_flight(b: u32) -> Pose {
    return Pose(bodies[b].from_position, bodies[b].from_rotation);
}

// Nothing turns a row of particles about itself.
fn is_row(b: u32) -> bool {
    let across = bodies[b].inertia * bodies[b].inverse_inertia;
    return across[0].x + across[1].y + across[2].z < 2.5;
}

// What an angular impulse comes to, by the axis that a row has halfway.
fn effective_impulse(b: u32, start: vec4f, impulse: vec3f) -> vec3f {
    if !is_row(b) {
        return impulse;
    }
    let axis = turn_in(1.0, start, bodies[b].inverse_inertia, impulse);
    let halfway = compose(rotation_about(0.5 * axis), start);
    return turned(bodies[b].inertia * bodies[b].inverse_inertia, halfway) * impulse;
}

// Where a distance and an angular impulse take it from there.
fn end_of_flight(b: u32, start: Pose, offset: vec3f, angular_impulse: vec3f) -> Pose {
    let axis = turn_in(1.0, start.rotation, bodies[b].inverse_inertia, angular_impulse);
    return moved(start, offset, axis);
}

// Whether there is any push in a sum of them, and how far it moves the centre.
fn is_pushed(sum: mat4x4f) -> bool {
    return any(sum[0].xyz != vec3f()) || any(sum[1].xyz != vec3f());
}

fn distance_of(sum: mat4x4f) -> vec3f {
    return sum[0].xyz * (1.0 / sum[0].w);
}
