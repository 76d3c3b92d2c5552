// What particles that were pushed away from where a rigid body has them do to it.

// What one member adds: mass times its way off and the mass (w), and the angular impulse.
fn push_of(member: Placed, place: vec4f, position: vec3f, rotation: vec4f, rest_center: vec3f) -> mat4x4f {
    let arm = turn(rotation, member.rest - rest_center);
    let size = max(abs(place.x), max(abs(place.y), abs(place.z))) + length(member.rest);
    let mass = select(0.0, member.mass, place.w != 0.0);
    let push = mass * beyond_rounding(place.xyz - (arm + position), size);
    return mat4x4f(vec4f(push, mass), vec4f(cross(arm, push), 0.0), vec4f(), vec4f());
}
