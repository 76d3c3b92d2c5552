// Velocities after the solve.

// Line 24: the velocity that led from `start` to `goal`, within the limits.
fn derived_velocity(start: vec3f, goal: vec3f, old: vec3f) -> vec3f {
    let after = (goal - start) / params.h;
    let limited = old + clamp_length(after - old, params.max_change);
    return clamp_length(select(limited, after, params.max_change > 1e37), params.max_speed);
}
