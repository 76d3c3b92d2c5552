// Moves every particle by how much harder it and its neighbours press: in an iteration, or when overlaps from before the sub-step are taken back, in
// which solids do not move.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<uniform> fluid: FluidParams;
@group(0) @binding(2) var<storage, read_write> vectors: array<vec4f>;
@group(0) @binding(3) var<storage, read> ranges: array<vec2u>;
@group(0) @binding(4) var<storage, read> list: array<u32>;
@group(0) @binding(5) var<storage, read> flow: array<vec4f>;
@group(0) @binding(6) var<storage, read> counters: array<u32>;

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
    for (var k = 0u; k < neighbor_count(range); k++) {
        let j = list[range.x + SLICE * k];
        let other = flow[j];
        let found = near_or_aside(i, own.xyz, j, other.xyz);
        away += dot(found.counts, vec2f(own.w, other.w)) * pull_of(found);
    }
    away = fluid.share * away + own.w * flow[wall_at(i)].xyz;
    let place = vectors[predicted_at(i)];
    vectors[predicted_at(i)] = vec4f(place.xyz + place.w * away, place.w);
}
