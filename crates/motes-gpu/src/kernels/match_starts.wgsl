// Starts of rigid bodies, after their members were moved out of overlaps; candidates follow. One workgroup for each body.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> vectors: array<vec4f>;
@group(0) @binding(2) var<storage, read> membership: array<u32>;
@group(0) @binding(3) var<storage, read> body_members: array<vec4u>;
@group(0) @binding(4) var<storage, read_write> bodies: array<Body>;

var<workgroup> found: Moved;

@compute @workgroup_size(WORKGROUP)
fn main(thread: Thread) {
    let group = body_group(thread);
    let b = group.body;
    let origin = Pose(bodies[b].from_position, bodies[b].from_rotation);
    let sum = sum_of_members(thread.local, group, start_at(0u), origin.position, origin.rotation);
    let follows = is_a(b, RIGID) && !is_a(b, KINEMATIC) && is_pushed(sum);
    if thread.local == 0u && group.exists {
        bodies[b].start_moved = select(0.0, MOVED_OUT, follows);
    }
    if thread.local == 0u && group.exists && follows {
        found = moved_by(b, origin, sum);
        set_start(b, found.from_pose);
        set_end(b, found.to_pose);
    }
    workgroupBarrier();
    let goal = found;
    for (var m = group.first + thread.local; m < group.end; m += WORKGROUP) {
        follow_start(b, m, follows, goal);
    }
}
