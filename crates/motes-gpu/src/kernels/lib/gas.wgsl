// Gas: motes-core's `smoke/swirls.rs` and `smoke/forces.rs`.

struct GasParams {
    // Part of the vortex strength that passes into motion in a sub-step, and what growth is multiplied with, seconds.
    passed: f32,
    grown: f32,
    // What makes a slope of the lattice exact, and one over what its next layer weighs.
    exact: f32,
    per_layer: f32,
    // Most of a change of velocity by vortex strengths, in smoothing radii a second.
    farthest: f32,
    // 1 if gas rolls up.
    swirls: u32,
    // Regions with a temperature of their own.
    zones: u32,
    // Which of two places temperatures are at when all exchanges are done.
    warmth_at_last: u32,
    // Length of the frame, seconds.
    dt: f32,
    unused_a: u32,
    unused_b: u32,
    unused_c: u32,
}
