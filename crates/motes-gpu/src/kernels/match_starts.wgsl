// Shape matching of the starting positions of rigid bodies, after they were moved out of overlaps; candidates follow. One
// workgroup for each body.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> vectors: array<vec4f>;
@group(0) @binding(2) var<storage, read> membership: array<u32>;
@group(0) @binding(3) var<storage, read> body_members: array<vec4u>;
@group(0) @binding(4) var<storage, read_write> bodies: array<Body>;

var<workgroup> found: Match;

@compute @workgroup_size(WORKGROUP)
fn main(thread: Thread) {
    let group = body_group(thread);
    let b = group.body;
    let near = bodies[b].from_position;
    let moments = sum_of_moments(thread.local, group, start_at(0u), near);
    let follows = is_a(b, RIGID) && !is_a(b, KINEMATIC);
    if thread.local == 0u && group.exists && follows {
        found = matched(moments, near, bodies[b].from_rotation);
        bodies[b].from_position = found.center;
        bodies[b].from_rotation = found.rotation;
    }
    workgroupBarrier();
    let rest_center = bodies[b].rest_center;
    for (var m = group.first + thread.local; m < group.end; m += WORKGROUP) {
        if membership[m] == 0u {
            continue;
        }
        let slot = membership[m] - 1u;
        let candidate_then = vectors[predicted_at(slot)];
        var start = vectors[start_at(slot)];
        if follows && candidate_then.w != 0.0 {
            let rest = bitcast<vec4f>(body_members[rest_at(m)]).xyz;
            start = vec4f(turn(found.rotation, rest - rest_center) + found.center, start.w);
            vectors[start_at(slot)] = start;
        }
        let shift = start.xyz - vectors[sorted_at(slot)].xyz;
        vectors[predicted_at(slot)] = vec4f(candidate_then.xyz + shift, candidate_then.w);
    }
}
