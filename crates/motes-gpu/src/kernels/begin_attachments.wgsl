// What attachments begin a sub-step with: an anchor where its collider will be, of bodies that are not rigid the nearest member,
// and no impulse. One workgroup for each.

@group(0) @binding(0) var<uniform> colliders: ColliderParams;
@group(0) @binding(1) var<storage, read> membership: array<u32>;
// Rest positions come first.
@group(0) @binding(2) var<storage, read> body_members: array<vec4u>;
@group(0) @binding(3) var<storage, read> bodies: array<Body>;
@group(0) @binding(4) var<storage, read_write> attachments: array<Attachment>;
// Places at the ends of all sub-steps, and whether there is a collider (w).
@group(0) @binding(5) var<storage, read> anchors: array<vec4f>;

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
    attachments[a].impulse = vec3f();
    attachments[a].state = select(HOLDS, WAITS, missing);
}
