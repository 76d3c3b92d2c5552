// Starts of rigid bodies that are held together in loops, after some of them were moved out of overlaps: `hold_starts` of
// motes-core's `attachments.rs`. Closed at the end of the sub-step alone, the gap would become speed. A workgroup has an island,
// and goes through it level by level.

@group(0) @binding(0) var<storage, read_write> bodies: array<Body>;
@group(0) @binding(1) var<storage, read> attachments: array<Attachment>;
// The first level of each island, and how many there are.
@group(0) @binding(2) var<storage, read> islands: array<vec2u>;
// The first attachment of each level; the last entry is the end.
@group(0) @binding(3) var<storage, read> levels: array<u32>;
@group(0) @binding(4) var<storage, read> drives: array<Drive>;

var<workgroup> island: vec2u;
// Whether any of its bodies was moved, as threads find it, and for all to read.
var<workgroup> some_moved: atomic<u32>;
var<workgroup> is_some_moved: u32;

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
    if side.inverse_mass != 0.0 {
        move_start(b, side.inverse_mass * impulse, cross(side.arm, impulse));
    }
}

fn hold(a: u32) {
    if !holds_start(a) {
        return;
    }
    let attachment = attachments[a];
    let first = side_of(attachment.body, attachment.point);
    let second = side_of(attachment.other, attachment.from_anchor);
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

@compute @workgroup_size(WORKGROUP)
fn main(thread: Thread) {
    if thread.local == 0u {
        let known = group_index(thread) < arrayLength(&islands);
        island = select(vec2u(), islands[min(group_index(thread), arrayLength(&islands) - 1u)], known);
        atomicStore(&some_moved, 0u);
    }
    let own = workgroupUniformLoad(&island);
    for (var a = levels[own.x] + thread.local; own.y > 0u && a < levels[own.x + own.y]; a += WORKGROUP) {
        if attachments[a].state == HOLDS && (is_moved(attachments[a].body) || is_moved(attachments[a].other)) {
            atomicStore(&some_moved, 1u);
        }
    }
    workgroupBarrier();
    if thread.local == 0u {
        is_some_moved = atomicLoad(&some_moved);
    }
    if workgroupUniformLoad(&is_some_moved) == 0u {
        return;
    }
    for (var sweep = 0u; sweep < SWEEPS; sweep++) {
        for (var step = 0u; step < own.y; step++) {
            let level = own.x + select(step, own.y - 1u - step, sweep % 2u == 1u);
            for (var a = levels[level] + thread.local; a < levels[level + 1u]; a += WORKGROUP) {
                hold(a);
            }
            storageBarrier();
        }
    }
}
