// Lines 1–5 for bodies: forces on them, and where they fly before anything is in their way. One workgroup for each.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<uniform> colliders: ColliderParams;
@group(0) @binding(2) var<storage, read> vectors: array<vec4f>;
@group(0) @binding(3) var<storage, read> membership: array<u32>;
@group(0) @binding(4) var<storage, read> body_members: array<vec4u>;
@group(0) @binding(5) var<storage, read_write> bodies: array<Body>;
// Poses of kinematic bodies at the ends of all sub-steps: position, rotation.
@group(0) @binding(6) var<storage, read> poses: array<vec4f>;

var<workgroup> lowest: atomic<u32>;
// Whether any member is not where the body has it.
var<workgroup> displaced: atomic<u32>;

fn fly(b: u32, start: Pose, velocity: vec3f, angular_momentum: vec3f) {
    let inverse_inertia = bodies[b].inverse_inertia;
    let axis = turn_in(params.h, start.rotation, inverse_inertia, angular_momentum);
    let offset = params.h * velocity;
    bodies[b].velocity = velocity;
    bodies[b].angular_momentum = angular_momentum;
    bodies[b].in_tree = 0.0;
    bodies[b].rebound = vec3f();
    bodies[b].rebound_spin = vec3f();
    bodies[b].spin = turned(inverse_inertia, start.rotation) * angular_momentum;
    bodies[b].turn = rotation_about(axis);
    bodies[b].offset = offset;
    bodies[b].angular_impulse = params.h * angular_momentum;
    set_start(b, start);
    set_end(b, moved(start, offset, axis));
}

// Goes the part of a path that the sub-step covers.
fn follow(b: u32) {
    let first = bodies[b].path + 2u * colliders.substep;
    let center = bodies[b].origin + bodies[b].rest_center;
    bodies[b].from_rotation = poses[first + 1u];
    bodies[b].to_rotation = poses[first + 3u];
    bodies[b].from_position = poses[first].xyz + turn(poses[first + 1u], center);
    bodies[b].to_position = poses[first + 2u].xyz + turn(poses[first + 3u], center);
}

@compute @workgroup_size(WORKGROUP)
fn main(thread: Thread) {
    let b = min(group_index(thread), params.bodies - 1u);
    let first = bodies[b].first;
    let end = first + bodies[b].count;
    if thread.local == 0u {
        atomicStore(&lowest, NO_MEMBER);
        atomicStore(&displaced, 0u);
    }
    workgroupBarrier();
    for (var m = first + thread.local; m < end; m += WORKGROUP) {
        if membership[m] != 0u {
            atomicMin(&lowest, m);
            break;
        }
    }
    workgroupBarrier();
    // Sums are exact only near zero, so they are taken relative to where a member says that the centre is, and to how fast it
    // is: what they leave out would push the body the same way in every sub-step.
    let some = atomicLoad(&lowest);
    let rotation = bodies[b].rotation;
    let rigid = is_a(b, RIGID);
    var near = vec3f();
    var before = vec3f();
    if some != NO_MEMBER {
        let arm = turn(rotation, bitcast<vec4f>(body_members[rest_at(some)]).xyz);
        near = vectors[position_at(membership[some] - 1u)].xyz - arm;
        before = vectors[velocity_at(membership[some] - 1u)].xyz;
    }
    let carried_center = bodies[b].from_position;
    let carried_rest = bodies[b].rest_center;
    var sum = mat4x4f();
    for (var m = first + thread.local; m < end; m += WORKGROUP) {
        let member = placed(m);
        let place = vectors[position_at(member.slot)].xyz;
        sum[0] += member.mass * vec4f(place - near, 1.0);
        sum[1] += member.mass * vec4f(member.rest, 0.0);
        let goal = carried_center + turn(rotation, member.rest - carried_rest);
        let size = max(abs(place.x), max(abs(place.y), abs(place.z))) + length(member.rest);
        if member.mass > 0.0 && any(beyond_rounding(place - goal, size) != vec3f()) {
            atomicStore(&displaced, 1u);
        }
    }
    let all = sum_over_group(thread.local, sum);
    let per_mass = select(0.0, 1.0 / all[0].w, all[0].w > 0.0);
    let rest_center = all[1].xyz * per_mass;
    let keeps = rigid && atomicLoad(&displaced) == 0u;
    let shift = turn(rotation, rest_center - carried_rest);
    let center = select(near + all[0].xyz * per_mass, carried_center + shift, keeps);
    // What acted on the particles since the body had them move.
    var spin = vec3f();
    if rigid {
        spin = turned(bodies[b].inverse_inertia, rotation) * bodies[b].angular_momentum;
        before = bodies[b].velocity + cross(spin, shift);
    }
    let speed = select(0.0, length(before), rigid);
    let turning = length(spin);
    var kicks = mat4x4f();
    for (var m = first + thread.local; m < end; m += WORKGROUP) {
        let member = placed(m);
        let arm = vectors[position_at(member.slot)].xyz - center;
        let faster = vectors[velocity_at(member.slot)].xyz - (before + cross(spin, arm));
        let kick = member.mass * beyond_rounding(faster, speed + turning * length(arm));
        kicks[0] += vec4f(kick, 0.0);
        kicks[1] += vec4f(cross(arm, kick), 0.0);
    }
    let kicked = sum_over_group(thread.local, kicks);
    if thread.local == 0u && group_index(thread) < params.bodies {
        let start = Pose(center, rotation);
        var angular_momentum = kicked[1].xyz + bodies[b].torque * params.h;
        if rigid {
            angular_momentum += bodies[b].angular_momentum;
        }
        bodies[b].rest_center = rest_center;
        let velocity = before + kicked[0].xyz * per_mass + bodies[b].force * (params.h / bodies[b].mass);
        fly(b, start, velocity, angular_momentum);
        if is_a(b, KINEMATIC) {
            follow(b);
        }
    }
}
