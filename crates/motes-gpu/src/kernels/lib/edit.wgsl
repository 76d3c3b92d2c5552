// What kernels that edit and gather chosen particles share.

struct EditParams {
    // Rows of edits, or particles asked for.
    rows: u32,
    // Vectors from one section of a particle's to the next.
    stride: u32,
}

// One edit; those of a particle follow each other.
struct EditRow {
    value: vec3f,
    // Inverse mass, or stiffness of a spring.
    amount: f32,
    // Index of the particle's id.
    index: u32,
    // 0 position, 1 velocity, 2 inverse mass, 3 phase, 4 material, 5 impulse, 6 spring.
    what: u32,
    // The phase or material, or the bits of a spring's damping.
    word: u32,
    seconds: f32,
}

const NOWHERE = 0xffffffffu;

// The slot of the particle with an index, as it was located last; nowhere if it is dead.
fn slot_of(index: u32) -> u32 {
    let slot = slots[min(index, arrayLength(&slots) - 1u)];
    if slot < census[0] && kinds[slot].z == index {
        return slot;
    }
    return NOWHERE;
}
