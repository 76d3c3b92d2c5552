// Where impulses of attachments act on rigid bodies: motes-core's `attachment.rs`.

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
