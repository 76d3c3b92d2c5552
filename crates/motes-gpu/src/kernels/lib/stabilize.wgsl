// Where a particle starts once it is out of the colliders that it overlaps at the start. It was at `seen` before others
// pushed it, which twists its body by `twisted`: contacts of a particle of a body do not see each other, since what moves is the body.

fn out_of_colliders(i: u32, start: vec3f, seen: vec3f, run: vec2u, twisted: vec3f) -> vec3f {
    var moved = start;
    var ball = vec4f();
    var twist = vec4f();
    if INSCRIBED == 1u {
        twist = vec4f(twisted, vectors[twist_at(i)].w);
        ball = vectors[inscribed_at(i)];
    }
    var reach = 1.0;
    if (BODIES == 1u || is_in_part(i)) && run.y > 0u {
        reach = vectors[before_at(i)].w;
    }
    for (var c = run.x; c < run.x + run.y; c++) {
        let surface = contacts[c].point - contacts[c].travel;
        let radius = wall_radius(i, contacts[c].normal);
        let place = select(seen, moved, reach == 1.0);
        let depth = radius - dot(place - surface, contacts[c].normal) - SLOP * 2.0 * radius;
        var push = (max(depth, 0.0) * reach) * contacts[c].normal;
        if has_ball(twist) {
            push *= UNDONE;
            let arm = arm_of(ball, contacts[c].normal, radius);
            twist += vec4f(cross(arm, push) / contacts[c].inverse_mass, 0.0);
        }
        moved += push;
    }
    if has_ball(twist) {
        vectors[start_twist_at(i)] = vec4f(twist.xyz, 0.0);
    }
    // What bends would make speed of it: slowly enough, it gets out of the way as a whole.
    if BODIES == 1u && is_member(i) && vectors[before_at(i)].w == 1.0 {
        let way = moved - seen;
        let most = UNBENDING * radius_of(i) * params.h;
        return seen + way * min(1.0, most / max(length(way), 1e-30));
    }
    return moved;
}
