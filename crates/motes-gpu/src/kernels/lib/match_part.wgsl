// What a member adds to the sums over its body.

fn part_of(
    rigid: bool, member: Placed, place: vec4f, position: vec3f, rotation: vec4f, rest_center: vec3f,
) -> mat4x4f {
    if rigid {
        return push_of(member, place, position, rotation, rest_center);
    }
    return moments_of(member.mass, place.xyz - position, member.rest);
}
