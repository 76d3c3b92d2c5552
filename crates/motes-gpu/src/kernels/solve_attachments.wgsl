// Attachments of bodies in loops and of bodies that bend, in the order in which the CPU engine goes through them: motes-core's
// `attachment.rs`. A workgroup has an island of bodies that hang together. Its attachments come in levels, within which no two
// share a body; where a body of the island bends, the whole workgroup adds up and moves the members that hold its points, one attachment at a time.

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
@group(0) @binding(8) var<storage, read_write> drives: array<Drive>;

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
// Attachments of a level, of which some is of a body that bends.
var<workgroup> level_range: vec2u;
var<workgroup> some_bend: atomic<u32>;
var<workgroup> some_bend_for_all: u32;
// Where members have the points at both ends of the attachment that is solved, and the impulses on them.
var<workgroup> held: array<vec3f, 2>;
var<workgroup> given: array<vec3f, 2>;

// What members hold of the point at an end, relative to its body, by so many threads.
fn sum_held(local: u32, attachment: Attachment, end: u32) -> vec3f {
    let part = part_at(attachment, end);
    let grip = grip_at(attachment, end);
    var sum = vec3f();
    for (var k = local; k < part.count; k += WORKGROUP) {
        let member = placed(member_of_part(part, k));
        let near = bodies[body_at(attachment, end)].from_position;
        sum += member.mass * response(grip, member.rest) * (vectors[predicted_at(member.slot)].xyz - near);
    }
    return sum;
}

// Moves the members that hold an end by the impulse there.
fn move_held(local: u32, attachment: Attachment, end: u32) {
    let part = part_at(attachment, end);
    let grip = grip_at(attachment, end);
    let impulse = given[end];
    for (var k = local; k < part.count; k += WORKGROUP) {
        let member = placed(member_of_part(part, k));
        let place = vectors[predicted_at(member.slot)];
        if member.mass > 0.0 && place.w != 0.0 {
            let moved = place.xyz + response(grip, member.rest) * impulse;
            vectors[predicted_at(member.slot)] = vec4f(moved, place.w);
        }
    }
}

fn side_of(attachment: Attachment, end: u32) -> Side {
    let nothing = mat3x3f();
    let b = body_at(attachment, end);
    let point = point_at(attachment, end);
    if b == NO_BODY {
        return Side(point, vec3f(), vec3f(), 0.0, nothing);
    }
    if is_held_by_part(b) {
        let grip = grip_at(attachment, end);
        let beside = turn(bodies[b].to_rotation, grip.arm);
        let center = bodies[b].from_position + held[end] + grip.inverse_mass * given[end];
        return Side(center, beside, beside, grip.inverse_mass, nothing);
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

// Moves what is on a side by an impulse at the point, and by one about it.
fn push(side: Side, attachment: Attachment, end: u32, impulse: vec3f, turning: vec3f) {
    if side.inverse_mass == 0.0 {
        return;
    }
    let b = body_at(attachment, end);
    if is_held_by_part(b) {
        given[end] += impulse;
        return;
    }
    move_end(b, side.inverse_mass * impulse, cross(side.start, impulse) + turning);
}

// Brings the points of an attachment together; those of a slider across its direction.
fn hold(a: u32, slides: bool) {
    let attachment = attachments[a];
    let first = side_of(attachment, 0u);
    var second = side_of(attachment, 1u);
    var gap = (second.center + second.arm) - (first.center + first.arm);
    var across = symmetric(vec3f(1.0), vec3f());
    if slides {
        let partner = frame_of(attachment.drive, attachment.other, second);
        let direction = turn(partner.rotation, drives[attachment.drive].other_direction);
        across -= outer(direction);
        gap = across * gap;
        second = met_at(second, attachment.other, first.center + first.arm);
    }
    let mobility = mobility_of(first) + mobility_of(second);
    let size = trace(mobility);
    if size <= 0.0 {
        return;
    }
    // A little more than there is, so that what cannot move at all has an inverse too.
    var sure = mobility + symmetric(vec3f(SURE * size), vec3f());
    if slides {
        sure = across * mobility * across + symmetric(vec3f((1.0 + SURE) * size), vec3f()) - across * size;
    }
    let impulse = across * (inverse(sure) * gap);
    push(first, attachment, 0u, impulse, vec3f());
    push(second, attachment, 1u, -impulse, vec3f());
    attachments[a].impulse = attachment.impulse + impulse;
}

fn outer(v: vec3f) -> mat3x3f {
    return mat3x3f(v * v.x, v * v.y, v * v.z);
}

fn solve(a: u32) {
    if attachments[a].state != HOLDS {
        return;
    }
    let d = attachments[a].drive;
    if d == NO_JOINT {
        hold(a, false);
        return;
    }
    let acts = drives[d].acts != 0u;
    if drives[d].kind != DISTANCE {
        hold(a, acts && drives[d].kind == SLIDER);
    }
    if acts && drives[d].leader == a {
        act(d, a);
    }
}

// One attachment, by the whole workgroup.
fn solve_together(local: u32, a: u32) {
    let attachment = attachments[a];
    let first = vec4f(sum_held(local, attachment, 0u), 0.0);
    let second = vec4f(sum_held(local, attachment, 1u), 0.0);
    let sum = sum_over_group(local, mat4x4f(first, second, vec4f(), vec4f()));
    if local == 0u {
        held = array<vec3f, 2>(sum[0].xyz, sum[1].xyz);
        given = array<vec3f, 2>();
        solve(a);
    }
    workgroupBarrier();
    move_held(local, attachment, 0u);
    move_held(local, attachment, 1u);
    storageBarrier();
    workgroupBarrier();
}

@compute @workgroup_size(WORKGROUP)
fn main(thread: Thread) {
    if thread.local == 0u {
        let known = group_index(thread) < arrayLength(&islands);
        island = select(vec2u(), islands[min(group_index(thread), arrayLength(&islands) - 1u)], known);
        atomicStore(&some_bend, 0u);
    }
    let own = workgroupUniformLoad(&island);
    for (var a = levels[own.x] + thread.local; own.y > 0u && a < levels[own.x + own.y]; a += WORKGROUP) {
        if is_held_by_part(attachments[a].body) || is_held_by_part(attachments[a].other) {
            atomicStore(&some_bend, 1u);
        }
    }
    workgroupBarrier();
    if thread.local == 0u {
        some_bend_for_all = atomicLoad(&some_bend);
    }
    let together = workgroupUniformLoad(&some_bend_for_all) != 0u;
    for (var sweep = 0u; sweep < SWEEPS; sweep++) {
        for (var step = 0u; step < own.y; step++) {
            let level = own.x + select(step, own.y - 1u - step, sweep % 2u == 1u);
            if together {
                if thread.local == 0u {
                    level_range = vec2u(levels[level], levels[level + 1u]);
                }
                let range = workgroupUniformLoad(&level_range);
                for (var a = range.x; a < range.y; a++) {
                    solve_together(thread.local, a);
                }
            } else {
                for (var a = levels[level] + thread.local; a < levels[level + 1u]; a += WORKGROUP) {
                    solve(a);
                }
                storageBarrier();
            }
        }
    }
}
