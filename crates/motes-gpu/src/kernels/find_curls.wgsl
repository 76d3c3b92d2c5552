// How fast the liquid about each particle turns, rad/s, twice over (Macklin and Müller 2013, eq. 15), and how fast at all (w).

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<uniform> fluid: FluidParams;
@group(0) @binding(2) var<storage, read> vectors: array<vec4f>;
@group(0) @binding(3) var<storage, read> ranges: array<vec2u>;
@group(0) @binding(4) var<storage, read> list: array<vec4u>;
@group(0) @binding(5) var<storage, read_write> flow: array<vec4f>;

@compute @workgroup_size(WORKGROUP)
fn main(thread: Thread) {
    let i = thread_index(thread);
    if i >= params.count {
        return;
    }
    let range = ranges[i];
    let center = vectors[predicted_at(i)].xyz;
    let velocity = vectors[carrier_at(i)].xyz;
    var sum = vec3f();
    for (var k = 0u; k < neighbor_count(range); k++) {
        let j = list[range.x + SLICE * (k / 4u)][k % 4u];
        let found = near(i, center, j, vectors[predicted_at(j)].xyz);
        sum += found.counts.x * cross(pull_of(found), velocity - vectors[carrier_at(j)].xyz);
    }
    sum *= fluid.share;
    flow[i] = vec4f(sum, length(sum));
}
