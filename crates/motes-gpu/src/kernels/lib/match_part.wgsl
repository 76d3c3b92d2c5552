// What a member adds to the sums over its body.

fn part_of(
    rigid: bool, member: Placed, section: u32, position: vec3f, rotation: vec4f, rest_center: vec3f,
) -> mat4x4f {
    let place = vectors[section + member.slot];
    if rigid {
        return push_of(member, place, twist_of(member.slot, section), position, rotation, rest_center);
    }
    return moments_of(member.mass, place.xyz - position, member.rest);
}
