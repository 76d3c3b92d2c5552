// The table of cells: coordinates wrap around its sides, so distant cells may share an entry. The buffer holds, for each
// entry, where its particles end; then the particles entry by entry; then the entry of each particle.

fn cell_of(point: vec3f) -> vec3i {
    return vec3i(floor(clamp(point * params.inverse_cell, vec3f(-1e9), vec3f(1e9)))) - params.origin;
}

fn entry_of(cell: vec3i) -> u32 {
    let bits = params.cell_bits;
    let wrapped = vec3u(cell) & ((vec3u(1u) << bits) - vec3u(1u));
    return wrapped.x | (wrapped.y << bits.x) | (wrapped.z << (bits.x + bits.y));
}

// Place of the list of particles in the buffer. The sum of all lies before it.
fn list_place() -> u32 {
    return params.entries + 4u;
}

fn key_place() -> u32 {
    return list_place() + params.count;
}
