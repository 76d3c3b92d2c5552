// Mass scaling (eq. 21): factors on the inverse masses of both particles of a pair.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> owners: array<u32>;
@group(0) @binding(2) var<storage, read> members: array<u32>;
@group(0) @binding(3) var<storage, read> vectors: array<vec4f>;
@group(0) @binding(4) var<storage, read_write> shares: array<vec2f>;

@compute @workgroup_size(WORKGROUP)
fn main(thread: Thread) {
    let p = thread_index(thread);
    if p >= pair_count() {
        return;
    }
    let pair = pair_at(p);
    // Scaling is per diameter of what touches.
    let per_diameter = params.touch / contact_distance(pair.x, pair.y);
    let stack = per_diameter * dot(params.stack, vectors[sorted_at(pair.y)].xyz - vectors[sorted_at(pair.x)].xyz);
    shares[p] = stack_shares(vectors[predicted_at(pair.x)].w, vectors[predicted_at(pair.y)].w, stack);
}
