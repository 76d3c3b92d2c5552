// Line 24 for bodies: velocities that keep what a turn along chords would lose (`rigid.rs` of motes-core). The others have
// theirs already.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> vectors: array<vec4f>;
@group(0) @binding(2) var<storage, read> kinds: array<vec4u>;
@group(0) @binding(3) var<storage, read> membership: array<u32>;
@group(0) @binding(4) var<storage, read> body_members: array<vec4u>;
@group(0) @binding(5) var<storage, read> bodies: array<Body>;

// Velocity of the centre, and angular velocity, at the end of the sub-step.
struct Motion {
    velocity: vec3f,
    spin: vec3f,
}

fn motion_after(b: u32) -> Motion {
    let body = bodies[b];
    let inverse_inertia = turned(body.inverse_inertia, body.to_rotation);
    if (body.kind & (RIGID | KINEMATIC)) == RIGID {
        let after = momenta_after(b);
        return Motion(after.velocity, inverse_inertia * after.angular_momentum);
    }
    let angle = arc(compose(body.to_rotation, reverse(body.from_rotation)));
    let middle = compose(rotation_about(0.5 * angle), body.from_rotation);
    let angular_momentum = turned(body.inertia, middle) * (angle / params.h);
    return Motion((body.to_position - body.from_position) / params.h, inverse_inertia * angular_momentum);
}

@compute @workgroup_size(WORKGROUP)
fn main(thread: Thread) {
    let i = thread_index(thread);
    if i >= params.count {
        return;
    }
    let member = member_of(kinds[sorted_kind_at(i)]);
    let goal = vectors[predicted_at(i)];
    if member == NO_MEMBER || goal.w == 0.0 {
        return;
    }
    let b = body_members[owner_at(member)].x;
    if is_a(b, BENDS) {
        let turning = cross(bodies[b].spin, goal.xyz - bodies[b].to_position);
        vectors[rebound_at(i)] += vec4f(bodies[b].velocity + turning, 0.0);
        // A particle that its shape presses on something does not hit it.
        vectors[before_at(i)] -= vec4f(bitcast<vec4f>(body_members[start_pull_at(member)]).xyz / params.h, 0.0);
        return;
    }
    let motion = motion_after(b);
    let arm = goal.xyz - bodies[b].to_position;
    var velocity = motion.velocity + cross(motion.spin, arm);
    if !is_a(b, RIGID) {
        let whole = compose(bodies[b].to_rotation, reverse(bodies[b].from_rotation));
        let start = vectors[start_at(i)].xyz - bodies[b].from_position;
        velocity += (arm - turn(whole, start)) / params.h;
    }
    vectors[rebound_at(i)] = vec4f(velocity, 1.0);
    if INSCRIBED == 1u && has_ball(vectors[twist_at(i)]) {
        vectors[twist_at(i)] = vec4f(motion.spin - arc(bodies[b].turn) / params.h, vectors[twist_at(i)].w);
    }
}
