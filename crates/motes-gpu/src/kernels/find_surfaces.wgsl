// Normals of the surfaces of liquids (w is 1), or nothing inside them (w is 0), for crests (Ihmsen et al. 2012). Of gas they know nothing.

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
    var slopes = vec3f();
    for (var k = 0u; k < neighbor_count(range); k++) {
        let j = list[range.x + SLICE * (k / 4u)][k % 4u];
        if MIXED == 1u && carried_kind(j) == OF_GAS {
            continue;
        }
        let found = near_or_aside(i, center, j, vectors[predicted_at(j)].xyz);
        slopes += found.counts.x * pull_of(found);
    }
    slopes = fluid.share * slopes + flow[wall_at(i)].xyz;
    let steepness = length(slopes);
    let is_surface = steepness > AT_SURFACE * per_own_reach(i);
    flow[i] = select(vec4f(), vec4f(slopes / max(steepness, 1e-37), 1.0), is_surface);
}
