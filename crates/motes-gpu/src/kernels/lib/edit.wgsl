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
    // Inverse mass, or stiffness of a spring times the time for which it pulls.
    amount: f32,
    // Index of the particle's id.
    index: u32,
    // SET_POSITION and the like.
    what: u32,
    // The phase or material, or the bits of a spring's resistance times its time.
    word: u32,
    // Effective inverse mass that a spring meets.
    mobility: f32,
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
