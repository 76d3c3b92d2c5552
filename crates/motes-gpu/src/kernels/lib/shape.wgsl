// Signed distances of solids: xyz is the unit direction in which the distance w grows.

// The triangle that a shell looks at.
const TRIANGLE = SHAPE_KINDS;


var<private> shape: Record;

// Whether the kernel was made for shapes of a kind: SHAPES has one bit for each.
fn knows(kind: u32) -> bool {
    return (SHAPES & (1u << kind)) != 0u;
}

fn signed_distance(kind: u32, point: vec3f) -> vec4f {
    if kind == TRIANGLE {
        return face_distance(point);
    }
    if knows(HULL) && kind == HULL {
        return hull_distance(point);
    }
    if knows(GRID) && kind == GRID {
        return grid_distance(point);
    }
    if kind == SPHERE {
        return sphere_distance(shape.size.x, point);
    }
    if kind == CAPSULE {
        return capsule_distance(shape.size.x, shape.size.y, point);
    }
    if kind == CUBOID {
        return cuboid_distance(shape.size.xyz, point);
    }
    return plane_distance(shape.size, point);
}

fn plane_distance(plane: vec4f, point: vec3f) -> vec4f {
    return vec4f(plane.xyz, dot(plane.xyz, point) - plane.w);
}

fn sphere_distance(radius: f32, point: vec3f) -> vec4f {
    return vec4f(direction_or(point, vec3f(0.0, 1.0, 0.0)), length(point) - radius);
}

fn capsule_distance(half_length: f32, radius: f32, point: vec3f) -> vec4f {
    let away = point - vec3f(0.0, clamp(point.y, -half_length, half_length), 0.0);
    return vec4f(direction_or(away, vec3f(1.0, 0.0, 0.0)), length(away) - radius);
}

fn cuboid_distance(half_size: vec3f, point: vec3f) -> vec4f {
    let beyond = abs(point) - half_size;
    let sign = select(vec3f(1.0), vec3f(-1.0), point < vec3f());
    let outside = max(beyond, vec3f()) * sign;
    if has_direction(outside) {
        return vec4f(normalize(outside), length(outside));
    }
    var axis = select(0u, 1u, beyond.y > beyond.x);
    axis = select(axis, 2u, beyond.z > beyond[axis]);
    var normal = vec3f();
    normal[axis] = sign[axis];
    return vec4f(normal, beyond[axis]);
}

fn has_direction(v: vec3f) -> bool {
    let size = length(v);
    return size > 0.0 && size < LARGEST;
}

fn direction_or(v: vec3f, fallback: vec3f) -> vec3f {
    if has_direction(v) {
        return v / length(v);
    }
    return fallback;
}

fn largest(v: vec3f) -> f32 {
    return max(v.x, max(v.y, v.z));
}
