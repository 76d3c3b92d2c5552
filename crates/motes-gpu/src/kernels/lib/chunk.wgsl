// Part of the members of a large body.

struct Chunk {
    // Members.
    first: u32,
    count: u32,
    body: u32,
    // The first of the body's chunks, and how many there are.
    sibling: u32,
    // What the sums are relative to: the body's pose when they were taken. For the end of a rigid one, its offset and angular
    // impulse instead.
    near: vec3f,
    siblings: u32,
    guess: vec4f,
    // Sums over the members.
    moments: mat4x4f,
    // The body's pose at the end of the sub-step when they were taken.
    end_position: vec3f,
    unused: u32,
    end_rotation: vec4f,
}
