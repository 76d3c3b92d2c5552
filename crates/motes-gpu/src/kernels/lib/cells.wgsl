// The table of cells: coordinates wrap around its sides, so distant cells may share an entry.

fn cell_of(point: vec3f) -> vec3i {
    return vec3i(floor(clamp(point * params.inverse_cell, vec3f(-2e9), vec3f(2e9))));
}

fn entry_of(cell: vec3i) -> u32 {
    let bits = params.cell_bits;
    let wrapped = vec3u(cell) & ((vec3u(1u) << bits) - vec3u(1u));
    return wrapped.x | (wrapped.y << bits.x) | (wrapped.z << (bits.x + bits.y));
}
