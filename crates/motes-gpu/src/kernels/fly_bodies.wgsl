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

// Turns by the angular momentum, with the inertia of the middle of the sub-step.
fn fly(b: u32, angular_momentum: vec3f) {
    let rotation = bodies[b].from_rotation;
    let inverse_inertia = bodies[b].inverse_inertia;
    let spin = turned(inverse_inertia, rotation) * angular_momentum;
    var middle = spin;
    for (var k = 0u; k < 4u; k++) {
        let half = rotation_about(0.5 * params.h * middle);
        middle = turned(inverse_inertia, compose(half, rotation)) * angular_momentum;
    }
    let whole = rotation_about(params.h * middle);
    bodies[b].spin = spin;
    bodies[b].turn = whole;
    bodies[b].to_position = bodies[b].from_position + params.h * bodies[b].velocity;
    bodies[b].to_rotation = normalize(compose(whole, rotation));
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
    var near = vec3f();
    var usual = vec3f();
    if some != NO_MEMBER {
        let arm = turn(bodies[b].rotation, bitcast<vec4f>(body_members[rest_at(some)]).xyz);
        near = vectors[position_at(membership[some] - 1u)].xyz - arm;
        usual = vectors[velocity_at(membership[some] - 1u)].xyz;
    }
    var sum = mat4x4f();
    for (var m = first + thread.local; m < end; m += WORKGROUP) {
        let member = placed(m);
        let place = vectors[position_at(member.slot)].xyz - near;
        sum[0] += member.mass * vec4f(place, 1.0);
        sum[1] += member.mass * vec4f(member.rest, 0.0);
        sum[2] += member.mass * vec4f(vectors[velocity_at(member.slot)].xyz - usual, 0.0);
    }
    let all = sum_over_group(thread.local, sum);
    let per_mass = select(0.0, 1.0 / all[0].w, all[0].w > 0.0);
    let center = near + all[0].xyz * per_mass;
    let velocity = usual + all[2].xyz * per_mass;
    var momentum = mat4x4f();
    for (var m = first + thread.local; m < end; m += WORKGROUP) {
        let member = placed(m);
        let arm = vectors[position_at(member.slot)].xyz - center;
        let own = vectors[velocity_at(member.slot)].xyz - velocity;
        momentum[0] += vec4f(member.mass * cross(arm, own), 0.0);
    }
    let angular_momentum = sum_over_group(thread.local, momentum)[0].xyz;
    if thread.local == 0u && group_index(thread) < params.bodies {
        bodies[b].rest_center = all[1].xyz * per_mass;
        bodies[b].velocity = velocity + bodies[b].force * (params.h / bodies[b].mass);
        bodies[b].from_position = center;
        bodies[b].from_rotation = bodies[b].rotation;
        fly(b, angular_momentum + bodies[b].torque * params.h);
        if is_a(b, KINEMATIC) {
            follow(b);
        }
    }
}
