// Counts a particle into the cell of a point.

fn count_into_cell(i: u32, point: vec3f) {
    let entry = entry_of(cell_of(point));
    atomicStore(&cells[key_place() + i], entry);
    atomicAdd(&cells[entry], 1u);
}
