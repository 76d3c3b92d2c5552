// What the members of a body in the pose that it has add up to, their places taken from the section of vectors that begins at
// `section`: pushes if it is rigid, else moments for `matched`, relative to its position.

fn sum_of_members(local: u32, group: BodyGroup, section: u32, position: vec3f, rotation: vec4f) -> mat4x4f {
    let rigid = is_a(group.body, RIGID);
    let rest_center = bodies[group.body].rest_center;
    var sum = mat4x4f();
    for (var m = group.first + local; m < group.end; m += WORKGROUP) {
        let member = placed(m);
        sum += part_of(rigid, member, section, position, rotation, rest_center);
    }
    return sum_over_group(local, sum);
}
