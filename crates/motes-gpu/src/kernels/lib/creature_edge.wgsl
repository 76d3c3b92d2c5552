// Edges of creatures that resist twisting: motes-core's `torsion.rs` and `cpu/creatures/twists.rs`.

struct CreatureEdge {
    // What has just been added to its angular impulse, about its direction, kg·m².
    twisted: vec3f,
    impulse: f32,
    // Its ends.
    first: u32,
    second: u32,
    // Its gain for a sub-step of a sixtieth of a second.
    rate: f32,
    unused: u32,
}

// Inverse moment of inertia of an end about the edge, as far as the edge may count on it; 0 of what does not turn.
fn end_mobility(m: u32, along: vec3f) -> f32 {
    if members[m].turns == 0u {
        return 0.0;
    }
    let at = creature_params.edge_starts + m;
    return f32(links[at + 1u] - links[at]) * dot(along, member_inverse_inertia(m) * along);
}

fn end_turned(m: u32, begins: bool) -> vec4f {
    let now = select(members[m].rotation, members[m].origin, vec4<bool>(begins));
    return compose(now, reverse(members[m].rest_rotation));
}

fn untwist_edge(e: u32, begins: bool) {
    let a = edges[e].first;
    let b = edges[e].second;
    if !is_alive(a) || !is_alive(b) {
        edges[e].twisted = vec3f();
        return;
    }
    let along = normal_or_zero(place_of(b, begins) - place_of(a, begins));
    let angle = dot(between(end_turned(a, begins), end_turned(b, begins)), along);
    let mobility = end_mobility(a, along) + end_mobility(b, along);
    let inertia = select(0.0, 1.0 / mobility, mobility > 0.0);
    let gain = gain_of(edges[e].rate);
    let wanted = gain * inertia * angle;
    var change = wanted;
    if begins {
        edges[e].impulse = wanted;
    } else {
        change = (wanted - edges[e].impulse) / (1.0 + gain);
        edges[e].impulse += change;
    }
    edges[e].twisted = change * along;
}

// Turns a member by what its edges have just done to it.
fn turn_by_edges(m: u32) {
    let at = creature_params.edge_starts + m;
    let none = links[at] == links[at + 1u];
    if none || (members[m].turns == 0u && !is_rigid(m)) {
        return;
    }
    var sum = vec3f();
    for (var k = links[at]; k < links[at + 1u]; k++) {
        // Two ends in a row are one edge.
        let end = links[creature_params.edge_list + k];
        let twisted = edges[end / 2u].twisted;
        sum += select(twisted, -twisted, (end & 1u) == 1u);
    }
    if is_rigid(m) {
        members[m].torque += sum;
    } else {
        turn_further(m, member_inverse_inertia(m) * sum);
    }
}
