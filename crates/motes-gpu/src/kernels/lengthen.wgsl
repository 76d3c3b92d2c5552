// Brings the impulses of the last sub-step to what the same forces take in one of another length.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> vectors: array<vec4f>;
@group(0) @binding(2) var<storage, read_write> impulses: array<vec4f>;

@compute @workgroup_size(WORKGROUP)
fn main(thread: Thread) {
    let p = thread_index(thread);
    let factor = params.longer * params.longer;
    if p < params.stride {
        vectors[support_at(p)] *= factor;
    }
    if p < params.pair_capacity {
        impulses[p] = vec4f(impulses[p].xyz * factor, impulses[p].w);
    }
}
