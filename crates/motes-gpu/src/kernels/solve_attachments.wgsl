// Attachments of bodies in loops and of bodies that bend, in the order in which the CPU engine goes through them: motes-core's
// `attachment.rs`. A workgroup has an island of bodies that hang together. Its attachments come in levels, within which no two
// share a body.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> vectors: array<vec4f>;
@group(0) @binding(2) var<storage, read> membership: array<u32>;
@group(0) @binding(3) var<storage, read> body_members: array<vec4u>;
@group(0) @binding(4) var<storage, read_write> bodies: array<Body>;
@group(0) @binding(5) var<storage, read_write> attachments: array<Attachment>;
// The first level of each island, and how many there are.
@group(0) @binding(6) var<storage, read> islands: array<vec2u>;
// The first attachment of each level; the last entry is the end.
@group(0) @binding(7) var<storage, read> levels: array<u32>;

// One side of an attachment.
struct Side {
    center: vec3f,
    // The point, from the centre, as the body is turned at the start of the sub-step, where impulses act, and at its end.
    start: vec3f,
    arm: vec3f,
    inverse_mass: f32,
    // As the body is turned in the middle.
    inverse_inertia: mat3x3f,
}

var<workgroup> island: vec2u;

fn side_of(b: u32, point: vec3f, member: u32) -> Side {
    let nothing = mat3x3f();
    if b == NO_BODY {
        return Side(point, vec3f(), vec3f(), 0.0, nothing);
    }
    if is_held_by_member(b) {
        let place = vectors[predicted_at(membership[member] - 1u)];
        let rest = bitcast<vec4f>(body_members[member]).xyz;
        let beside = turn(bodies[b].to_rotation, point - bodies[b].origin - rest);
        return Side(place.xyz, beside, beside, place.w, nothing);
    }
    let before = bodies[b].from_rotation;
    let rotation = bodies[b].to_rotation;
    let local = point - bodies[b].origin - bodies[b].rest_center;
    let arm = turn(rotation, local);
    if is_a(b, KINEMATIC) {
        return Side(bodies[b].to_position, arm, arm, 0.0, nothing);
    }
    let start = turn(between(before, rotation, bodies[b].lever), local);
    let inverse_inertia = turned(bodies[b].inverse_inertia, between(before, rotation, 0.5));
    return Side(bodies[b].to_position, start, arm, 1.0 / bodies[b].mass, inverse_inertia);
}

// How far an impulse at the start of the lever moves the point at its end.
fn mobility_of(side: Side) -> mat3x3f {
    let turning = transpose(cross_matrix(side.arm)) * side.inverse_inertia * cross_matrix(side.start);
    return symmetric(vec3f(side.inverse_mass), vec3f()) + turning;
}

// Moves what is on a side by an impulse at the point.
fn push(side: Side, b: u32, member: u32, impulse: vec3f) {
    if side.inverse_mass == 0.0 {
        return;
    }
    let center = side.center + side.inverse_mass * impulse;
    if is_held_by_member(b) {
        vectors[predicted_at(membership[member] - 1u)] = vec4f(center, side.inverse_mass);
        return;
    }
    move_end(b, side.inverse_mass * impulse, cross(side.start, impulse));
}

fn solve(a: u32) {
    let attachment = attachments[a];
    if attachment.state != HOLDS {
        return;
    }
    let first = side_of(attachment.body, attachment.point, attachment.member);
    let second = side_of(attachment.other, attachment.anchor, attachment.other_member);
    let mobility = mobility_of(first) + mobility_of(second);
    let size = mobility[0].x + mobility[1].y + mobility[2].z;
    if size <= 0.0 {
        return;
    }
    // A little more than there is, so that what cannot move at all has an inverse too.
    let sure = mobility + symmetric(vec3f(SURE * size), vec3f());
    let gap = (second.center + second.arm) - (first.center + first.arm);
    let impulse = inverse(sure) * gap;
    push(first, attachment.body, attachment.member, impulse);
    push(second, attachment.other, attachment.other_member, -impulse);
    attachments[a].impulse = attachment.impulse + impulse;
}

@compute @workgroup_size(WORKGROUP)
fn main(thread: Thread) {
    if thread.local == 0u {
        let known = group_index(thread) < arrayLength(&islands);
        island = select(vec2u(), islands[min(group_index(thread), arrayLength(&islands) - 1u)], known);
    }
    let own = workgroupUniformLoad(&island);
    for (var sweep = 0u; sweep < SWEEPS; sweep++) {
        for (var step = 0u; step < own.y; step++) {
            let level = own.x + select(step, own.y - 1u - step, sweep % 2u == 1u);
            for (var a = levels[level] + thread.local; a < levels[level + 1u]; a += WORKGROUP) {
                solve(a);
            }
            storageBarrier();
        }
    }
}
