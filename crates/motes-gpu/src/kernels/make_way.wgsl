// Moves every particle by how much harder it and its neighbours press: in an iteration, or when overlaps from before the sub-step are taken back, in
// which solids do not move. Where there is nothing but liquid, an iteration goes on with contacts with colliders in the same launch.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<uniform> fluid: FluidParams;
@group(0) @binding(2) var<storage, read_write> vectors: array<vec4f>;
@group(0) @binding(3) var<storage, read> ranges: array<vec2u>;
@group(0) @binding(4) var<storage, read> list: array<vec4u>;
@group(0) @binding(5) var<storage, read> flow: array<vec4f>;
@group(0) @binding(6) var<storage, read> counters: array<u32>;
@group(0) @binding(7) var<storage, read_write> contacts: array<ColliderContact>;
@group(0) @binding(8) var<storage, read> contact_ranges: array<vec2u>;

@compute @workgroup_size(WORKGROUP)
fn main(thread: Thread) {
    let part = part_of(thread);
    let i = part.i;
    var range = vec2u();
    if i < params.count {
        range = ranges[i];
    }
    let moves = i < params.count && (RELAXES == 0u || (is_liquid(range) && counters[fluid.crowded] > 0u));
    var own = vec4f();
    // And whether any is in the very same place.
    var found_away = vec4f();
    if moves {
        own = flow[i];
        for (var number = part.number; number < parts_of_sums(); number += SHARE) {
            found_away += away_from_part(i, own, range, number);
        }
    }
    found_away = sum_of_parts(part, found_away);
    if !moves || part.number > 0u {
        return;
    }
    var away = found_away.xyz;
    if found_away.w > 0.0 {
        away += out_of_one_spot(i, range, own);
    }
    away = fma(vec3f(fluid.share), away, own.w * flow[wall_at(i)].xyz);
    let place = vectors[predicted_at(i)];
    let goal = place.xyz + place.w * away;
    if RELAXES == 0u && SOLIDS == 0u {
        vectors[predicted_at(i)] = vec4f(above_colliders(i, goal), place.w);
    } else {
        vectors[predicted_at(i)] = vec4f(goal, place.w);
    }
}

// What a part of the neighbours do.
fn away_from_part(i: u32, own: vec4f, range: vec2u, number: u32) -> vec4f {
    var away = vec3f();
    var in_one_spot = false;
    for (var k = number; k < fours(range); k += parts_of_sums()) {
        let four = list[range.x + SLICE * k];
        for (var c = 0u; c < 4u; c++) {
            let j = four[c];
            let other = flow[j];
            let found = near(i, own.xyz, j, other.xyz);
            away += dot(found.counts, vec2f(own.w, other.w)) * pull_of(found);
            in_one_spot |= found.q == 0.0 && j != i;
        }
    }
    return vec4f(away, select(0.0, 1.0, in_one_spot));
}

// What neighbours do that are in the very same place.
fn out_of_one_spot(i: u32, range: vec2u, own: vec4f) -> vec3f {
    var away = vec3f();
    for (var k = 0u; k < neighbor_count(range); k++) {
        let j = list[range.x + SLICE * (k / 4u)][k % 4u];
        let other = flow[j];
        if near(i, own.xyz, j, other.xyz).q == 0.0 {
            let found = near_or_aside(i, own.xyz, j, other.xyz);
            away += dot(found.counts, vec2f(own.w, other.w)) * pull_of(found);
        }
    }
    return away;
}

// As `gather_solve` has it for particles that touch nobody else.
fn above_colliders(i: u32, goal: vec3f) -> vec3f {
    let run = contact_ranges[i];
    if run.y == 0u {
        return goal;
    }
    let start = vectors[start_at(i)].xyz;
    var place = goal;
    var touched = false;
    for (var c = run.x; c < run.x + run.y; c++) {
        let solved = solve_collider(c, radius_of(i), start, place, vec3f(), vec3f(), vec2f(1.0));
        place += solved.xyz;
        touched |= solved.w > 0.0;
    }
    if touched {
        vectors[pushed_at(i)].w = 1.0;
    }
    return place;
}
