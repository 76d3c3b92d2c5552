// Keeps eddies up that the iterations damp (Macklin and Müller 2013, eq. 16).

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<uniform> fluid: FluidParams;
@group(0) @binding(2) var<storage, read_write> vectors: array<vec4f>;
@group(0) @binding(3) var<storage, read> ranges: array<vec2u>;
@group(0) @binding(4) var<storage, read> list: array<vec4u>;
@group(0) @binding(5) var<storage, read> kinds: array<vec4u>;
@group(0) @binding(6) var<storage, read> table: array<vec4f>;
@group(0) @binding(7) var<storage, read> flow: array<vec4f>;

@compute @workgroup_size(WORKGROUP)
fn main(thread: Thread) {
    let i = thread_index(thread);
    if i >= params.count || !is_liquid(ranges[i]) {
        return;
    }
    let strength = table[material_of(kinds[sorted_kind_at(i)])].w;
    if strength == 0.0 {
        return;
    }
    let range = ranges[i];
    let center = vectors[predicted_at(i)].xyz;
    let own = flow[i];
    var rise = vec3f();
    for (var k = 0u; k < neighbor_count(range); k++) {
        let j = list[range.x + SLICE * (k / 4u)][k % 4u];
        let found = near(i, center, j, vectors[predicted_at(j)].xyz);
        rise += (own.w - flow[j].w) * slope(found.q) * found.offset;
    }
    let swirl = cross(normal_or_zero(rise), own.xyz);
    let scale = 2.0 * radius_of(i) * params.h * strength;
    vectors[carrier_at(i)] += vec4f(scale * swirl, 0.0);
}
