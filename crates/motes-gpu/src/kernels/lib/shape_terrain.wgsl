// Heights on a regular grid over the local xz plane, solid below. Its data: columns, rows, cell size along x and z,
// lowest and highest sample, and the samples, columns fastest.

fn terrain_columns() -> u32 {
    return pool[shape.data];
}

fn terrain_rows() -> u32 {
    return pool[shape.data + 1u];
}

fn terrain_cell_size() -> vec2f {
    return vec2f(number_at(shape.data + 2u), number_at(shape.data + 3u));
}

fn terrain_lowest() -> f32 {
    return number_at(shape.data + 4u);
}

fn terrain_highest() -> f32 {
    return number_at(shape.data + 5u);
}

fn terrain_height(sample_index: u32) -> f32 {
    return number_at(shape.data + 6u + sample_index);
}

fn terrain_size() -> vec2f {
    return terrain_cell_size() * vec2f(f32(terrain_columns() - 1u), f32(terrain_rows() - 1u));
}

fn terrain_indices(triangle: u32) -> vec3u {
    let columns = terrain_columns();
    let cell = triangle / 2u;
    let corner = cell % (columns - 1u) + columns * (cell / (columns - 1u));
    let opposite = corner + columns + 1u;
    if triangle % 2u == 0u {
        return vec3u(corner, corner + columns, opposite);
    }
    return vec3u(corner, opposite, corner + 1u);
}

// The cell that a triangle is in, by column and row.
fn terrain_cell_of(triangle: u32) -> vec2u {
    let row = triangle / 2u / (terrain_columns() - 1u);
    return vec2u(triangle / 2u - row * (terrain_columns() - 1u), row);
}

fn terrain_facet(triangle: u32) -> Facet {
    let size = terrain_cell_size();
    let columns = terrain_columns();
    let cell = terrain_cell_of(triangle);
    let first = cell.x + columns * cell.y;
    let low = vec2f(cell) * size;
    let high = vec2f(cell + 1u) * size;
    let a = terrain_height(first);
    let opposite = terrain_height(first + columns + 1u);
    if triangle % 2u == 0u {
        let b = terrain_height(first + columns);
        let corners = Triangle(vec3f(low.x, a, low.y), vec3f(low.x, b, high.y), vec3f(high.x, opposite, high.y));
        return Facet(corners, terrain_upright(vec2f(opposite - b, b - a) / size));
    }
    let c = terrain_height(first + 1u);
    let corners = Triangle(vec3f(low.x, a, low.y), vec3f(high.x, opposite, high.y), vec3f(high.x, c, low.y));
    return Facet(corners, terrain_upright(vec2f(c - a, opposite - c) / size));
}

// The normal of a slope.
fn terrain_upright(slope: vec2f) -> vec3f {
    return direction_or(vec3f(-slope.x, 1.0, -slope.y), vec3f(0.0, 1.0, 0.0));
}

// The triangle across an edge (x), NONE at the border, and its corner that is not on the edge, as bits.
fn terrain_across(triangle: u32, edge: u32) -> vec4u {
    let columns = terrain_columns();
    let cell = terrain_cell_of(triangle);
    let upper = triangle % 2u == 1u;
    var neighbor = triangle ^ 1u;
    // The diagonal comes last in the first triangle of a cell, and first in the second.
    var corner = cell + select(vec2u(1u, 0u), vec2u(0u, 1u), upper);
    var beyond = false;
    if !upper && edge == 0u {
        beyond = cell.x == 0u;
        neighbor = triangle - 1u;
        corner = vec2u(cell.x - 1u, cell.y);
    } else if !upper && edge == 1u {
        beyond = cell.y + 2u == terrain_rows();
        neighbor = triangle + 2u * (columns - 1u) + 1u;
        corner = vec2u(cell.x + 1u, cell.y + 2u);
    } else if upper && edge == 1u {
        beyond = cell.x + 2u == columns;
        neighbor = triangle + 1u;
        corner = vec2u(cell.x + 2u, cell.y + 1u);
    } else if upper && edge == 2u {
        beyond = cell.y == 0u;
        neighbor = triangle - 2u * (columns - 1u) - 1u;
        corner = vec2u(cell.x, cell.y - 1u);
    }
    if beyond {
        return vec4u(NONE, 0u, 0u, 0u);
    }
    let place = vec2f(corner) * terrain_cell_size();
    let height = terrain_height(corner.x + columns * corner.y);
    return vec4u(neighbor, bitcast<vec3u>(vec3f(place.x, height, place.y)));
}

