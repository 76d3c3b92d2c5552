// Rotations as unit quaternions. Sines and arcs are worked out here, because those of devices may be off by more than the
// spin of a body can bear.

fn turn(q: vec4f, v: vec3f) -> vec3f {
    return v + 2.0 * cross(q.xyz, cross(q.xyz, v) + q.w * v);
}

fn reverse(q: vec4f) -> vec4f {
    return vec4f(-q.xyz, q.w);
}

// First `b`, then `a`.
fn compose(a: vec4f, b: vec4f) -> vec4f {
    return vec4f(a.w * b.xyz + b.w * a.xyz + cross(a.xyz, b.xyz), a.w * b.w - dot(a.xyz, b.xyz));
}

fn matrix_of(q: vec4f) -> mat3x3f {
    let d = q.xyz + q.xyz;
    let s = q.xyz * d;
    let m = q.xyz * d.yzx;
    let w = q.w * d;
    return mat3x3f(
        vec3f(1.0 - s.y - s.z, m.x + w.z, m.z - w.y),
        vec3f(m.x - w.z, 1.0 - s.x - s.z, m.y + w.x),
        vec3f(m.z + w.y, m.y - w.x, 1.0 - s.x - s.y),
    );
}

// A tensor of the body's frame along the axes of the world.
fn turned(tensor: mat3x3f, q: vec4f) -> mat3x3f {
    let rotation = matrix_of(q);
    return rotation * tensor * transpose(rotation);
}

// The rotation about an axis by its length, radians.
fn rotation_about(axis: vec3f) -> vec4f {
    let half = 0.5 * axis;
    let s = dot(half, half);
    if s < 1.0 {
        let sine = 1.0 - s / 6.0 * (1.0 - s / 20.0 * (1.0 - s / 42.0 * (1.0 - s / 72.0)));
        let cosine = 1.0 - s / 2.0 * (1.0 - s / 12.0 * (1.0 - s / 30.0 * (1.0 - s / 56.0 * (1.0 - s / 90.0))));
        return vec4f(half * sine, cosine);
    }
    let length = sqrt(s);
    return vec4f(half * (sin(length) / length), cos(length));
}

// Axis times angle, by the shorter way: the tangent of an eighth of half the angle is small enough for a few terms.
fn arc(q: vec4f) -> vec3f {
    let rotation = select(q, -q, q.w < 0.0);
    let sine = length(rotation.xyz);
    if sine < 1e-12 {
        return 2.0 * rotation.xyz;
    }
    let half = sine / (1.0 + rotation.w);
    let quarter = half / (1.0 + sqrt(1.0 + half * half));
    let t = quarter / (1.0 + sqrt(1.0 + quarter * quarter));
    let s = t * t;
    let angle = 16.0 * t * (1.0 - s * (1.0 / 3.0 - s * (0.2 - s * (1.0 / 7.0 - s * (1.0 / 9.0 - s / 11.0)))));
    return rotation.xyz * (angle / sine);
}
