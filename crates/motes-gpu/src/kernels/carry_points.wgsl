// Has the points by which bodies are held flow with what is around them, before bodies flow: `carry_points` of motes-core's `matching.rs`. One
// workgroup for each attachment.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> membership: array<u32>;
@group(0) @binding(2) var<storage, read> body_members: array<vec4u>;
@group(0) @binding(3) var<storage, read> bodies: array<Body>;
@group(0) @binding(4) var<storage, read_write> attachments: array<Attachment>;

fn moved(local: u32, attachment: Attachment, end: u32) -> vec3f {
    let b = body_at(attachment, end);
    var part = part_at(attachment, end);
    if part.count == 0u || !is_a(b, PLASTIC) {
        part.count = 0u;
    }
    let grip = grip_at(attachment, end);
    var sum = mat4x4f();
    for (var k = local; k < part.count; k += WORKGROUP) {
        let m = member_of_part(part, k);
        let member = placed(m);
        sum[0] += member.mass * response(grip, member.rest) * vec4f(yielded(b, m), 0.0);
    }
    return sum_over_group(local, sum)[0].xyz;
}

@compute @workgroup_size(WORKGROUP)
fn main(thread: Thread) {
    let exists = group_index(thread) < arrayLength(&attachments);
    let a = min(group_index(thread), arrayLength(&attachments) - 1u);
    let attachment = attachments[a];
    let first = moved(thread.local, attachment, 0u);
    let second = moved(thread.local, attachment, 1u);
    if thread.local != 0u || !exists || attachment.state != HOLDS {
        return;
    }
    attachments[a].point = attachment.point + first;
    if attachment.other != NO_BODY {
        attachments[a].anchor = attachment.anchor + second;
    }
}