fn terrain_fan(vertex: u32, place: u32) -> u32 {
    let columns = terrain_columns();
    let row = vertex / columns + place / 4u;
    let column = vertex % columns + (place / 2u) % 2u;
    // Both are one too large, so that nothing is below zero.
    if row == 0u || column == 0u || row >= terrain_rows() || column >= columns {
        return NONE;
    }
    let triangle = 2u * (column - 1u + (columns - 1u) * (row - 1u)) + place % 2u;
    return select(NONE, triangle, any(terrain_indices(triangle) == vec3u(vertex)));
}

// The triangle straight above or below a place, the nearest one beyond the border.
fn terrain_triangle_at(at: vec2f) -> u32 {
    let place = at / terrain_cell_size();
    let cells = vec2u(terrain_columns() - 1u, terrain_rows() - 1u);
    let cell = min(vec2u(clamp(place, vec2f(), vec2f(cells))), cells - 1u);
    let within = place - vec2f(cell);
    return 2u * (cell.x + cells.x * cell.y) + select(0u, 1u, within.x > within.y);
}

// Height of the surface above or below a place; beyond the border that of the border.
fn terrain_height_at(at: vec2f) -> f32 {
    let triangle = terrain_triangle_at(at);
    let place = clamp(at, vec2f(), terrain_size());
    let facet = terrain_facet(triangle);
    let anchor = facet.corners.a;
    let normal = facet.normal;
    return anchor.y - (normal.x * (place.x - anchor.x) + normal.z * (place.y - anchor.z)) / normal.y;
}

fn terrain_covers(point: vec3f) -> bool {
    return all(point.xz >= vec2f()) && all(point.xz <= terrain_size());
}

// The way from the border to a point beside the terrain and below its rim; zero for all other points.
fn terrain_beside(point: vec3f) -> vec3f {
    let border = clamp(point.xz, vec2f(), terrain_size());
    let away = vec3f(point.x - border.x, 0.0, point.z - border.y);
    return select(vec3f(), away, point.y < terrain_height_at(border));
}

// The cells from the one that holds `low` to the one that holds `high`; none when both lie beyond one end.
fn terrain_cells(low: f32, high: f32, cell_size: f32, samples: u32) -> vec2u {
    let last = f32(samples - 1u);
    let first_place = low / cell_size;
    let last_place = high / cell_size;
    if !(first_place <= last && last_place >= 0.0) {
        return vec2u();
    }
    let first = min(u32(max(first_place, 0.0)), samples - 2u);
    return vec2u(first, min(u32(min(last_place, last)) + 1u, samples - 1u));
}

fn terrain_walk_rows(low: vec3f, high: vec3f) -> vec2u {
    if low.y > terrain_highest() || high.y < terrain_lowest() {
        return vec2u();
    }
    return terrain_cells(low.z, high.z, terrain_cell_size().y, terrain_rows());
}

// The cells of a row within reach: only the part of the path beside the row matters to it.
fn terrain_walk_columns(walk: Walk, row: u32) -> vec2u {
    let cell_size = terrain_cell_size();
    let along = walk.end - walk.start;
    var left = walk.low.x;
    var right = walk.high.x;
    if along.z != 0.0 {
        let near = (f32(row) * cell_size.y - walk.reach - walk.start.z) / along.z;
        let far = (f32(row + 1u) * cell_size.y + walk.reach - walk.start.z) / along.z;
        let a = walk.start.x + along.x * clamp(min(near, far), 0.0, 1.0);
        let b = walk.start.x + along.x * clamp(max(near, far), 0.0, 1.0);
        let slack = walk.reach + 1e-3 * cell_size.x;
        left = max(left, min(a, b) - slack);
        right = min(right, max(a, b) + slack);
    }
    return terrain_cells(left, right, cell_size.x, terrain_columns());
}

// A cell, or NONE if all of it lies below `low` or above `high`.
fn terrain_cell(row: u32, column: u32, low: f32, high: f32) -> u32 {
    let columns = terrain_columns();
    let corner = column + columns * row;
    let heights = vec4f(
        terrain_height(corner),
        terrain_height(corner + 1u),
        terrain_height(corner + columns),
        terrain_height(corner + columns + 1u),
    );
    let beside = all(heights < vec4f(low)) || all(heights > vec4f(high));
    return select(column + (columns - 1u) * row, NONE, beside);
}
