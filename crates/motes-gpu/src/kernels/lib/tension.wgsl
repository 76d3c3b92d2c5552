// What surface tension is made of: the counterpart of `constraints/tension.rs` in motes-core. Rows of the table of materials have what a liquid pulls with: pairs, slopes,
// solids, walls.

fn alike(own: f32, other: f32) -> f32 {
    let sum = own + other;
    if own < 0.0 || other < 0.0 || sum <= 0.0 {
        return 1.0;
    }
    return 1.0 - sqrt(abs(own - other) / sum);
}

fn pull(q: f32) -> f32 {
    let left = max(1.0 - q, 0.0);
    return (q - REPELS) * left * left;
}

fn solid_pull(q: f32) -> f32 {
    let near = max(q, NEAR_SLOPE);
    return select(0.0, 1.0 / (near * near), q < 1.0);
}

fn wall_pull(q: f32) -> f32 {
    return 2.0 * max(1.0 - q, 0.0);
}

// Second slopes of `weight` along an offset and across it.
fn curves(q: f32) -> vec2f {
    let left = max(1.0 - q, 0.0);
    let along = 20.0 * left * left * (4.0 * q - 1.0);
    return vec2f(select(along, 0.0, q < NEAR_SLOPE), -slope(q));
}

fn beyond_curve(q: f32) -> f32 {
    let u = clamp(1.0 - q, 0.0, 1.0);
    let fourth = (u * u) * (u * u);
    return 21.0 * fourth * (1.0 - u) * (5.0 - 4.0 * u);
}

fn strength_of(i: u32) -> vec4f {
    if !is_liquid(ranges[i]) {
        return vec4f(-1.0, 0.0, 0.0, 0.0);
    }
    return table[fluid.tension_rows + material_of(kinds[sorted_kind_at(i)])];
}
