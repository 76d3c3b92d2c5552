// Ellipsoids that touch: motes-core's `ellipsoid.rs`. One is a symmetric matrix, its diagonal and its elements xy, yz, zx.

struct Ellipsoid {
    diagonal: vec3f,
    mixed: vec3f,
}

fn times_ellipsoid(shape: Ellipsoid, v: vec3f) -> vec3f {
    return shape.diagonal * v + shape.mixed * v.yzx + shape.mixed.zxy * v.zxy;
}

// How far it reaches along a unit vector.
fn ellipsoid_reach(shape: Ellipsoid, normal: vec3f) -> f32 {
    return sqrt(dot(normal, times_ellipsoid(shape, normal)));
}

// Its point that lies furthest along a unit vector.
fn ellipsoid_point(shape: Ellipsoid, normal: vec3f) -> vec3f {
    let through = times_ellipsoid(shape, normal);
    return through * (1.0 / sqrt(dot(normal, through)));
}

// The inverse matrix times a vector, but for its length.
fn solve_direction(shape: Ellipsoid, v: vec3f) -> vec3f {
    let d = shape.diagonal;
    let m = shape.mixed;
    let diagonal = d.yzx * d.zxy - m.yzx * m.yzx;
    let mixed = m.yzx * m.zxy - m * d.zxy;
    return times_ellipsoid(Ellipsoid(diagonal, mixed), v);
}

// Normal of a contact, towards the first, and the distance between the surfaces along it (w). The offset leads from the centre of the second to
// that of the first and is not zero.
fn touch_ellipsoids(offset: vec3f, first: Ellipsoid, second: Ellipsoid) -> vec4f {
    let direction = offset * (1.0 / sqrt(dot(offset, offset)));
    var normal = direction;
    var reaches = vec2f(ellipsoid_reach(first, normal), ellipsoid_reach(second, normal));
    for (var round = 0u; round < ELLIPSOID_ROUNDS; round++) {
        let a = 1.0 + reaches.y / reaches.x;
        let b = 1.0 + reaches.x / reaches.y;
        let diagonal = first.diagonal * a + second.diagonal * b;
        let mixed = first.mixed * a + second.mixed * b;
        let scale = 1.0 / (diagonal.x + diagonal.y + diagonal.z);
        let across = solve_direction(Ellipsoid(diagonal * scale, mixed * scale), direction);
        normal = across * (1.0 / sqrt(dot(across, across)));
        reaches = vec2f(ellipsoid_reach(first, normal), ellipsoid_reach(second, normal));
    }
    return vec4f(normal, dot(offset, normal) - reaches.x - reaches.y);
}
