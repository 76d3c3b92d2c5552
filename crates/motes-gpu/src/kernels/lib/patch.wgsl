// Sheets cut into patches, as `engine/patches.rs` does it.

struct Patch {
    first: u32,
    owned: u32,
    ring: u32,
    locals: u32,
    first_row: u32,
    rows: u32,
    first_bend: u32,
    bends: u32,
    counts: u32,
    bend_list: u32,
    row_list: u32,
    most_bends: u32,
}

// A curvature of a patch: its particles there, 16 bits each, and how it answers.
struct PatchBend {
    locals: vec2u,
    rest: f32,
    compliance: f32,
    weights: vec4f,
}

fn halves_of(word: u32) -> vec2u {
    return vec2u(extractBits(word, 0u, 16u), word >> 16u);
}

// How many there are in all patches.
struct PatchParams {
    members: u32,
    rows: u32,
    bends: u32,
    unused: u32,
}
