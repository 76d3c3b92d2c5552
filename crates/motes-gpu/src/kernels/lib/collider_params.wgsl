// What the kernels that deal with colliders know of a sub-step. Places in the pool count words.

struct ColliderParams {
    // Particles.
    count: u32,
    // First record of the sub-step in the pool, and how many there are.
    records: u32,
    colliders: u32,
    // Coefficients of each pair of materials in the pool, and the number of materials.
    surfaces: u32,
    materials: u32,
    // Origin and material of each of the frame's colliders in the pool, and their number.
    origins: u32,
    places: u32,
    // Room for contacts, or for overlaps.
    capacity: u32,
    // The sub-step's two counters: results, and results that found no room.
    counters: u32,
    substep: u32,
    // 1 in the last sub-step of the frame.
    is_last: u32,
    // Particle radius, metres.
    radius: f32,
    // Largest impulse by which a contact of one pascal pulls in the sub-step, kg·m; of particles with a radius of one metre
    // where they have several.
    grip: f32,
    // Length of the sub-step, seconds.
    h: f32,
    // Radius of each group in the pool, and how many there are; none where all particles have one radius.
    radii: u32,
    groups: u32,
}
