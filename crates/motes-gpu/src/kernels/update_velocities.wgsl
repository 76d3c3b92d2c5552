// Velocities from positions, rebounds from colliders and damping in one go: where particles do not rebound from each other.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> predicted: array<vec4f>;
@group(0) @binding(2) var<storage, read> starts: array<vec4f>;
@group(0) @binding(3) var<storage, read> before: array<vec4f>;
@group(0) @binding(4) var<storage, read> contact_ranges: array<vec2u>;
@group(0) @binding(5) var<storage, read> contacts: array<ColliderContact>;
@group(0) @binding(6) var<storage, read> kinds: array<vec4u>;
@group(0) @binding(7) var<storage, read> table: array<vec4f>;
@group(0) @binding(8) var<storage, read_write> velocities: array<vec4f>;

@compute @workgroup_size(WORKGROUP)
fn main(thread: Thread) {
    let i = thread_index(thread);
    if i >= params.count {
        return;
    }
    let old = before[i].xyz;
    let derived = derived_velocity(starts[i].xyz, predicted[i].xyz, old);
    velocities[i] = rebound_from_colliders(i, old, vec4f(derived, 1.0));
}
