// Where in the sub-step impulses of attachments act on rigid bodies, by what they did in the one before: motes-core's
// `attachment.rs`. A thread for each body that is attached to something.

@group(0) @binding(0) var<storage, read_write> bodies: array<Body>;
@group(0) @binding(1) var<storage, read> attachments: array<Attachment>;
// Bodies, and where their attachments begin in the list; behind the last one no body.
@group(0) @binding(2) var<storage, read> attached: array<vec2u>;
// Attachments, twice their number, and one more where the body is their second.
@group(0) @binding(3) var<storage, read> attached_by: array<u32>;

fn geometric_stiffness(arm: vec3f, impulse: vec3f) -> mat3x3f {
    let outer = mat3x3f(arm * impulse.x, arm * impulse.y, arm * impulse.z);
    let along = symmetric(vec3f(dot(arm, impulse)), vec3f());
    return along - (outer + transpose(outer)) * 0.5;
}

@compute @workgroup_size(WORKGROUP)
fn main(thread: Thread) {
    let i = thread_index(thread);
    if i + 1u >= arrayLength(&attached) || attached[i].x == NO_BODY {
        return;
    }
    let b = attached[i].x;
    let across = bodies[b].inertia * bodies[b].inverse_inertia;
    let is_row = trace(across) < 2.5;
    let back = reverse(bodies[b].from_rotation);
    var lever = 0.0;
    var stiffness = mat3x3f();
    for (var k = attached[i].y; k < attached[i + 1u].y; k++) {
        let attachment = attachments[attached_by[k] / 2u];
        if attachment.state == BROKEN {
            continue;
        }
        let second = attached_by[k] % 2u == 1u;
        let point = select(attachment.point, attachment.anchor, second);
        let arm = point - bodies[b].origin - bodies[b].rest_center;
        let impulse = select(attachment.impulse, -attachment.impulse, second);
        stiffness += geometric_stiffness(arm, turn(back, impulse));
        if is_row && length(across * arm) > 0.05 * length(arm) {
            lever = 1.0;
        }
    }
    let ratio = bodies[b].inverse_inertia * stiffness;
    let swing = sqrt(max(trace(ratio * ratio), 0.0)) - SLOW_SWING;
    let chord = 2.0 * length(bodies[b].turn.xyz);
    bodies[b].in_tree = f32(attachments[attached_by[attached[i].y] / 2u].in_tree);
    bodies[b].lever = max(lever, clamp(max(swing, chord / SLOW_TURN - 1.0), 0.0, 1.0));
}
