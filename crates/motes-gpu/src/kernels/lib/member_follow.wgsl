// Members after their body was moved out of overlaps: those of a rigid one start where it has them, and candidates follow their
// starts.

fn follow_start(m: u32, follows: bool, goal: Match) {
    if membership[m] == 0u {
        return;
    }
    let slot = membership[m] - 1u;
    let candidate_then = vectors[predicted_at(slot)];
    var start = vectors[start_at(slot)];
    if follows && candidate_then.w != 0.0 {
        let rest = bitcast<vec4f>(body_members[rest_at(m)]).xyz;
        start = vec4f(turn(goal.rotation, rest - goal.rest_center) + goal.center, start.w);
        vectors[start_at(slot)] = start;
    }
    let shift = start.xyz - vectors[sorted_at(slot)].xyz;
    vectors[predicted_at(slot)] = vec4f(candidate_then.xyz + shift, candidate_then.w);
}
