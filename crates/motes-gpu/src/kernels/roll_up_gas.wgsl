// Looks how open it is about gas. Vortex strength grows at its rim, is stretched, and passes into motion (Unified, eq. 30 and 31).

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<uniform> fluid: FluidParams;
@group(0) @binding(2) var<uniform> gas: GasParams;
@group(0) @binding(3) var<storage, read_write> vectors: array<vec4f>;
@group(0) @binding(4) var<storage, read> ranges: array<vec2u>;
@group(0) @binding(5) var<storage, read> list: array<vec4u>;
@group(0) @binding(6) var<storage, read> kinds: array<vec4u>;
@group(0) @binding(7) var<storage, read> table: array<vec4f>;
@group(0) @binding(8) var<storage, read_write> flow: array<vec4f>;
// By the index of the particle's id, four numbers each.
@group(0) @binding(9) var<storage, read_write> swirls: array<f32>;

// What neighbours add up to: how much is about a particle, in which direction, and how they stretch its vortex strength.
struct Surroundings {
    about: f32,
    slopes: vec3f,
    stretched: vec3f,
}

fn surroundings_in_part(i: u32, place: vec3f, swirl: vec3f, velocity: vec3f, range: vec2u, number: u32) -> Surroundings {
    var found_all = Surroundings();
    for (var k = number; k < fours(range); k += parts_of_sums()) {
        let four = list[range.x + SLICE * k];
        for (var c = 0u; c < min(4u, neighbor_count(range) - 4u * k); c++) {
            let j = four[c];
            let found = near(i, place, j, flow[j].xyz);
            found_all.about += found.counts.x * weight(found.q);
            if gas.swirls == 1u {
                let pulled = found.counts.x * pull_of(found);
                found_all.slopes += pulled;
                found_all.stretched += dot(swirl, pulled) * (velocity - vectors[params.flow_section + j].xyz);
            }
        }
    }
    return found_all;
}

@compute @workgroup_size(WORKGROUP)
fn main(thread: Thread) {
    let part = part_of(thread);
    let i = part.i;
    let rolls = i < params.count && is_gas(min(i, params.count - 1u));
    var swirl = vec3f();
    var about = 0.0;
    var slopes = vec3f();
    var stretched = vec3f();
    if rolls {
        let range = ranges[i];
        let place = flow[i].xyz;
        let velocity = vectors[params.flow_section + i].xyz;
        swirl = vectors[warmth_at(i)].xyz;
        for (var number = part.number; number < parts_of_sums(); number += SHARE) {
            let found = surroundings_in_part(i, place, swirl, velocity, range, number);
            about += found.about;
            slopes += found.slopes;
            stretched += found.stretched;
        }
    }
    let sums = sum_of_parts(part, vec4f(slopes, about));
    slopes = sums.xyz;
    about = sums.w;
    stretched = sum_of_parts(part, vec4f(stretched, 0.0)).xyz;
    if i >= params.count || part.number > 0u {
        return;
    }
    if !rolls {
        flow[pressing_at(i)] = vec4f();
        return;
    }
    let wall = flow[wall_at(i)];
    flow[wall_at(i)].w = fluid.share * about + wall.w;
    if gas.swirls == 0u {
        return;
    }
    let baroclinity = driven_by(i, 0u).z;
    let outwards = fluid.share * slopes + wall.xyz;
    let grown = 2.0 * baroclinity * cross(outwards, params.gravity);
    let most = SWIRL_MOST * abs(baroclinity) * length(params.gravity) / (SWIRL_PASSES * 2.0 * radius_of(i));
    let further = clamp_length(params.h * gas.exact * fluid.share * stretched, 0.5 * length(swirl));
    let after = clamp_length((swirl + further) * (1.0 - gas.passed) + gas.grown * grown, most);
    vectors[warmth_at(i)] = vec4f(after, vectors[warmth_at(i)].w);
    flow[pressing_at(i)] = vec4f(gas.passed * after, 1.0);
    let first = 4u * index_of(kinds[sorted_kind_at(i)]);
    for (var axis = 0u; axis < 3u; axis++) {
        swirls[first + axis] = after[axis];
    }
}
