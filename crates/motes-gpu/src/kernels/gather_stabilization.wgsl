// Moves starting and candidate positions alike out of the overlaps at the start, from the second iteration on.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> vectors: array<vec4f>;
@group(0) @binding(2) var<storage, read> messages: array<vec4f>;
@group(0) @binding(3) var<storage, read> ranges: array<vec4u>;
@group(0) @binding(4) var<storage, read> foreign: array<u32>;
@group(0) @binding(5) var<storage, read> shares: array<vec2f>;
@group(0) @binding(6) var<storage, read> contacts: array<ColliderContact>;
@group(0) @binding(7) var<storage, read> contact_ranges: array<vec2u>;

@compute @workgroup_size(WORKGROUP)
fn main(thread: Thread) {
    let i = thread_index(thread);
    if i >= params.count {
        return;
    }
    let start = vectors[start_at(i)];
    let position = vectors[predicted_at(i)];
    let range = ranges[i];
    let sum = sum_of_own(range) + sum_of_foreign(range);
    let moved = out_of_colliders(i, start.xyz + sum * position.w, start.xyz, contact_ranges[i], cross(foot_of(i), sum));
    if follows_start(i) {
        // The candidates of bodies and creatures follow once it is known where these start.
        vectors[sorted_at(i)] = start;
    } else {
        vectors[predicted_at(i)] = vec4f(position.xyz + (moved - start.xyz), position.w);
    }
    vectors[start_at(i)] = vec4f(moved, start.w);
}
