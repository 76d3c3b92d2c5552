// Counts a particle of a kind into the cell of a point.

fn count_into_cell(i: u32, point: vec3f, kind: vec4u) {
    let cell = cell_of(point);
    var entry = entry_of(cell);
    if SIZES == 1u {
        let level = level_of(group_radius(kind));
        entry = entry_on(level, cell >> vec3u(level));
    }
    atomicStore(&cells[key_place() + i], entry);
    atomicAdd(&cells[entry], 1u);
}
