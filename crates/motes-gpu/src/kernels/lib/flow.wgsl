// Plastic flow (§5.3): how much of what a member was pushed out of shape stays, in the frame of its body.

fn yielded(b: u32, m: u32) -> vec3f {
    let strain = bitcast<vec4f>(body_members[strain_at(m)]).xyz;
    let size = length(strain);
    if membership[m] == 0u || size <= bodies[b].threshold {
        return vec3f();
    }
    let creep = share_of_stiffness(bodies[b].creep, 60.0 * params.h);
    return strain * (creep * (1.0 - bodies[b].threshold / size));
}
