// Members of rigid bodies whose starts joints have moved start where their body does; candidates follow. A workgroup for each
// body that is attached.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> vectors: array<vec4f>;
@group(0) @binding(2) var<storage, read> membership: array<u32>;
@group(0) @binding(3) var<storage, read> body_members: array<vec4u>;
@group(0) @binding(4) var<storage, read> bodies: array<Body>;
// Bodies, and the first of what holds each.
@group(0) @binding(5) var<storage, read> attached: array<vec2u>;

@compute @workgroup_size(WORKGROUP)
fn main(thread: Thread) {
    if group_index(thread) >= arrayLength(&attached) {
        return;
    }
    let b = attached[group_index(thread)].x;
    if b == NO_BODY || bodies[b].start_moved != MOVED_BY_JOINTS {
        return;
    }
    let end = bodies[b].first + bodies[b].count;
    for (var m = bodies[b].first + thread.local; m < end; m += WORKGROUP) {
        let link = membership[m];
        if link == 0u || vectors[predicted_at(link - 1u)].w == 0.0 {
            continue;
        }
        let arm = bitcast<vec4f>(body_members[rest_at(m)]).xyz - bodies[b].rest_center;
        let weight = vectors[start_at(link - 1u)].w;
        vectors[start_at(link - 1u)] = vec4f(turn(bodies[b].from_rotation, arm) + bodies[b].from_position, weight);
        let mass = vectors[predicted_at(link - 1u)].w;
        vectors[predicted_at(link - 1u)] = vec4f(turn(bodies[b].to_rotation, arm) + bodies[b].to_position, mass);
    }
}
