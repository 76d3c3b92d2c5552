// Velocities after the solve and all rebounds, for liquids and passive particles to go by. `finish` works them out for itself: what particles
// do must not depend on when the host hears that the last passive one has died.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> vectors: array<vec4f>;
@group(0) @binding(2) var<storage, read> contact_ranges: array<vec2u>;
@group(0) @binding(3) var<storage, read> contacts: array<ColliderContact>;
@group(0) @binding(4) var<storage, read> kinds: array<vec4u>;

@compute @workgroup_size(WORKGROUP)
fn main(thread: Thread) {
    let i = thread_index(thread);
    if i < params.count {
        let start = vectors[start_at(i)].xyz;
        let goal = vectors[predicted_at(i)].xyz;
        var after = velocity_after(i, start, goal, contact_ranges[i]);
        if MIXED == 1u {
            let phase = phase_of(kinds[sorted_kind_at(i)]);
            after.w += select(0.0, 2.0, (phase & FLUID) != 0u) + select(0.0, 2.0, (phase & GAS) != 0u);
        }
        vectors[carrier_at(i)] = after;
    }
}
