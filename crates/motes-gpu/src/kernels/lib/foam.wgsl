// Spray, foam and bubbles: motes-core's `foam`.

struct FoamParams {
    // Most that a liquid particle gives off in a frame where air is trapped, and at crests.
    air: f32,
    crest: f32,
    // Thresholds of how fast it meets others, m/s, of how sharp its surface is, and of its speed squared, each with one over how far they are apart.
    meeting: vec2f,
    sharpness: vec2f,
    energy: vec2f,
    // One over what sums over neighbours are where everything is full.
    per_full: f32,
    most_viscosity: f32,
    lifetime: f32,
    most: u32,
    // Random bits of seed and frame.
    random: u32,
    // Neighbours below which a particle is spray, and of those above from which on a bubble.
    few: f32,
    covered: f32,
    // What is left of the speed of spray through air, and of bubbles through liquid.
    flies: f32,
    swims: f32,
    // Radius that colliders see, metres.
    size: f32,
    // Particles of the world that there is room for.
    particles: u32,
    // Which of two numbers says how many passive particles there are before the frame gives off more.
    counter: u32,
    // What gravity adds to spray, and buoyancy to bubbles, m/s; how the air moves.
    kick: vec3f,
    unused_x: u32,
    lift: vec3f,
    unused_y: u32,
    wind: vec3f,
    unused_z: u32,
}

// A value between thresholds, given by the first and one over how far they are apart.
fn clamped(value: f32, thresholds: vec2f) -> f32 {
    return clamp((value - thresholds.x) * thresholds.y, 0.0, 1.0);
}

fn random_bits(number: u32) -> u32 {
    let state = number * 747796405u + 2891336453u;
    let word = ((state >> ((state >> 28u) + 4u)) ^ state) * 277803737u;
    return (word >> 22u) ^ word;
}

fn unit_of(bits: u32) -> f32 {
    return f32(bits >> 8u) / 16777216.0;
}
