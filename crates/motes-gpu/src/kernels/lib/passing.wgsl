// The search for particles that have passed each other within a sub-step: motes-core's `passing.rs`.

// How far a particle that goes some way and any that it may be caught by may move relative to each other, metres; 0 if no further than neighbours
// are looked for. The bounds of all ways lie behind the counters of pairs, then those of threaded particles: the greatest and the negated least,
// axis by axis.
fn furthest_from(way: vec3f, is_threaded: bool) -> f32 {
    let others = select(6u, 0u, is_threaded);
    var furthest = vec3f();
    for (var axis = 0u; axis < 3u; axis++) {
        furthest[axis] = max(bound_at(others + axis) - way[axis], max(bound_at(others + axis + 3u) + way[axis], 0.0));
    }
    let near = LEAST_PASS * params.near * 2.0 * params.smallest;
    return select(0.0, length(furthest), dot(furthest, furthest) > near * near);
}

fn bound_at(k: u32) -> f32 {
    return number_of(atomicLoad(&owners[FIRST_BOUND + k]));
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

// The same in all rows of cells about a particle, or every so many.
fn look_for_all_passed(i: u32, phase: u32, center: vec4f, rows: vec2u, listed: bool, found: ptr<function, Found>) -> vec2u {
    let moved = center.xyz - vectors[sorted_at(i)].xyz;
    let furthest = furthest_from(moved, (phase & IGNORE_REST_OVERLAPS) != 0u);
    var counts = vec2u();
    if furthest == 0.0 {
        return counts;
    }
    let cell = cell_of(listed_place(i, center.xyz));
    for (var level = 0u; level < params.levels; level++) {
        let cells_far = ceil(furthest * 1.001 * params.inverse_cell / exp2(f32(level)));
        let aside = u32(clamp(cells_far, 1.0, FURTHEST));
        let window = window_of(level, aside);
        for (var row = rows.x; row < window.y * window.z; row += rows.y) {
            let slots = row_around(level, cell >> vec3u(level), aside, row);
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
