// The material table: one row per material (gravity scale, damping, viscosity, vorticity), then the coefficients of each pair of materials
// between particles: static friction, kinetic friction, restitution, cohesion. Force fields follow, then radii of groups, rolling resistances and tensions.

// Rolling resistance between two particles: behind the radii in the table. What does not turn leaves it to the other.
fn pair_rolling(first: u32, second: u32, turns: vec2<bool>) -> f32 {
    let a = material_of(kinds[sorted_kind_at(first)]);
    let b = material_of(kinds[sorted_kind_at(second)]);
    let row = table[params.rolling_rows + a * params.materials + b];
    return select(select(row.z, row.y, turns.x), row.x, all(turns));
}

fn pair_coefficients(first: u32, second: u32) -> vec4f {
    if params.materials == 1u {
        // The kinds of both particles need not be fetched.
        return table[1];
    }
    let a = material_of(kinds[sorted_kind_at(first)]);
    let b = material_of(kinds[sorted_kind_at(second)]);
    return table[params.materials + a * params.materials + b];
}
