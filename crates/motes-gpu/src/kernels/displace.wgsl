// Moves every particle by its own and its neighbours' multipliers and artificial pressures, as in Position Based Fluids (eq. 14).

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<uniform> fluid: FluidParams;
@group(0) @binding(2) var<storage, read_write> vectors: array<vec4f>;
@group(0) @binding(3) var<storage, read> ranges: array<vec2u>;
@group(0) @binding(4) var<storage, read> list: array<vec4u>;
@group(0) @binding(5) var<storage, read> flow: array<vec4f>;

@compute @workgroup_size(WORKGROUP)
fn main(thread: Thread) {
    let i = thread_index(thread);
    if i >= params.count {
        return;
    }
    let range = ranges[i];
    let own = flow[i];
    let push = flow[pressing_at(i)].z;
    var away = vec3f();
    for (var k = 0u; k < neighbor_count(range); k++) {
        let j = list[range.x + SLICE * (k / 4u)][k % 4u];
        let other = flow[j];
        let found = near_or_aside(i, own.xyz, j, other.xyz);
        var both = dot(found.counts, vec2f(own.w, other.w));
        if fluid.push > 0.0 {
            both += dot(found.counts, vec2f(push, flow[pressing_at(j)].z)) * crowding(found.q);
        }
        away += (both * spiky_slope(found.q) * found.inverse_reach * found.inverse_reach) * found.offset;
    }
    away = fluid.filled_share * away + own.w * flow[wall_at(i)].xyz;
    let place = vectors[predicted_at(i)];
    vectors[predicted_at(i)] = vec4f(place.xyz + place.w * away, place.w);
}
