// Before surfaces contract: what pairs of each liquid pull with, and the slope of its density times what its square counts, N m².

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<uniform> fluid: FluidParams;
@group(0) @binding(2) var<storage, read> vectors: array<vec4f>;
@group(0) @binding(3) var<storage, read> ranges: array<vec2u>;
@group(0) @binding(4) var<storage, read> list: array<vec4u>;
@group(0) @binding(5) var<storage, read> kinds: array<vec4u>;
@group(0) @binding(6) var<storage, read> table: array<vec4f>;
@group(0) @binding(7) var<storage, read> contacts: array<ColliderContact>;
@group(0) @binding(8) var<storage, read> contact_ranges: array<vec2u>;
@group(0) @binding(9) var<storage, read_write> flow: array<vec4f>;

@compute @workgroup_size(WORKGROUP)
fn main(thread: Thread) {
    let i = thread_index(thread);
    if i >= params.count {
        return;
    }
    let range = ranges[i];
    let center = vectors[predicted_at(i)].xyz;
    let own = strength_of(i);
    flow[i] = vec4f(center, own.x);
    if own.x <= 0.0 {
        flow[pressing_at(i)] = vec4f();
        return;
    }
    var slopes = vec3f();
    for (var k = 0u; k < neighbor_count(range); k++) {
        let j = list[range.x + SLICE * (k / 4u)][k % 4u];
        let found = near_or_aside(i, center, j, vectors[predicted_at(j)].xyz);
        slopes += alike(own.x, strength_of(j).x) * found.counts.x * pull_of(found);
    }
    let wall = walled(i, center, 1.0, contact_ranges[i]);
    slopes = fluid.share * slopes + fluid.steeper * wall.xyz;
    let reach = 1.0 / per_own_reach(i);
    let square = reach * reach;
    flow[pressing_at(i)] = vec4f(own.y * square * square * slopes, own.z);
}
