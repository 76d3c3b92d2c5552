// Notes the shapes of all particles once sorted, as balls: `fly_creatures` knows better of those of creatures.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> vectors: array<vec4f>;

@compute @workgroup_size(WORKGROUP)
fn main(thread: Thread) {
    let i = thread_index(thread);
    if i >= params.count {
        return;
    }
    let radius = radius_of(i);
    vectors[outline_at(i)] = vec4f(vec3f(radius * radius), ROUND);
    vectors[outline_mixed_at(i)] = vec4f(0.0, 0.0, 0.0, 1.0);
    vectors[start_outline_at(i)] = vec4f(vec3f(radius * radius), ROUND);
    vectors[start_outline_mixed_at(i)] = vec4f();
    vectors[yields_at(i)] = vec4f(vec3f(TURNING), 0.0);
    vectors[yields_mixed_at(i)] = vec4f();
    vectors[searched_at(i)] = vectors[predicted_at(i)];
}
