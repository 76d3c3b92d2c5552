// What the members of a body add up to for `matched`: their places in the section of vectors that begins at `section`,
// relative to `near`.

fn sum_of_moments(local: u32, group: BodyGroup, section: u32, near: vec3f) -> mat4x4f {
    var sum = mat4x4f();
    for (var m = group.first + local; m < group.end; m += WORKGROUP) {
        let member = placed(m);
        sum += moments_of(member.mass, vectors[section + member.slot].xyz - near, member.rest);
    }
    return sum_over_group(local, sum);
}
