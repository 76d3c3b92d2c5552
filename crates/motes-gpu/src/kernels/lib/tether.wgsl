// Rows that keep a distance, or, with a rest value below zero, one that is not exceeded: motes-core's `distance.rs`.

// The change of the impulse of a row, given its compliance and its step.
fn project(length: f32, rest: f32, impulse: f32, response: vec2f) -> f32 {
    let more = -(length - abs(rest) + response.x * impulse) * response.y;
    let allowed = select(more, min(impulse + more, 0.0) - impulse, rest < 0.0);
    return select(0.0, allowed, length > SAME_PLACE);
}

// What a row asks for in a sub-step that starts with so much of the length: a tether that is too long shortens
// at its own pace.
fn asked_of(rest: f32, length_at_start: f32) -> f32 {
    let too_long = max(length_at_start + rest, 0.0);
    return select(rest, rest - too_long * max(1.0 - CLOSING * params.h, 0.0), rest < 0.0);
}

// Whether a row acts in a sub-step that begins with so much of the length, squared.
fn may_act(rest: f32, length_squared: f32) -> bool {
    return rest >= 0.0 || length_squared > (SLACK * rest) * (SLACK * rest);
}
