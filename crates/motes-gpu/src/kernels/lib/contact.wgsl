// Contact with friction and a little glue (Unified §6.1, eq. 22–25): the formulas of motes-core's `contact.rs`.

// A friction impulse projected onto Coulomb's cone over its load.
fn hold(impulse: vec3f, load: f32, static_friction: f32, kinetic_friction: f32) -> vec3f {
    let squared = dot(impulse, impulse);
    let sticks = static_friction * load;
    let slides = kinetic_friction * load;
    let kept = min(slides / max(sqrt(squared), 1e-37), 1.0);
    return impulse * select(kept, 1.0, squared <= sticks * sticks);
}

// A minute distance in a direction of its own for two particles in the very same place.
fn apart(offset: vec3f, first: u32, second: u32) -> vec3f {
    if dot(offset, offset) >= 1e-37 {
        return offset;
    }
    var state = first * 747796405u + second * 2891336453u + 1u;
    var direction = vec3f();
    for (var axis = 0u; axis < 3u; axis++) {
        state = state * 747796405u + 2891336453u;
        let word = ((state >> ((state >> 28u) + 4u)) ^ state) * 277803737u;
        direction[axis] = f32(word >> 8u) / f32(1u << 23u) - 1.0;
    }
    return 1e-15 * normalize(direction + vec3f(0.0, 1e-3, 0.0));
}
