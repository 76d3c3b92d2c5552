// Rebounds from colliders and damping, after rebounds between particles.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> contact_ranges: array<vec2u>;
@group(0) @binding(2) var<storage, read> contacts: array<ColliderContact>;
@group(0) @binding(3) var<storage, read> before: array<vec4f>;
@group(0) @binding(4) var<storage, read> kinds: array<vec4u>;
@group(0) @binding(5) var<storage, read> table: array<vec4f>;
@group(0) @binding(6) var<storage, read_write> velocities: array<vec4f>;

@compute @workgroup_size(WORKGROUP)
fn main(thread: Thread) {
    let i = thread_index(thread);
    if i >= params.count {
        return;
    }
    velocities[i] = rebound_from_colliders(i, before[i].xyz, velocities[i]);
}
