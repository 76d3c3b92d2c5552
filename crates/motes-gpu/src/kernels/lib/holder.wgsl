// Points of bodies that do not keep their shape, each held by a part of its body: motes-core's `grip.rs`.

struct Grip {
    // How far an impulse at the point moves a member: this for all of them, and more along the slope from the centre.
    per_mass: f32,
    slope: vec3f,
    center: vec3f,
    // What the mean over the members misses of the point.
    arm: vec3f,
    inverse_mass: f32,
}

fn body_at(attachment: Attachment, end: u32) -> u32 {
    return select(attachment.body, attachment.other, end == 1u);
}

fn point_at(attachment: Attachment, end: u32) -> vec3f {
    return select(attachment.point, attachment.anchor, end == 1u);
}

fn grip_at(attachment: Attachment, end: u32) -> Grip {
    if end == 1u {
        return Grip(
            attachment.other_per_mass,
            attachment.other_slope,
            attachment.other_center,
            attachment.other_arm,
            attachment.other_inverse_mass,
        );
    }
    return Grip(attachment.per_mass, attachment.slope, attachment.center, attachment.arm, attachment.inverse_mass);
}

// The members that hold an end: the first entry, how many there are, and whether they are listed.
struct Part {
    first: u32,
    count: u32,
    listed: bool,
}

fn part_at(attachment: Attachment, end: u32) -> Part {
    let entries = select(attachment.count, attachment.other_count, end == 1u);
    let first = select(attachment.first, attachment.other_first, end == 1u);
    let count = select(0u, entries & ~LISTED, is_held_by_part(body_at(attachment, end)));
    return Part(first, count, (entries & LISTED) != 0u);
}

fn member_of_part(part: Part, k: u32) -> u32 {
    let entry = part.first + k;
    if part.listed {
        return membership[entry];
    }
    return entry;
}

fn response(grip: Grip, rest: vec3f) -> f32 {
    return grip.per_mass + dot(grip.slope, rest - grip.center);
}
