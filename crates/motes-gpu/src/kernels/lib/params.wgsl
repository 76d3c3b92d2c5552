// What all stages of a frame depend on, besides the particles.

struct Params {
    gravity: vec3f,
    // Length of a sub-step, seconds.
    h: f32,
    // Mass scaling per metre, times the unit vector against gravity.
    stack: vec3f,
    // Particles. This and the next three come from the census of the frame.
    count: u32,
    // Sides of the table of cells, as powers of two, and its entries.
    cell_bits: vec3u,
    entries: u32,
    // The cell with which the table begins, so that it seldom wraps around among the particles.
    origin: vec3i,
    // Entries that there is room for.
    entry_room: u32,
    materials: u32,
    fields: u32,
    pair_capacity: u32,
    inverse_cell: f32,
    radius: f32,
    // Distance below which particles touch, and within which they are neighbours, metres; of several sizes, the latter in
    // distances at which they touch.
    touch: f32,
    reach: f32,
    relaxation: f32,
    // Relative motion in a sub-step below which particles are at rest with each other, metres.
    calm: f32,
    // How far friction goes at a time; 0 without friction.
    across: f32,
    // Warm starting: fraction of an impulse of the sub-step before that contacts start from.
    memory: f32,
    // What is left after a sub-step of how far overlaps of bodies at rest are undone.
    fading: f32,
    // Impulse of a tensile strength of one pascal, kg·m; of several sizes, of those with a radius of one metre.
    grip: f32,
    max_speed: f32,
    // Largest change of velocity by constraints, m/s.
    max_change: f32,
    // Distance below which a particle in contact stays where it is, metres.
    rest: f32,
    restitution_threshold: f32,
    // 0: corrections in full, 1: divided by their number, 2: by their number in the busiest direction.
    averaging: u32,
    // 1 if friction acts on velocities.
    velocity_friction: u32,
    // Indices of ids among which members of bodies are looked up.
    indices: u32,
    // Vectors from one section of a particle's to the next.
    stride: u32,
    // 1 if overlaps at the start are undone.
    stabilizes: u32,
    // 1 if particles rebound from each other.
    rebounds: u32,
    // Bodies.
    bodies: u32,
    // Unit vector against gravity, per mean size of bodies, and mass scaling between bodies for each of them.
    body_up: vec3f,
    body_scaling: f32,
    // Sixtieths of a second in an iteration.
    iteration_part: f32,
    // Members of bodies that there is room for.
    members: u32,
    // Where particles are of several sizes: levels of the table of cells, the largest radius, the rows of the table of
    // materials with the radius of each group, and where that of each particle is among the vectors.
    levels: u32,
    largest: f32,
    radius_rows: u32,
    radius_section: u32,
    // Length of the frame's sub-steps over that of the sub-step before the frame.
    longer: f32,
    // Where grains turn, the first of three sections of the vectors, and the rows of the table of materials with the rolling resistance of
    // each pair of them.
    turned_section: u32,
    rolling_rows: u32,
    // What `reach` is for all but particles of bodies with inscribed balls, in distances at which particles touch.
    near: f32,
    // Where there are liquids, the section of the vectors with velocities before damping.
    flow_section: u32,
    // Where there is gas, the section of the vectors about its warmth.
    warmth_section: u32,
    // The rows of the table of materials with what gases are driven by.
    gas_rows: u32,
    // The smallest radius.
    smallest: f32,
    // Where there are creatures, the first of the sections about the shapes of particles.
    outline_section: u32,
    unused: u32,
}

// Kind of a particle: phase, material, and the index of its id.
fn phase_of(kind: vec4u) -> u32 {
    return kind.x;
}

fn material_of(kind: vec4u) -> u32 {
    return kind.y;
}

fn index_of(kind: vec4u) -> u32 {
    return kind.z;
}

// Where a particle would be after the sub-step if nothing were in the way. Worked out more than once, and fused lest
// it be rounded in different ways.
fn candidate(position: vec3f, velocity: vec3f) -> vec3f {
    return fma(vec3f(params.h), velocity, position);
}

fn clamp_length(v: vec3f, most: f32) -> vec3f {
    let squared = dot(v, v);
    if squared > most * most {
        return v * (most / sqrt(squared));
    }
    return v;
}

fn normal_or_zero(v: vec3f) -> vec3f {
    let squared = dot(v, v);
    if squared > 0.0 {
        return v / sqrt(squared);
    }
    return vec3f();
}
