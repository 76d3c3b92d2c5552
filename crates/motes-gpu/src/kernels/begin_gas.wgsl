// Puts the vortex strengths and temperatures of gas where neighbours find them in the sub-step.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> vectors: array<vec4f>;
@group(0) @binding(2) var<storage, read> kinds: array<vec4u>;
// By the index of the particle's id; of swirls, how long it has had no marker about it (w). Temperatures where WARM.
@group(0) @binding(3) var<storage, read> swirls: array<vec4f>;
@group(0) @binding(4) var<storage, read> temperatures: array<f32>;

@compute @workgroup_size(WORKGROUP)
fn main(thread: Thread) {
    let i = thread_index(thread);
    if i < params.count {
        let index = index_of(kinds[sorted_kind_at(i)]);
        var warmth = AMBIENT;
        if WARM == 1u {
            warmth = temperatures[index];
        }
        vectors[warmth_at(i)] = vec4f(swirls[index].xyz, warmth);
    }
}
