// Velocities from positions, before rebounds.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> vectors: array<vec4f>;

@compute @workgroup_size(WORKGROUP)
fn main(thread: Thread) {
    let i = thread_index(thread);
    if i >= params.count {
        return;
    }
    let start = vectors[start_at(i)].xyz;
    let goal = vectors[predicted_at(i)].xyz;
    vectors[rebound_at(i)] = vec4f(derived_velocity(start, goal, vectors[before_at(i)].xyz), 1.0);
}
