// The rows of cells about a point that come within a reach of it, each no longer than that: where all particles are of one size.

struct Window {
    // The cell in the corner, of the window, how many there are along each side, and whether they may be left out.
    corner: vec3i,
    aside: i32,
    sides: vec3u,
    trims: bool,
    // Where the point is within its cell, and the reach, in widths of cells.
    within: vec3f,
    reach: f32,
}

fn window_about(point: vec3f, cells: f32) -> Window {
    let aside = i32(cells_within(cells, 0));
    let cell = cell_of(point);
    let whole = vec3f(cell + params.origin);
    var window: Window;
    window.corner = cell - vec3i(aside);
    window.aside = aside;
    // A table so small that rows come twice is looked through as a whole.
    window.sides = window_of(0u, u32(aside));
    window.trims = all(window.sides == vec3u(2u * u32(aside) + 1u));
    window.within = clamp(point * params.inverse_cell - whole, vec3f(), vec3f(1.0));
    // A long way out, that is rounded.
    window.reach = cells + 1e-3 + 1e-6 * max(max(abs(whole.x), abs(whole.y)), abs(whole.z));
    return window;
}

// How far a place within a cell is from one so many further along an axis, in cells.
fn cells_between(further: i32, within: f32) -> f32 {
    return max(f32(further) - within, max(within - f32(further + 1), 0.0));
}

// Slots of the particles in a row of a window: from the first to just before the second, and if the row wraps around, from the third to just
// before the fourth.
fn trimmed_row(window: Window, y: u32, z: u32) -> vec4u {
    let beside = vec2f(cells_between(i32(y) - window.aside, window.within.y), cells_between(i32(z) - window.aside, window.within.z));
    let left = window.reach * window.reach - dot(beside, beside);
    var first = 0;
    var count = window.sides.x;
    if window.trims {
        if left <= 0.0 {
            return vec4u();
        }
        let half = sqrt(left);
        let own = window.within.x + f32(window.aside);
        first = max(i32(floor(own - half)), 0);
        count = u32(min(i32(floor(own + half)), 2 * window.aside) - first) + 1u;
    }
    let bits = params.cell_bits;
    let masks = (vec3u(1u) << bits) - vec3u(1u);
    let cell = vec3u(window.corner + vec3i(first, i32(y), i32(z))) & masks;
    let entry = (cell.y << bits.x) | (cell.z << (bits.x + bits.y));
    let end = min(cell.x + count, masks.x + 1u);
    let rest = cell.x + count - end;
    var slots = vec4u(begin_of(entry + cell.x), cells[entry + end - 1u], 0u, 0u);
    if rest > 0u {
        slots = vec4u(slots.xy, begin_of(entry), cells[entry + rest - 1u]);
    }
    return slots;
}
