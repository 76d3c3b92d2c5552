// Mass scaling (eq. 21): how far an impulse moves either particle of a pair, compared to what their masses say.

fn stack_shares(a: f32, b: f32, stack: f32) -> vec2f {
    let ratio = exp(clamp(stack, -STEEPEST, STEEPEST));
    let share = (a + b) / (a + b * ratio);
    return vec2f(share, share * ratio);
}
