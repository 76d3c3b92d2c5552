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
        found.rest_center = bodies[b].rest_center;
        bodies[b].from_position = found.center;
        bodies[b].from_rotation = found.rotation;
    }
    workgroupBarrier();
    let goal = found;
    for (var m = group.first + thread.local; m < group.end; m += WORKGROUP) {
        follow_start(m, follows, goal);
    }
}
