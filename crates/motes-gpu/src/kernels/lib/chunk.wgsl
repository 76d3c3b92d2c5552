// Part of the members of a large body.

struct Chunk {
    // Members.
    first: u32,
    count: u32,
    body: u32,
    // The first of the body's chunks, and how many there are.
    sibling: u32,
    // What the sums are relative to: the body's pose when they were taken.
    near: vec3f,
    siblings: u32,
    guess: vec4f,
    // Sums over the members for `matched`.
    moments: mat4x4f,
}
