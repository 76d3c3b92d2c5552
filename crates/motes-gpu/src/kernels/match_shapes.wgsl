// Shape matching of the candidate positions (eq. 15–16): one workgroup for each body. Of a rigid one it is known where it has its
// members; what pushed them away pushes the body. Where attachments come between
// the members of soft bodies and those of rigid ones, it takes two turns: MATCHES is 1 in the first.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> vectors: array<vec4f>;
@group(0) @binding(2) var<storage, read> membership: array<u32>;
@group(0) @binding(3) var<storage, read_write> body_members: array<vec4u>;
@group(0) @binding(4) var<storage, read_write> bodies: array<Body>;
@group(0) @binding(5) var<storage, read> clusters: array<Cluster>;

var<workgroup> found: Match;
var<workgroup> swing: vec3f;

@compute @workgroup_size(WORKGROUP)
fn main(thread: Thread) {
    let group = body_group(thread);
    let b = group.body;
    let near = bodies[b].to_position;
    let rigid = is_a(b, RIGID);
    var moments = mat4x4f();
    if MATCHES == 1u {
        moments = sum_of_members(thread.local, group, predicted_at(0u), near, bodies[b].to_rotation);
    }
    if thread.local == 0u && group.exists {
        if MATCHES == 1u && rigid && !is_a(b, KINEMATIC) && is_pushed(moments) {
            if bodies[b].in_tree == 0.0 {
                move_end(b, distance_of(moments), moments[1].xyz);
            } else {
                // Its joints have their say first.
                bodies[b].rebound = distance_of(moments);
                bodies[b].rebound_spin = moments[1].xyz;
            }
        }
        found = Match(bodies[b].to_position, bodies[b].to_rotation, bodies[b].rest_center);
        if MATCHES == 1u && !rigid && !is_a(b, KINEMATIC) {
            found = matched(moments, near, bodies[b].to_rotation);
            bodies[b].to_position = found.center;
            bodies[b].to_rotation = found.rotation;
            bodies[b].rest_center = found.rest_center;
        }
        swing = swing_to(b, found.rotation);
    }
    workgroupBarrier();
    let goal = found;
    for (var m = group.first + thread.local; m < group.end; m += WORKGROUP) {
        pull(b, m, pulled_at(b, m), goal, swing);
    }
}
