// Where particles are of several sizes (SIZES is 1), the table of cells has levels, one behind the other: cells are twice as
// wide on each, and particles are on the level whose cells are as wide as they reach (motes-core's `sizes.rs`).

fn level_of(radius: f32) -> u32 {
    let below = vec3f(radius) <= params.largest * vec3f(0.5, 0.25, 0.125);
    let halved = select(vec3u(), vec3u(1u), below);
    return params.levels - 1u - (halved.x + halved.y + halved.z);
}

fn first_entry(level: u32) -> u32 {
    let all = params.cell_bits.x + params.cell_bits.y + params.cell_bits.z;
    var first = 0u;
    for (var below = 0u; below < level; below++) {
        first += 1u << (all - 3u * below);
    }
    return first;
}

// The entry of a cell of a level, in its coordinates.
fn entry_on(level: u32, cell: vec3i) -> u32 {
    let bits = params.cell_bits - vec3u(level);
    let wrapped = vec3u(cell) & ((vec3u(1u) << bits) - vec3u(1u));
    return first_entry(level) + (wrapped.x | (wrapped.y << bits.x) | (wrapped.z << (bits.x + bits.y)));
}
