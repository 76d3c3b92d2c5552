// Rows that keep a distance, or, with a rest value below zero, one that is not exceeded: motes-core's `distance.rs`.

// The change of the impulse of a row, given its compliance and its step.
fn project(length: f32, rest: f32, impulse: f32, response: vec2f) -> f32 {
    let more = -(length - abs(rest) + response.x * impulse) * response.y;
    let allowed = select(more, min(impulse + more, 0.0) - impulse, rest < 0.0);
    return select(0.0, allowed, length > SAME_PLACE);
}

// Whether a row acts in a sub-step that begins with so much of the length, squared.
fn may_act(rest: f32, length_squared: f32) -> bool {
    return rest >= 0.0 || length_squared > (SLACK * rest) * (SLACK * rest);
}
