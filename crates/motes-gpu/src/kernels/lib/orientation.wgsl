// How a particle with an orientation turns: motes-core's `orientation.rs`.

// Where an orientation gets to by a turn, axis times angle.
fn turned_on(start: vec4f, way: vec3f) -> vec4f {
    return normalize(compose(rotation_about(way), start));
}

// The shortest turn that leads from one orientation to another.
fn between(start: vec4f, end: vec4f) -> vec3f {
    return arc(compose(end, reverse(start)));
}

// Of all turns that lead there the one nearest to an expected turn.
fn between_near(start: vec4f, end: vec4f, expected: vec3f) -> vec3f {
    let shortest = between(start, end);
    let angle = length(shortest);
    if dot(expected, expected) < 4.0 || angle < 1e-3 {
        return shortest;
    }
    let axis = shortest / angle;
    let rounds = round((dot(expected, axis) - angle) / TURN);
    return axis * (angle + rounds * TURN);
}

// The turn that one turn and then another small one come to.
fn joined(way: vec3f, further: vec3f, start: vec4f) -> vec3f {
    if dot(way, way) < 0.04 && dot(further, further) < 1e-4 {
        let across = cross(further, way);
        return way + further + 0.5 * across + cross(further - way, across) / 12.0;
    }
    return between_near(start, turned_on(turned_on(start, way), further), way + further);
}

// Moments of inertia of a solid ellipsoid about its axes for each kg, m².
fn inertia_for(radii: vec3f) -> vec3f {
    let squares = radii * radii;
    return 0.2 * (squares.yzx + squares.zxy);
}

// The symmetric matrix with values along its axes, turned by a rotation.
fn turned_ellipsoid(rotation: vec4f, values: vec3f) -> Ellipsoid {
    let axes = matrix_of(rotation);
    let diagonal = values.x * axes[0] * axes[0] + values.y * axes[1] * axes[1] + values.z * axes[2] * axes[2];
    let mixed = values.x * axes[0] * axes[0].yzx + values.y * axes[1] * axes[1].yzx + values.z * axes[2] * axes[2].yzx;
    return Ellipsoid(diagonal, mixed);
}

// The angular velocity with which an ellipsoid goes on that nothing touches: it keeps its angular momentum.
fn precessed(rotation: vec4f, radii: vec3f, velocity: vec3f, h: f32) -> vec3f {
    let inertia = inertia_for(radii);
    let is_ball = radii.x == radii.y && radii.y == radii.z;
    if is_ball || length(velocity) * h > FOLLOWS_TURN {
        return velocity;
    }
    let before = turned_on(rotation, -0.5 * h * velocity);
    let momentum = turn(before, inertia * turn(reverse(before), velocity));
    var found = velocity;
    for (var k = 0u; k < 3u; k++) {
        let halfway = turned_on(rotation, 0.5 * h * found);
        found = turn(halfway, turn(reverse(halfway), momentum) / inertia);
    }
    return found;
}
