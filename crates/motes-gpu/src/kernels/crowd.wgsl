// How dense it is about every particle at the start of a sub-step: what of that is left alone, and how many densities move the
// particle in its busiest direction. Or, once the sub-step is over, by how much it is too dense.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<uniform> fluid: FluidParams;
@group(0) @binding(2) var<storage, read> vectors: array<vec4f>;
@group(0) @binding(3) var<storage, read> ranges: array<vec2u>;
@group(0) @binding(4) var<storage, read> list: array<vec4u>;
@group(0) @binding(5) var<storage, read> contacts: array<ColliderContact>;
@group(0) @binding(6) var<storage, read> contact_ranges: array<vec2u>;
@group(0) @binding(7) var<storage, read_write> flow: array<vec4f>;
// How busy each is, times its inverse mass, 1/(kg m); or by how much it is too dense.
@group(0) @binding(8) var<storage, read_write> crowds: array<f32>;
@group(0) @binding(9) var<storage, read_write> counters: array<atomic<u32>>;

fn place_of(i: u32) -> vec4f {
    if ENDED == 1u {
        return vectors[position_at(i)];
    }
    return vectors[start_at(i)];
}

// An upper bound of the largest eigenvalue, from the diagonal and the elements xy, yz, zx.
fn busiest(diagonal: vec3f, mixed: vec3f) -> f32 {
    let mean = (diagonal.x + diagonal.y + diagonal.z) / 3.0;
    let aside = diagonal - mean;
    return mean + sqrt(2.0 / 3.0 * (dot(aside, aside) + 2.0 * dot(mixed, mixed)));
}

// What neighbours add up to.
struct Crowd {
    sum: f32,
    slopes: vec3f,
    diagonal: vec3f,
    mixed: vec3f,
}

fn crowd_in_part(i: u32, center: vec3f, range: vec2u, number: u32) -> Crowd {
    var crowd = Crowd();
    for (var k = number; k < fours(range); k += parts_of_sums()) {
        let four = list[range.x + SLICE * k];
        for (var c = 0u; c < 4u; c++) {
            let j = four[c];
            let found = near(i, center, j, place_of(j).xyz);
            crowd.sum += found.counts.x * weight(found.q);
            if ENDED == 0u {
                let pull = pull_of(found);
                crowd.slopes += found.counts.x * pull;
                // Along the offset, the slope times its direction twice.
                let along = (found.counts.y * found.inverse_reach / max(found.q, 1e-20)) * pull;
                crowd.diagonal += along * found.offset;
                crowd.mixed += along * found.offset.yzx;
            }
        }
    }
    return crowd;
}

@compute @workgroup_size(WORKGROUP)
fn main(thread: Thread) {
    let part = part_of(thread);
    let i = part.i;
    var range = vec2u();
    var center = vec4f();
    var sum = 0.0;
    var slopes = vec3f();
    var diagonal = vec3f();
    var mixed = vec3f();
    if i < params.count {
        range = ranges[i];
        center = place_of(i);
        for (var number = part.number; number < parts_of_sums(); number += SHARE) {
            let crowd = crowd_in_part(i, center.xyz, range, number);
            sum += crowd.sum;
            slopes += crowd.slopes;
            diagonal += crowd.diagonal;
            mixed += crowd.mixed;
        }
    }
    let first = sum_of_parts(part, vec4f(slopes, sum));
    slopes = first.xyz;
    sum = first.w;
    diagonal = sum_of_parts(part, vec4f(diagonal, 0.0)).xyz;
    mixed = sum_of_parts(part, vec4f(mixed, 0.0)).xyz;
    if i >= params.count || part.number > 0u {
        return;
    }
    sum -= fillers(range);
    slopes *= fluid.share;
    diagonal *= fluid.share;
    mixed *= fluid.share;
    let liquid = is_liquid(range);
    var wall = vec4f();
    if liquid {
        wall = walled(i, center.xyz, select(0.0, 1.0, ENDED == 1u), contact_ranges[i]);
    }
    let excess = fluid.share * (1.0 + sum) + wall.w - 1.0;
    if ENDED == 1u {
        crowds[i] = select(0.0, excess, liquid);
        return;
    }
    var left = 0.0;
    if liquid {
        let own = slopes + wall.xyz;
        let root = own / max(sqrt(length(own)), 1e-37);
        diagonal += root * root;
        mixed += root * root.yzx;
        left = fluid.kept * max(excess - fluid.leeway / (2.0 * radius_of(i)), 0.0);
    }
    crowds[i] = busiest(diagonal, mixed) * center.w;
    flow[pressing_at(i)] = vec4f(0.0, 0.0, 0.0, left);
    if left > 0.0 {
        atomicStore(&counters[fluid.crowded], 1u);
    }
}
