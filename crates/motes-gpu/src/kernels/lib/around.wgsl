// The cells around a point, as many on either side as a reach asks for, row by row: motes-core's `grid/around.rs`.

// How many cells of a level to look at on either side for all particles within a reach, in widths of cells, of one on a
// level so many higher, or lower.
fn cells_within(reach: f32, levels_below: i32) -> u32 {
    return u32(ceil(reach * 0.5 * (1.0 + exp2(f32(levels_below)))));
}

// Cells of the window along each axis; never more than there are, or some would come twice.
fn window_of(level: u32, aside: u32) -> vec3u {
    return min(vec3u(2u * aside + 1u), vec3u(1u) << (params.cell_bits - vec3u(level)));
}

// Slots of the particles in a row of the window around a cell: from the first to just before the second, and if the row
// wraps around, from the third to just before the fourth.
fn row_around(level: u32, cell: vec3i, aside: u32, row: u32) -> vec4u {
    return row_from(level, cell - vec3i(i32(aside)), window_of(level, aside), row);
}

// The same of a window that begins with a cell.
fn row_from(level: u32, begin: vec3i, window: vec3u, row: u32) -> vec4u {
    let bits = params.cell_bits - vec3u(level);
    let masks = (vec3u(1u) << bits) - vec3u(1u);
    let first = vec3u(begin) & masks;
    let y = (first.y + row % window.y) & masks.y;
    let z = (first.z + row / window.y) & masks.z;
    let entry = first_entry(level) + ((y << bits.x) | (z << (bits.x + bits.y)));
    let end = min(first.x + window.x, masks.x + 1u);
    let rest = first.x + window.x - end;
    var slots = vec4u(begin_of(entry + first.x), cells[entry + end - 1u], 0u, 0u);
    if rest > 0u {
        slots = vec4u(slots.xy, begin_of(entry), cells[entry + rest - 1u]);
    }
    return slots;
}
