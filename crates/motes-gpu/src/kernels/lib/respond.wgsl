// How a row answers to its error, given the effective inverse mass of its particles: its compliance divided by the square of
// the sub-step, and its step. motes-core's `softness.rs`.

fn respond(softness: f32, inverse_mass: f32) -> vec2f {
    // Kernels know no infinity.
    let compliance = min(max(softness, 0.0), 1e37 * params.h * params.h) / (params.h * params.h);
    var share = 1.0;
    if softness < 0.0 {
        let left = 1.0 + softness;
        share = select(1.0, 1.0 - pow(left, params.iteration_part), left > 0.0);
    }
    let yields = inverse_mass + compliance;
    if yields <= 0.0 {
        return vec2f();
    }
    return vec2f(compliance, share / yields);
}
