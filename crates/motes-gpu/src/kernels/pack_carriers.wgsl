// Puts side by side what passive particles ask of those that carry them: where each is, with its radius or, of gas, its warmth (w), and
// with what velocity it carries. They come in the order of cells, so that both are then in the same piece of memory.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> vectors: array<vec4f>;
@group(0) @binding(2) var<storage, read_write> packed: array<vec4f>;

@compute @workgroup_size(WORKGROUP)
fn main(thread: Thread) {
    let i = thread_index(thread);
    if i < params.count {
        var about = radius_of(i);
        if WARM == 1u {
            about = vectors[warmth_at(i)].w;
        }
        packed[2u * i] = vec4f(vectors[predicted_at(i)].xyz, about);
        packed[2u * i + 1u] = vectors[carrier_at(i)];
    }
}
