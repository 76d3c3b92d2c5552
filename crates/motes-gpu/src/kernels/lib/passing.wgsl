// The search for particles that have passed each other within a sub-step: motes-core's `passing.rs`.

// Whether a particle that goes some way and any that it may be caught by may move further relative to each other than neighbours are looked
// for. The bounds of all ways lie behind the counters of pairs, then those of threaded particles: the greatest and the negated least, axis by axis.
fn may_pass(way: vec3f, bounds: Ways) -> bool {
    return furthest_from(way, bounds) > LEAST_PASS * params.near * 2.0 * params.smallest;
}

fn furthest_from(way: vec3f, bounds: Ways) -> f32 {
    return length(max(max(bounds.most - way, way - bounds.least), vec3f()));
}

// The least and the greatest ways of particles.
struct Ways {
    least: vec3f,
    most: vec3f,
}

fn ways_of_others(is_threaded: bool) -> Ways {
    let first = select(6u, 0u, is_threaded);
    return Ways(
        -vec3f(bound_at(first + 3u), bound_at(first + 4u), bound_at(first + 5u)),
        vec3f(bound_at(first), bound_at(first + 1u), bound_at(first + 2u)),
    );
}

fn bound_at(k: u32) -> f32 {
    return number_of(atomicLoad(&owners[FIRST_BOUND + k]));
}

// Where those are now that a particle has passed or that have passed it: its way, seen from any of them, leads back to where they met, and they were in
// contact then. The lowest and the highest corner.
fn swept_by(i: u32, center: vec3f, way: vec3f, bounds: Ways) -> array<vec3f, 2> {
    let contact = params.near * select(params.touch, radius_of(i) + params.largest, SIZES == 1u);
    let furthest = vec3f(2.0 * FURTHEST * radius_of(i));
    let below = min(max(way - bounds.least, vec3f()) + contact, furthest);
    let above = min(max(bounds.most - way, vec3f()) + contact, furthest);
    // More than distances are rounded by.
    let spare = 2.5e-7 * abs(center);
    return array<vec3f, 2>(center - 1.001 * below - spare, center + 1.001 * above + spare);
}

// Whether a neighbour at the end is listed as such.
fn is_listed(i: u32, center: vec4f, j: u32, other: vec4f) -> bool {
    let offset = other.xyz - center.xyz;
    let reach = select(params.reach, params.reach * contact_distance(i, j), SIZES == 1u);
    return dot(offset, offset) < reach * reach && is_near(i, center, j, other);
}

fn has_passed(i: u32, center: vec4f, moved: vec3f, j: u32, other: vec4f) -> bool {
    let end = center.xyz - other.xyz;
    let relative = moved - (other.xyz - vectors[sorted_at(j)].xyz);
    let furthest = 2.0 * FURTHEST * min(radius_of(i), radius_of(j));
    let distance = dot(end, end);
    let way = dot(relative, relative);
    let contact = params.near * contact_distance(i, j);
    return distance < way
        && way > LEAST_PASS * LEAST_PASS * contact * contact
        && distance < furthest * furthest
        && met(end, relative, contact) < 1.0;
}

// How many there are among some slots, in higher and in lower ones; lists them if `listed`.
fn look_for_passed(i: u32, phase: u32, center: vec4f, moved: vec3f, slots: vec2u, listed: bool, found: ptr<function, Found>) -> vec2u {
    var counts = vec2u();
    for (var j = slots.x; j < slots.y; j++) {
        let other = vectors[predicted_at(j)];
        if j == i
            || !has_passed(i, center, moved, j, other)
            || ((phase | phase_of(kinds[sorted_kind_at(j)])) & IGNORE_REST_OVERLAPS) == 0u
            || is_listed(i, center, j, other)
            || (center.w == 0.0 && other.w == 0.0)
            || !touches(phase, phase_of(kinds[sorted_kind_at(j)]))
            || overlap_at_rest(i, j) {
            continue;
        }
        counts += select(vec2u(0u, 1u), vec2u(1u, 0u), j > i);
        if listed {
            take(i, center, j, found);
        }
    }
    return counts;
}

// The same in all rows of cells in which there may be any, or every so many of them.
fn look_for_all_passed(i: u32, phase: u32, center: vec4f, rows: vec2u, listed: bool, found: ptr<function, Found>) -> vec2u {
    let moved = center.xyz - vectors[sorted_at(i)].xyz;
    let bounds = ways_of_others((phase & IGNORE_REST_OVERLAPS) != 0u);
    var counts = vec2u();
    if !may_pass(moved, bounds) {
        return counts;
    }
    let corners = swept_by(i, center.xyz, moved, bounds);
    let cell = cell_of(listed_place(i, center.xyz));
    for (var level = 0u; level < params.levels; level++) {
        let own = cell >> vec3u(level);
        // Particles that have axes are not listed where they are to go.
        let cells_far = ceil(1.001 * furthest_from(moved, bounds) * params.inverse_cell / exp2(f32(level)));
        let aside = vec3i(i32(clamp(cells_far, 1.0, FURTHEST)));
        var low = own - aside;
        var high = own + aside;
        if ORIENTED == 0u {
            low = max(own - vec3i(i32(FURTHEST)), cell_of(corners[0]) >> vec3u(level));
            high = min(own + vec3i(i32(FURTHEST)), cell_of(corners[1]) >> vec3u(level));
        }
        // Never more cells than there are, or some would come twice.
        let window = min(vec3u(max(high - low + vec3i(1), vec3i())), vec3u(1u) << (params.cell_bits - vec3u(level)));
        for (var row = rows.x; row < window.y * window.z; row += rows.y) {
            let slots = row_from(level, low, window, row);
            counts += look_for_passed(i, phase, center, moved, slots.xy, listed, found);
            counts += look_for_passed(i, phase, center, moved, slots.zw, listed, found);
        }
    }
    return counts;
}

// A neighbour as it is seen, for the sum of n nᵀ.
fn seen_from(i: u32, center: vec4f, j: u32, other: vec4f) -> vec3f {
    let moved = (other.xyz - vectors[sorted_at(j)].xyz) - (center.xyz - vectors[sorted_at(i)].xyz);
    return seen_between(j, i, other.xyz - center.xyz, moved);
}
