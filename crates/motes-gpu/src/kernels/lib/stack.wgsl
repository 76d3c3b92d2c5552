// Mass scaling (eq. 21): factors on the inverse masses of both particles of a pair.

fn stack_shares(a: f32, b: f32, stack: f32) -> vec2f {
    let ratio = exp(clamp(stack, -STEEPEST, STEEPEST));
    let share = (a + b) / (a + b * ratio);
    return vec2f(share, share * ratio);
}
