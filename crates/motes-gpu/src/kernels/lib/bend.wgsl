// Rows that keep a curvature, the vector `Σ wₖ xₖ` of four particles: motes-core's `bending.rs`.

struct Bend {
    // Slots of its particles, and the weights of their positions.
    slots: vec4u,
    weights: vec4f,
    // Its length at rest, with the sign of its product with the normal.
    rest: f32,
    // How it answers in the sub-step. A step of 0 is that of a row that does nothing.
    compliance: f32,
    step: f32,
    unused: f32,
}

// How far a curvature vector is from what it is to be.
fn bend_error(v: vec3f, rest: f32, normal: vec3f) -> vec3f {
    if rest == 0.0 {
        return v;
    }
    let length = sqrt(dot(v, v));
    if length > STRAIGHT {
        return v * (1.0 - select(rest, -rest, dot(v, normal) < 0.0) / length);
    }
    return v - rest * normal_or_zero(normal);
}

// The change of the impulse of a row whose particles are at these places.
fn bend_change(bend: Bend, a: vec3f, b: vec3f, c: vec3f, d: vec3f, impulse: vec3f) -> vec3f {
    // The weights add up to zero, and differences of neighbours are exact.
    let v = bend.weights.y * (b - a) + bend.weights.z * (c - a) + bend.weights.w * (d - a);
    let normal = cross(b - a, c - a) + cross(d - a, b - a);
    return -(bend_error(v, bend.rest, normal) + bend.compliance * impulse) * bend.step;
}
