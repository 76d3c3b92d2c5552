// Starts of rigid bodies that are held together, after some of them were moved out of overlaps: `hold_starts` of motes-core's
// `attachments.rs`. Closed at the end of the sub-step alone, the gap would become speed. A workgroup has an island.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> vectors: array<vec4f>;
@group(0) @binding(2) var<storage, read> membership: array<u32>;
@group(0) @binding(3) var<storage, read> body_members: array<vec4u>;
@group(0) @binding(4) var<storage, read_write> bodies: array<Body>;
@group(0) @binding(5) var<storage, read> attachments: array<Attachment>;
// The first attachment of each island, and where they end.
@group(0) @binding(6) var<storage, read> islands: array<vec2u>;
@group(0) @binding(7) var<storage, read> drives: array<Drive>;

// Attachments of the island; none if none of its bodies was moved.
var<workgroup> island: vec2u;

// One side of an attachment at the start.
struct Side {
    center: vec3f,
    arm: vec3f,
    inverse_mass: f32,
    inverse_inertia: mat3x3f,
}

fn side_of(b: u32, point: vec3f) -> Side {
    if b == NO_BODY {
        return Side(point, vec3f(), 0.0, mat3x3f());
    }
    let rotation = bodies[b].from_rotation;
    let arm = turn(rotation, point - bodies[b].origin - bodies[b].rest_center);
    if is_a(b, KINEMATIC) {
        return Side(bodies[b].from_position, arm, 0.0, mat3x3f());
    }
    return Side(bodies[b].from_position, arm, 1.0 / bodies[b].mass, turned(bodies[b].inverse_inertia, rotation));
}

fn mobility_of(side: Side) -> mat3x3f {
    let arm = cross_matrix(side.arm);
    return symmetric(vec3f(side.inverse_mass), vec3f()) + transpose(arm) * side.inverse_inertia * arm;
}

fn push(b: u32, side: Side, impulse: vec3f) {
    if side.inverse_mass == 0.0 {
        return;
    }
    let axis = turn_in(1.0, bodies[b].from_rotation, bodies[b].inverse_inertia, cross(side.arm, impulse));
    let start = moved(start_of_flight(b), side.inverse_mass * impulse, axis);
    set_start(b, start);
    set_end(b, end_of_flight(b, start, bodies[b].offset, bodies[b].angular_impulse));
}

// Whether an attachment holds points of rigid bodies and of the world.
fn holds(attachment: Attachment) -> bool {
    if attachment.state != HOLDS || attachment.path != NO_PATH {
        return false;
    }
    if is_held_by_part(attachment.body) || is_held_by_part(attachment.other) {
        return false;
    }
    if attachment.drive == NO_JOINT {
        return true;
    }
    return drives[attachment.drive].kind != SLIDER && drives[attachment.drive].kind != DISTANCE;
}

fn hold(a: u32) {
    let attachment = attachments[a];
    if !holds(attachment) {
        return;
    }
    let first = side_of(attachment.body, attachment.point);
    let second = side_of(attachment.other, attachment.anchor);
    let mobility = mobility_of(first) + mobility_of(second);
    let size = trace(mobility);
    if size <= 0.0 {
        return;
    }
    let gap = (second.center + second.arm) - (first.center + first.arm);
    let impulse = inverse(mobility + symmetric(vec3f(SURE * size), vec3f())) * gap;
    push(attachment.body, first, impulse);
    push(attachment.other, second, -impulse);
}

fn is_moved(b: u32) -> bool {
    return b != NO_BODY && bodies[b].start_moved != 0.0;
}

// Has the members of a body start where that has them; candidates follow.
fn place_members(local: u32, b: u32) {
    if b == NO_BODY || !is_a(b, RIGID) || is_a(b, KINEMATIC) {
        return;
    }
    let end = bodies[b].first + bodies[b].count;
    for (var m = bodies[b].first + local; m < end; m += WORKGROUP) {
        let link = membership[m];
        if link == 0u || vectors[predicted_at(link - 1u)].w == 0.0 {
            continue;
        }
        let arm = bitcast<vec4f>(body_members[rest_at(m)]).xyz - bodies[b].rest_center;
        let weight = vectors[start_at(link - 1u)].w;
        vectors[start_at(link - 1u)] = vec4f(turn(bodies[b].from_rotation, arm) + bodies[b].from_position, weight);
        let mass = vectors[predicted_at(link - 1u)].w;
        vectors[predicted_at(link - 1u)] = vec4f(turn(bodies[b].to_rotation, arm) + bodies[b].to_position, mass);
    }
}

@compute @workgroup_size(WORKGROUP)
fn main(thread: Thread) {
    if thread.local == 0u {
        let known = group_index(thread) < arrayLength(&islands);
        let rows = select(vec2u(), islands[min(group_index(thread), arrayLength(&islands) - 1u)], known);
        var is_some_moved = false;
        for (var a = rows.x; a < rows.y; a++) {
            let waits = attachments[a].state != HOLDS;
            is_some_moved |= !waits && (is_moved(attachments[a].body) || is_moved(attachments[a].other));
        }
        for (var sweep = 0u; sweep < SWEEPS && is_some_moved; sweep++) {
            for (var step = 0u; step < rows.y - rows.x; step++) {
                hold(select(rows.x + step, rows.y - 1u - step, sweep % 2u == 1u));
            }
        }
        island = select(vec2u(), rows, is_some_moved);
    }
    storageBarrier();
    let rows = workgroupUniformLoad(&island);
    for (var a = rows.x; a < rows.y; a++) {
        place_members(thread.local, attachments[a].body);
        place_members(thread.local, attachments[a].other);
    }
}
