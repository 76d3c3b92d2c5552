// Creatures: the lists of motes-core's `creature/lists.rs`, and what is known of everything in them throughout a sub-step.

struct CreatureParams {
    creatures: u32,
    // Where the parts of `links` begin: of each member its entries in neighbourhoods, its ends of edges and its entries in rigid parts, first where those of
    // each begin and then they; then the member and the part of each of the latter.
    entry_starts: u32,
    entry_list: u32,
    edge_starts: u32,
    edge_list: u32,
    part_starts: u32,
    part_list: u32,
    part_members: u32,
    part_numbers: u32,
    part_entries: u32,
    // The largest gain of neighbourhoods and edges in a sub-step.
    most_gain: f32,
    unused: u32,
}

struct CreatureMember {
    rest: vec3f,
    mass: f32,
    rest_rotation: vec4f,
    radii: vec3f,
    // The share of its mass that each of its neighbourhoods counts on, and each of its rigid parts.
    share: f32,
    // Where the sub-step starts and where it is, metres.
    start: vec3f,
    part_share: f32,
    place: vec3f,
    // The neighbourhood of which it is the middle.
    neighborhood: u32,
    // How it was turned at the start, and is.
    origin: vec4f,
    rotation: vec4f,
    // How it turned in between, axis times angle.
    turned: vec3f,
    // Index of its id.
    index: u32,
    // What contacts have turned it by that is not in `rotation`, because it turns only together with its part, kg·m².
    torque: vec3f,
    // Whether anything can move it, and turn it.
    moves: u32,
    // How far it was moved by shapes in the sub-step, metres.
    pulled: vec3f,
    turns: u32,
    // Which part of its weight it feels.
    weight: f32,
    unused_x: u32,
    unused_y: u32,
    unused_z: u32,
}

// A rigid part.
struct CreaturePart {
    // How its rest shape was turned at the start, and is.
    origin: vec4f,
    rotation: vec4f,
    rest_center: vec3f,
    mass: f32,
    // A place near it, and where its centre started from there.
    near: vec3f,
    // Its entries.
    first: u32,
    center: vec3f,
    count: u32,
    // How far its centre has gone since.
    travel: vec3f,
    // Effective inverse mass of each of its contacts, 1/kg.
    mobility: f32,
    // How it turned since.
    turned: vec3f,
    // Whether it rebounds as a whole, and how: velocity and angular velocity.
    bounces: u32,
    rebound: vec3f,
    unused_x: u32,
    rebound_spin: vec3f,
    unused_y: u32,
    // `Σ m y yᵀ` at the start, spins included, and the inverse of the inertia there.
    before: mat3x3f,
    inverse: mat3x3f,
}

// What contacts of a member do to a rigid part that it is in.
struct PartLoad {
    // From the centre of the part; the slot of the member, plus one, 0 of the dead.
    center: vec3f,
    slot: u32,
    // Sums over contacts: of arms, and how many there are.
    arms: vec3f,
    count: f32,
    normals: mat3x3f,
    turning: mat3x3f,
    about: mat3x3f,
    // As if they acted in all directions.
    everywhere: mat3x3f,
}
