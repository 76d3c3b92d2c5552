// Members after they were moved out of overlaps: those of a rigid body start where that has them then, and candidates follow
// their starts.

// Both ends of a rigid body's sub-step after its start was moved, and the end before.
struct Moved {
    from_pose: Pose,
    to_pose: Pose,
    old_position: vec3f,
    old_rotation: vec4f,
}

// What pushes on its members at the start do to a body there.
fn moved_by(b: u32, start: Pose, sum: mat4x4f) -> Moved {
    let axis = turn_in(1.0, start.rotation, bodies[b].inverse_inertia, sum[1].xyz);
    let origin = moved(start, distance_of(sum), axis);
    let goal = end_of_flight(b, origin, bodies[b].offset, bodies[b].angular_impulse);
    return Moved(origin, goal, bodies[b].to_position, bodies[b].to_rotation);
}

fn follow_start(b: u32, m: u32, follows: bool, moved: Moved) {
    if membership[m] == 0u {
        return;
    }
    let slot = membership[m] - 1u;
    let candidate_then = vectors[predicted_at(slot)];
    let start = vectors[start_at(slot)];
    let rigid = is_a(b, RIGID) && candidate_then.w != 0.0;
    var shift = start.xyz - vectors[sorted_at(slot)].xyz;
    if rigid && follows {
        let arm = bitcast<vec4f>(body_members[rest_at(m)]).xyz - bodies[b].rest_center;
        let place = turn(moved.from_pose.rotation, arm) + moved.from_pose.position;
        vectors[start_at(slot)] = vec4f(place, start.w);
        let before = turn(moved.old_rotation, arm) + moved.old_position;
        shift = (turn(moved.to_pose.rotation, arm) + moved.to_pose.position) - before;
    } else if rigid {
        shift = vec3f();
    }
    vectors[predicted_at(slot)] = vec4f(candidate_then.xyz + shift, candidate_then.w);
}
