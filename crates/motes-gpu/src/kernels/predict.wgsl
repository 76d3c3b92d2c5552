// Lines 1–5 in the first sub-step of a frame; `finish` does the same for those that follow.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> vectors: array<vec4f>;
@group(0) @binding(2) var<storage, read> kinds: array<vec4u>;
@group(0) @binding(3) var<storage, read> table: array<vec4f>;
@group(0) @binding(4) var<storage, read_write> cells: array<atomic<u32>>;
// Where there is gas, °C, by the index of the particle's id.
@group(0) @binding(5) var<storage, read> temperatures: array<f32>;
// Where there are creatures, which part of its weight a particle feels, likewise.
@group(0) @binding(6) var<storage, read> weights: array<f32>;

@compute @workgroup_size(WORKGROUP)
fn main(thread: Thread) {
    let i = thread_index(thread);
    if i >= params.count {
        return;
    }
    let position = vectors[position_at(i)];
    let old = vectors[velocity_at(i)];
    let kind = kinds[i];
    var warmth = AMBIENT;
    if WARM == 1u {
        warmth = temperatures[index_of(kind)];
    }
    var weight = 1.0;
    if ORIENTED == 1u {
        weight = weights[index_of(kind)];
    }
    vectors[velocity_at(i)] = start_substep(i, position, old, kind, warmth, weight);
}
