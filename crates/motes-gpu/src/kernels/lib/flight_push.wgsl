// What particles that were pushed away from where a rigid body has them do to it.

// What contacts of a member just did to its body besides pushing it to its place, which is taken from that section.
fn twist_of(slot: u32, section: u32) -> vec3f {
    if INSCRIBED == 0u || !has_ball(vectors[twist_at(slot)]) {
        return vec3f();
    }
    if section == start_at(0u) {
        return vectors[start_twist_at(slot)].xyz;
    }
    return vectors[twist_at(slot)].xyz;
}

// What one member adds: mass times its way off and the mass (w), and the angular impulse.
fn push_of(member: Placed, place: vec4f, twist: vec3f, position: vec3f, rotation: vec4f, rest_center: vec3f) -> mat4x4f {
    let arm = turn(rotation, member.rest - rest_center);
    let size = max(abs(place.x), max(abs(place.y), abs(place.z))) + length(member.rest);
    let mass = select(0.0, member.mass, place.w != 0.0);
    let push = mass * beyond_rounding(place.xyz - (arm + position), size);
    let turning = cross(arm, push) + select(vec3f(), twist, any(push != vec3f()));
    return mat4x4f(vec4f(push, mass), vec4f(turning, 0.0), vec4f(), vec4f());
}
