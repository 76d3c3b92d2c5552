// Before gases exchange anything: where they are, how well they conduct heat, and what walls there are about them.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<uniform> fluid: FluidParams;
@group(0) @binding(2) var<storage, read> vectors: array<vec4f>;
@group(0) @binding(3) var<storage, read> kinds: array<vec4u>;
@group(0) @binding(4) var<storage, read> table: array<vec4f>;
@group(0) @binding(5) var<storage, read> contacts: array<ColliderContact>;
@group(0) @binding(6) var<storage, read> contact_ranges: array<vec2u>;
@group(0) @binding(7) var<storage, read_write> flow: array<vec4f>;

@compute @workgroup_size(WORKGROUP)
fn main(thread: Thread) {
    let i = thread_index(thread);
    if i >= params.count {
        return;
    }
    let place = vectors[predicted_at(i)].xyz;
    var diffusivity = 0.0;
    var wall = vec4f();
    if is_gas(i) {
        wall = walled(i, place, 1.0, contact_ranges[i]);
        // Whose neighbours are behind a wall exchanges the more with the others.
        diffusivity = driven_by(i, 0u).w / (1.0 - wall.w);
    }
    flow[i] = vec4f(place, diffusivity);
    flow[wall_at(i)] = wall;
}
