// Signed distances on a regular grid, interpolated trilinearly. Its data: origin, cell size, number of samples along
// each axis, most that the distance changes per metre, and the samples, x fastest.

fn grid_cell() -> f32 {
    return number_at(shape.data + 3u);
}

fn grid_samples() -> vec3u {
    return vec3u(pool[shape.data + 4u], pool[shape.data + 5u], pool[shape.data + 6u]);
}

fn grid_steepness() -> f32 {
    return number_at(shape.data + 7u);
}

fn grid_low() -> vec3f {
    return point_at(shape.data);
}

fn grid_high() -> vec3f {
    return grid_low() + grid_cell() * vec3f(grid_samples() - 1u);
}

fn grid_distance(point: vec3f) -> vec4f {
    let inside = clamp(point, grid_low(), grid_high());
    let sampled = grid_sample(inside);
    var gradient = sampled.xyz;
    let outside = point - inside;
    if has_direction(outside) {
        // The box's face stops the value from changing along it.
        gradient = select(vec3f(), gradient, outside == vec3f()) + normalize(outside);
    }
    let away = direction_or(point - 0.5 * (grid_low() + grid_high()), vec3f(0.0, 1.0, 0.0));
    return vec4f(direction_or(gradient, away), sampled.w + length(outside));
}

// Gradient and value of the interpolant at a point in the box.
fn grid_sample(point: vec3f) -> vec4f {
    let samples = grid_samples();
    let place = (point - grid_low()) / grid_cell();
    let cell = min(vec3u(max(place, vec3f())), samples - 2u);
    let f = clamp(place - vec3f(cell), vec3f(), vec3f(1.0));
    let base = shape.data + 8u + cell.x + samples.x * (cell.y + samples.y * cell.z);
    let behind = base + samples.x * samples.y;
    let v00 = grid_row(base, f.x);
    let v10 = grid_row(base + samples.x, f.x);
    let v01 = grid_row(behind, f.x);
    let v11 = grid_row(behind + samples.x, f.x);
    let near = v00 + (v10 - v00) * f.y;
    let far = v01 + (v11 - v01) * f.y;
    let value = near + (far - near) * f.z;
    let slope_y = (v10.x - v00.x) * (1.0 - f.z) + (v11.x - v01.x) * f.z;
    return vec4f(vec3f(value.y, slope_y, far.x - near.x) / grid_cell(), value.x);
}

// Value and slope between two samples along x.
fn grid_row(at: u32, fraction: f32) -> vec2f {
    let a = number_at(at);
    let b = number_at(at + 1u);
    return vec2f(a + (b - a) * fraction, b - a);
}
