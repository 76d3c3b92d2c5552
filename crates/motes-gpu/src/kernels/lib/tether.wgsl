// Rows that keep a distance, or, with a rest value below zero, one that is not exceeded: motes-core's `distance.rs`.

// The change of the impulse of a row, given its compliance and its step.
fn project(length: f32, rest: f32, impulse: f32, response: vec2f) -> f32 {
    let more = -(length - abs(rest) + response.x * impulse) * response.y;
    let allowed = select(more, min(impulse + more, 0.0) - impulse, rest < 0.0);
    return select(0.0, allowed, length > SAME_PLACE);
}

// The same in one of several iterations, after the last of which the impulse changed by `last`: `hasten` there.
fn hasten(length: f32, rest: f32, so_far: vec2f, response: vec2f, keep: f32, take: f32) -> f32 {
    let plain = -(length - abs(rest) + max(response.x, 0.0) * so_far.x) * response.y;
    let size = abs(plain);
    let onward = so_far.y * select(1.0, -1.0, plain < 0.0);
    let part = select(4.0 * size, size + onward, onward < 0.0);
    let whole = max(select(onward, size, onward < 0.0), SAME_PLACE);
    let haste = select(1.0 - response.x * response.y, 0.0, response.x < 0.0) * clamp(part / whole, 0.0, 1.0);
    let most = max(length, abs(rest)) * response.y;
    let more = clamp(plain + haste * (keep * so_far.y + (take - 1.0) * plain), -most, most);
    let allowed = select(more, min(so_far.x + more, 0.0) - so_far.x, rest < 0.0);
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
