// Velocities after the solve and all rebounds. Rigid parts of creatures have rebounded as a whole.

// Whether it belongs to a rigid body, which has rebounded as a whole.
fn is_settled(i: u32) -> bool {
    return vectors[before_at(i)].w == 0.0;
}

// Velocity of a particle after the solve, which led it from `start` to `goal`, and the fraction of its next kick (w).
fn velocity_after(i: u32, start: vec3f, goal: vec3f, run: vec2u) -> vec4f {
    let before = vectors[before_at(i)];
    let old = before.xyz;
    let reach = select(1.0, before.w, BODIES == 1u);
    if is_in_part(i) || (BODIES == 1u && is_settled(i)) {
        return vectors[rebound_at(i)];
    }
    if params.rebounds == 1u {
        return rebound_from_colliders(i, run, old, vectors[rebound_at(i)], reach, true);
    }
    return rebound_from_colliders(i, run, old, vec4f(derived_velocity(start, goal, old), 1.0), reach, true);
}
