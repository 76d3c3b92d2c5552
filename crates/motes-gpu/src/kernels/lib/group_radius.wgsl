// Radius of a particle by its group: rows of four at the end of the table of materials.

fn group_radius(kind: vec4u) -> f32 {
    let group = phase_of(kind) & GROUP_MASK;
    return table[params.radius_rows + group / 4u][group % 4u];
}
