// Velocities after the solve and all rebounds, for passive particles to go by. Where there are none, `finish` does it.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> vectors: array<vec4f>;
@group(0) @binding(2) var<storage, read> contact_ranges: array<vec2u>;
@group(0) @binding(3) var<storage, read> contacts: array<ColliderContact>;

@compute @workgroup_size(WORKGROUP)
fn main(thread: Thread) {
    let i = thread_index(thread);
    if i < params.count {
        let start = vectors[start_at(i)].xyz;
        let goal = vectors[predicted_at(i)].xyz;
        vectors[rebound_at(i)] = velocity_after(i, start, goal, contact_ranges[i]);
    }
}
