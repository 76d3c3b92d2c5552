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
    let i = thread_index(thread);
    if i >= params.count {
        return;
    }
    let range = ranges[i];
    if RELAXES == 1u && (!is_liquid(range) || counters[fluid.crowded] == 0u) {
        return;
    }
    let own = flow[i];
    var away = vec3f();
    var in_one_spot = false;
    for (var k = 0u; k < fours(range); k++) {
        let four = list[range.x + SLICE * k];
        for (var c = 0u; c < 4u; c++) {
            let j = four[c];
            let other = flow[j];
            let found = near(i, own.xyz, j, other.xyz);
            away += dot(found.counts, vec2f(own.w, other.w)) * pull_of(found);
            in_one_spot |= found.q == 0.0 && j != i;
        }
    }
    if in_one_spot {
        away += out_of_one_spot(i, range, own);
    }
    away = fluid.share * away + own.w * flow[wall_at(i)].xyz;
    let place = vectors[predicted_at(i)];
    let goal = place.xyz + place.w * away;
    if RELAXES == 0u && SOLIDS == 0u {
        vectors[predicted_at(i)] = vec4f(above_colliders(i, goal), place.w);
    } else {
        vectors[predicted_at(i)] = vec4f(goal, place.w);
    }
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
