// The multipliers of densities as in Position Based Fluids, from where everybody is (eq. 11).

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<uniform> fluid: FluidParams;
@group(0) @binding(2) var<storage, read_write> vectors: array<vec4f>;
@group(0) @binding(3) var<storage, read> ranges: array<vec2u>;
@group(0) @binding(4) var<storage, read> list: array<vec4u>;
@group(0) @binding(5) var<storage, read> contacts: array<ColliderContact>;
@group(0) @binding(6) var<storage, read> contact_ranges: array<vec2u>;
@group(0) @binding(7) var<storage, read_write> flow: array<vec4f>;

@compute @workgroup_size(WORKGROUP)
fn main(thread: Thread) {
    let i = thread_index(thread);
    if i >= params.count {
        return;
    }
    let range = ranges[i];
    let center = vectors[predicted_at(i)];
    if !is_liquid(range) || center.w == 0.0 {
        flow[i] = vec4f(center.xyz, 0.0);
        flow[wall_at(i)] = vec4f();
        flow[pressing_at(i)] = vec4f();
        return;
    }
    let wall = walled_by(fluid.pressing_wall, i, center.xyz, 1.0, contact_ranges[i]);
    var sum = 0.0;
    var slopes = vec3f();
    var squares = 0.0;
    var lightest = center.w;
    for (var k = 0u; k < neighbor_count(range); k++) {
        let j = list[range.x + SLICE * (k / 4u)][k % 4u];
        let other = vectors[predicted_at(j)];
        let found = near_or_aside(i, center.xyz, j, other.xyz);
        sum += found.counts.x * poly6(found.q);
        let steep = found.counts.x * spiky_slope(found.q) * found.inverse_reach;
        slopes += (steep * found.inverse_reach) * found.offset;
        squares += other.w * (steep * found.q) * (steep * found.q);
        lightest = max(lightest, other.w);
    }
    let per_reach = per_own_reach(i);
    let unit = per_reach * per_reach;
    let own = fluid.filled_share * slopes + wall.xyz;
    var denominator = fluid.filled_share * fluid.filled_share * squares + center.w * dot(own, own);
    if (fluid.choices & PRECOMPUTED) != 0u {
        denominator = fluid.filled_denominator * lightest * unit;
    }
    let usual = center.w * unit;
    let softened = max(denominator + fluid.softness * usual, LEAST_DENOMINATOR * fluid.filled_denominator * usual);
    var excess = fluid.filled_share * (1.0 + sum) + wall.w - 1.0;
    if (fluid.choices & BILATERAL) == 0u {
        excess = max(excess, 0.0);
    }
    let multiplier = excess / softened;
    var pressed = 0.0;
    if FIRST == 0u {
        pressed = flow[pressing_at(i)].x;
    }
    flow[i] = vec4f(center.xyz, multiplier);
    flow[wall_at(i)] = wall;
    flow[pressing_at(i)] = vec4f(pressed + multiplier, multiplier, fluid.push / usual, 0.0);
    if multiplier != 0.0 && params.rest > 0.0 {
        vectors[pushed_at(i)].w = 1.0;
    }
}
