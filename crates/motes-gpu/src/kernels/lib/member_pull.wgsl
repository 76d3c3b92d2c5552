// How shape matching moves a member (eq. 16): to where the body has it if that is rigid, else as the springs of its shape and of its
// clusters do. MOVES has a bit for members of soft bodies and one for those of rigid ones.

// A member, and where its clusters want it, on average; it is where it is if it has none.
struct Pulled {
    lives: bool,
    slot: u32,
    rest: vec3f,
    old: vec4f,
    part: vec3f,
}

fn pulled_at(b: u32, m: u32) -> Pulled {
    let link = membership[m];
    if link == 0u || (MOVES & select(MOVES_SOFT, MOVES_RIGID, is_a(b, RIGID))) == 0u {
        return Pulled();
    }
    let old = vectors[predicted_at(link - 1u)];
    let rest = bitcast<vec4f>(body_members[rest_at(m)]).xyz;
    return Pulled(true, link - 1u, rest, old, cluster_goal(m, rest, old.xyz));
}

// How much further a body turns from its start to a rotation than it was about to when its contacts were found, axis times angle.
fn swing_to(b: u32, rotation: vec4f) -> vec3f {
    if INSCRIBED == 0u || !is_a(b, RIGID) {
        return vec3f();
    }
    return arc(compose(rotation, reverse(bodies[b].from_rotation))) - arc(bodies[b].turn);
}

fn pull(b: u32, m: u32, member: Pulled, goal: Match, swing: vec3f) {
    if !member.lives {
        return;
    }
    let old = member.old;
    let whole = turn(goal.rotation, member.rest - goal.rest_center) + goal.center;
    if is_a(b, RIGID) {
        if old.w != 0.0 {
            vectors[predicted_at(member.slot)] = vec4f(whole, old.w);
        }
        if INSCRIBED == 1u && has_ball(vectors[twist_at(member.slot)]) {
            vectors[twist_at(member.slot)] = vec4f(swing, vectors[twist_at(member.slot)].w);
        }
        return;
    }
    if is_a(b, PLASTIC) {
        // How far it is out of shape, in the body's frame.
        let wanted = select(member.part, whole, body_members[owner_at(m)].z == 0u);
        let strain = turn(reverse(goal.rotation), old.xyz - wanted);
        let flowed = body_members[strain_at(m)].w;
        body_members[strain_at(m)] = vec4u(bitcast<vec3u>(strain), flowed);
    }
    if old.w != 0.0 {
        let pulled = bitcast<vec4f>(body_members[pull_at(m)]).xyz;
        let missing = pull_missing(b, whole - old.xyz, member.part - old.xyz, pulled);
        body_members[pull_at(m)] = bitcast<vec4u>(vec4f(pulled + missing, 0.0));
        vectors[predicted_at(member.slot)] = vec4f(old.xyz + missing, old.w);
    }
}
