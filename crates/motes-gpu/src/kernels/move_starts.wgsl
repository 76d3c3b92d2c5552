// Moves the starts of participants to where their tethers have them.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<uniform> row_params: RowParams;
@group(0) @binding(2) var<storage, read_write> vectors: array<vec4f>;
@group(0) @binding(3) var<storage, read> slots: array<u32>;
@group(0) @binding(4) var<storage, read> moved: array<vec4f>;

@compute @workgroup_size(WORKGROUP)
fn main(thread: Thread) {
    let p = thread_index(thread);
    if p < row_params.participants && slots[p] > 0u {
        let i = slots[p] - 1u;
        vectors[start_at(i)] = vec4f(moved[p].xyz, vectors[start_at(i)].w);
    }
}
