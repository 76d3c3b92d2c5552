// Where impulses of attachments act on rigid bodies, and how they turn them: motes-core's `attachment.rs` and `rigid.rs`.

// Angular momentum times time that turns a body from one rotation to another.
fn angular_impulse_of(inertia: mat3x3f, from_rotation: vec4f, to_rotation: vec4f) -> vec3f {
    let angle = arc(compose(to_rotation, reverse(from_rotation)));
    return turned(inertia, compose(rotation_about(0.5 * angle), from_rotation)) * angle;
}

// Where that turns a body to.
fn turned_by(rotation: vec4f, inverse_inertia: mat3x3f, angular_impulse: vec3f) -> vec4f {
    var middle = turned(inverse_inertia, rotation) * angular_impulse;
    for (var k = 0u; k < 4u; k++) {
        let half = rotation_about(0.5 * middle);
        middle = turned(inverse_inertia, compose(half, rotation)) * angular_impulse;
    }
    return normalize(compose(rotation_about(middle), rotation));
}

// A part of the way from one rotation to another near it.
fn between(a: vec4f, b: vec4f, part: f32) -> vec4f {
    return normalize(a * (1.0 - part) + select(b, -b, dot(a, b) < 0.0) * part);
}

// The matrix of a cross product with an arm.
fn cross_matrix(a: vec3f) -> mat3x3f {
    return mat3x3f(vec3f(0.0, a.z, -a.y), vec3f(-a.z, 0.0, a.x), vec3f(a.y, -a.x, 0.0));
}

fn inverse(m: mat3x3f) -> mat3x3f {
    let x = cross(m[1], m[2]);
    let y = cross(m[2], m[0]);
    let z = cross(m[0], m[1]);
    return transpose(mat3x3f(x, y, z) * (1.0 / dot(m[2], z)));
}
