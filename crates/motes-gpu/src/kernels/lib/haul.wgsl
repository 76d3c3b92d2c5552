// Rows that end at rigid bodies: motes-core's `hauling.rs`.

// A participant that belongs to a body.
struct HauledEnd {
    // Its candidate position and inverse mass before the rows moved it.
    old: vec4f,
    participant: u32,
    member: u32,
    // Its slot, plus one; zero if it is dead or no row acts on it.
    slot: u32,
    body: u32,
}

// A body and its ends, in order of members.
struct Load {
    body: u32,
    first: u32,
    count: u32,
    // Effective inverse mass of each end, 1/kg.
    mobility: f32,
}
