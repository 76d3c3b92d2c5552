// What attachments begin a sub-step with: an anchor where its collider will be, of bodies that are not rigid how a part of them
// holds the point, and no impulse; and where joints are whose axes something acts on. One workgroup for each.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<uniform> colliders: ColliderParams;
@group(0) @binding(2) var<storage, read> vectors: array<vec4f>;
@group(0) @binding(3) var<storage, read> membership: array<u32>;
@group(0) @binding(4) var<storage, read> body_members: array<vec4u>;
@group(0) @binding(5) var<storage, read> bodies: array<Body>;
@group(0) @binding(6) var<storage, read_write> attachments: array<Attachment>;
// Places at the start of the frame and at the ends of all sub-steps, and whether there is a collider (w); then poses of what joints are driven against, position
// and rotation, at either end of each sub-step.
@group(0) @binding(7) var<storage, read> anchors: array<vec4f>;
@group(0) @binding(8) var<storage, read_write> drives: array<Drive>;

// An end of an attachment at the start of the sub-step.
struct Held {
    grip: Grip,
    // Where the mean over the members is.
    place: vec3f,
    mass: f32,
}

// How a part of a body holds the point at an end.
fn hold(local: u32, attachment: Attachment, end: u32) -> Held {
    let b = body_at(attachment, end);
    let part = part_at(attachment, end);
    var sum = mat4x4f();
    for (var k = local; k < part.count; k += WORKGROUP) {
        let member = placed(member_of_part(part, k));
        sum[0] += member.mass * vec4f(member.rest, 1.0);
    }
    let whole = sum_over_group(local, sum)[0];
    let per_mass = select(0.0, 1.0 / whole.w, whole.w > 0.0);
    let center = whole.xyz * per_mass;
    sum = mat4x4f();
    for (var k = local; k < part.count; k += WORKGROUP) {
        let member = placed(member_of_part(part, k));
        let arm = member.rest - center;
        let weighted = vec4f(member.mass * arm, 0.0);
        sum += mat4x4f(weighted * arm.x, weighted * arm.y, weighted * arm.z, vec4f());
    }
    let moments = sum_over_group(local, sum);
    let spread = mat3x3f(moments[0].xyz, moments[1].xyz, moments[2].xyz);
    let size = trace(spread);
    var near = vec3f();
    var point = vec3f();
    if part.count > 0u {
        near = bodies[b].from_position;
        point = point_at(attachment, end) - bodies[b].origin;
    }
    var grip = Grip(per_mass, vec3f(), center, point - center, 0.0);
    if size > 1e-37 {
        grip.slope = inverse(spread + symmetric(vec3f(SPARE_SPREAD * size), vec3f())) * grip.arm;
        grip.arm -= spread * grip.slope;
    }
    sum = mat4x4f();
    for (var k = local; k < part.count; k += WORKGROUP) {
        let member = placed(member_of_part(part, k));
        let position = vectors[position_at(member.slot)];
        let own = response(grip, member.rest);
        sum[0] += member.mass * own * vec4f(position.xyz - near, select(0.0, own, position.w != 0.0));
    }
    let found = sum_over_group(local, sum)[0];
    grip.inverse_mass = found.w;
    return Held(grip, near + found.xyz, whole.w);
}

// A point of a body and its rotation at the start of the sub-step.
fn frame_at_start(b: u32, point: vec3f, held: Held) -> JointFrame {
    let rotation = bodies[b].from_rotation;
    if is_held_by_part(b) {
        return JointFrame(held.place + turn(rotation, held.grip.arm), rotation);
    }
    let arm = point - bodies[b].origin - bodies[b].rest_center;
    return JointFrame(bodies[b].from_position + turn(rotation, arm), rotation);
}

// Where a joint is, of the first of its attachments with what holds its ends.
fn begin_joint(d: u32, attachment: Attachment, first: Held, second: Held, lost: bool) {
    if drives[d].path == NO_PATH {
        drives[d].base_position = vec3f();
        drives[d].base_end = vec3f();
        drives[d].base_from = vec4f(0.0, 0.0, 0.0, 1.0);
        drives[d].base_to = vec4f(0.0, 0.0, 0.0, 1.0);
    } else {
        let path = drives[d].path + 2u * colliders.substep;
        drives[d].base_position = anchors[path].xyz;
        drives[d].base_from = anchors[path + 1u];
        drives[d].base_end = anchors[path + 2u].xyz;
        drives[d].base_to = anchors[path + 3u];
    }
    drives[d].impulse = 0.0;
    drives[d].turning = vec3f();
    drives[d].h = colliders.h;
    if lost {
        drives[d].acts = 0u;
        return;
    }
    let body = frame_at_start(attachment.body, attachment.point, first);
    let base = drives[d].base_from;
    var partner = JointFrame(drives[d].base_position + turn(base, drives[d].anchor), base);
    if attachment.other != NO_BODY {
        partner = frame_at_start(attachment.other, attachment.anchor, second);
    }
    let place = place_of_joint(d, body, partner);
    let since = apart_by(d, drives[d].position, place);
    drives[d].place = place;
    drives[d].position += since;
    drives[d].start = drives[d].position;
    if attachment.is_on == 0u {
        drives[d].speed = since / colliders.h;
    }
    drives[d].before = drives[d].speed;
    drives[d].along = direction_of(d, body, partner);
    let bends = is_held_by_part(attachment.body) || is_held_by_part(attachment.other);
    drives[d].acts = select(0u, 1u, attachment.is_on != 0u && (!bends || drives[d].kind == DISTANCE));
}

@compute @workgroup_size(WORKGROUP)
fn main(thread: Thread) {
    let exists = group_index(thread) < arrayLength(&attachments);
    let a = min(group_index(thread), arrayLength(&attachments) - 1u);
    let attachment = attachments[a];
    let first = hold(thread.local, attachment, 0u);
    let second = hold(thread.local, attachment, 1u);
    if thread.local != 0u || !exists || attachment.state == BROKEN {
        return;
    }
    var missing = is_held_by_part(attachment.body) && first.mass <= 0.0;
    missing |= is_held_by_part(attachment.other) && second.mass <= 0.0;
    attachments[a].from_anchor = attachment.anchor;
    if attachment.path != NO_PATH {
        let anchor = anchors[attachment.path + colliders.substep + 1u];
        attachments[a].from_anchor = anchors[attachment.path + colliders.substep].xyz;
        attachments[a].anchor = anchor.xyz;
        missing |= anchor.w == 0.0;
    }
    attachments[a].earlier = select(attachment.earlier + attachment.impulse, vec3f(), colliders.substep == 0u);
    attachments[a].slope = first.grip.slope;
    attachments[a].per_mass = first.grip.per_mass;
    attachments[a].center = first.grip.center;
    attachments[a].inverse_mass = first.grip.inverse_mass;
    attachments[a].arm = first.grip.arm;
    attachments[a].other_slope = second.grip.slope;
    attachments[a].other_per_mass = second.grip.per_mass;
    attachments[a].other_center = second.grip.center;
    attachments[a].other_inverse_mass = second.grip.inverse_mass;
    attachments[a].other_arm = second.grip.arm;
    attachments[a].impulse = vec3f();
    attachments[a].is_solved = 0u;
    attachments[a].state = select(HOLDS, WAITS, missing || attachment.is_on == 0u);
    if attachment.drive != NO_JOINT && drives[attachment.drive].leader == a {
        begin_joint(attachment.drive, attachment, first, second, missing);
    }
}
