// What attachments begin a sub-step with: an anchor where its collider will be, of bodies that are not rigid the nearest member,
// and no impulse; and where joints are whose axes something acts on. One workgroup for each.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<uniform> colliders: ColliderParams;
@group(0) @binding(2) var<storage, read> vectors: array<vec4f>;
@group(0) @binding(3) var<storage, read> membership: array<u32>;
// Rest positions come first.
@group(0) @binding(4) var<storage, read> body_members: array<vec4u>;
@group(0) @binding(5) var<storage, read> bodies: array<Body>;
@group(0) @binding(6) var<storage, read_write> attachments: array<Attachment>;
// Places at the ends of all sub-steps, and whether there is a collider (w); then poses of what joints are driven against, position
// and rotation, at either end of each sub-step.
@group(0) @binding(7) var<storage, read> anchors: array<vec4f>;
@group(0) @binding(8) var<storage, read_write> drives: array<Drive>;

// Nearness and number of a member.
var<workgroup> nearest: array<vec2u, WORKGROUP>;

// The living member of a body that is nearest to a point, as `nearness` of motes-core has it, and the first of several.
fn nearest_member(local: u32, b: u32, point: vec3f) -> u32 {
    var best = vec2u(NO_MEMBER);
    if is_held_by_member(b) {
        let rest = point - bodies[b].origin;
        let end = bodies[b].first + bodies[b].count;
        for (var m = bodies[b].first + local; m < end; m += WORKGROUP) {
            let apart = bitcast<vec4f>(body_members[m]).xyz - rest;
            let nearness = bitcast<u32>(dot(apart, apart)) >> 12u;
            if membership[m] != 0u && nearness < best.x {
                best = vec2u(nearness, m);
            }
        }
    }
    workgroupBarrier();
    nearest[local] = best;
    for (var reach = WORKGROUP / 2u; reach > 0u; reach /= 2u) {
        workgroupBarrier();
        if local < reach {
            let a = nearest[local];
            let b = nearest[local + reach];
            let second = b.x < a.x || (b.x == a.x && b.y < a.y);
            nearest[local] = select(a, b, second);
        }
    }
    workgroupBarrier();
    return nearest[0].y;
}

// A point of a body and its rotation at the start of the sub-step.
fn frame_at_start(b: u32, point: vec3f, member: u32) -> JointFrame {
    let rotation = bodies[b].from_rotation;
    if is_held_by_member(b) {
        let beside = point - bodies[b].origin - bitcast<vec4f>(body_members[member]).xyz;
        return JointFrame(vectors[position_at(membership[member] - 1u)].xyz + turn(rotation, beside), rotation);
    }
    let arm = point - bodies[b].origin - bodies[b].rest_center;
    return JointFrame(bodies[b].from_position + turn(rotation, arm), rotation);
}

// Where a joint is, of the first of its attachments with its members.
fn begin_joint(d: u32, attachment: Attachment, member: u32, other_member: u32, lost: bool) {
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
    let body = frame_at_start(attachment.body, attachment.point, member);
    let base = drives[d].base_from;
    var partner = JointFrame(drives[d].base_position + turn(base, drives[d].anchor), base);
    if attachment.other != NO_BODY {
        partner = frame_at_start(attachment.other, attachment.anchor, other_member);
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
    let bends = is_held_by_member(attachment.body) || is_held_by_member(attachment.other);
    drives[d].acts = select(0u, 1u, attachment.is_on != 0u && (!bends || drives[d].kind == DISTANCE));
}

@compute @workgroup_size(WORKGROUP)
fn main(thread: Thread) {
    let exists = group_index(thread) < arrayLength(&attachments);
    let a = min(group_index(thread), arrayLength(&attachments) - 1u);
    let attachment = attachments[a];
    let member = nearest_member(thread.local, attachment.body, attachment.point);
    let other_member = nearest_member(thread.local, attachment.other, attachment.anchor);
    if thread.local != 0u || !exists || attachment.state == BROKEN {
        return;
    }
    var missing = is_held_by_member(attachment.body) && member == NO_MEMBER;
    missing |= is_held_by_member(attachment.other) && other_member == NO_MEMBER;
    if attachment.path != NO_PATH {
        let anchor = anchors[attachment.path + colliders.substep];
        attachments[a].anchor = anchor.xyz;
        missing |= anchor.w == 0.0;
    }
    attachments[a].member = member;
    attachments[a].other_member = other_member;
    attachments[a].earlier = select(attachment.earlier + attachment.impulse, vec3f(), colliders.substep == 0u);
    attachments[a].impulse = vec3f();
    attachments[a].state = select(HOLDS, WAITS, missing || attachment.is_on == 0u);
    if attachment.drive != NO_JOINT && drives[attachment.drive].leader == a {
        begin_joint(attachment.drive, attachment, member, other_member, missing);
    }
}
