// A member in its slot. The dead are in the first one without any mass, so that sums need not stop at them.
struct Placed {
    slot: u32,
    rest: vec3f,
    mass: f32,
}

fn placed(m: u32) -> Placed {
    let link = membership[m];
    let rest = bitcast<vec4f>(body_members[rest_at(m)]);
    return Placed(max(link, 1u) - 1u, rest.xyz, select(0.0, rest.w, link != 0u));
}
