// Contacts of two particles that turn about levers: motes-core's `levers.rs`, from the centre of each to where they touch.

// From its centre to where a particle touches that lies along a unit vector, in its radii.
fn pair_arm(i: u32, normal: vec3f) -> vec3f {
    return ellipsoid_point(outline_of(i), normal) / radius_of(i);
}

// What an impulse on the first along with a couple does to both, kg·m.
fn twists_of(first: u32, second: u32, normal: vec3f, impulse: vec3f, couple: vec3f) -> array<vec3f, 2> {
    let part = rolling_part(first, second);
    return array(
        cross(-pair_arm(first, normal), impulse) + part * couple,
        cross(impulse, pair_arm(second, normal)) - (1.0 - part) * couple,
    );
}

// What turning adds to the effective inverse mass of a particle at the end of a lever along a unit vector, as a part of that; the same on average over
// all directions across it.
fn lever_yields(i: u32, arm: vec3f, normal: vec3f) -> vec2f {
    let yields = yields_of(i);
    let torque = cross(arm, normal);
    let along = dot(torque, times_ellipsoid(yields, torque));
    var sum = 0.0;
    for (var axis = 0u; axis < 3u; axis++) {
        var direction = vec3f();
        direction[axis] = 1.0;
        let about = cross(arm, direction);
        sum += dot(about, times_ellipsoid(yields, about));
    }
    return vec2f(along, 0.5 * max(sum - along, 0.0));
}
