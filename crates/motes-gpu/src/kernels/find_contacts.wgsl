// Contacts of particles with colliders, along the path of each particle.
//
// A particle's contacts lie in one run, in the order of the colliders. They are counted first; then the workgroup takes
// room for all of its particles at once; then they are written. Only the place of a run depends on which group came first.
// Where there are shells and few particles, SHARE threads have one particle: alone, one near a fine mesh would keep the
// whole device waiting.

@group(0) @binding(0) var<uniform> params: ColliderParams;
@group(0) @binding(1) var<storage, read> positions: array<vec4f>;
@group(0) @binding(2) var<storage, read> predicted: array<vec4f>;
@group(0) @binding(3) var<storage, read> kinds: array<vec4u>;
@group(0) @binding(4) var<storage, read> pool: array<u32>;
@group(0) @binding(5) var<storage, read_write> contacts: array<ColliderContact>;
@group(0) @binding(6) var<storage, read_write> ranges: array<vec2u>;
@group(0) @binding(7) var<storage, read_write> counters: array<atomic<u32>>;

const COUNT = 0u;
const WRITE = 1u;

var<workgroup> group_count: atomic<u32>;
var<workgroup> group_start: u32;
var<workgroup> offsets: array<u32, WORKGROUP / SHARE>;

@compute @workgroup_size(WORKGROUP)
fn main(thread: Thread) {
    let local = thread.local;
    let part = local % SHARE;
    let i = group_index(thread) * (WORKGROUP / SHARE) + local / SHARE;
    let exists = i < params.count;
    var start = vec4f();
    var end = vec4f();
    // Phase and material.
    var kind = vec4u();
    if exists {
        start = positions[i];
        end = predicted[i];
        kind = kinds[i];
    }
    // One radius of reach: what other particles can push a particle by in a sub-step.
    let radius = group_radius_of(params, kind.x);
    let reach = 2.0 * radius;
    let low = min(start.xyz, end.xyz) - reach;
    let high = max(start.xyz, end.xyz) + reach;

    var first = 0u;
    if local == 0u {
        atomicStore(&group_count, 0u);
    }
    workgroupBarrier();
    var count = 0u;
    var touched = 0u;
    var last_touched = 0u;
    var at_hand = false;
    var awake = end.w != 0.0;
    for (var stage = COUNT; stage <= WRITE; stage++) {
        for (var collider = 0u; collider < params.colliders; collider++) {
            let near = awake && is_near(collider, kind.x, low, high) && (!at_hand || collider == last_touched);
            let before = plane_count;
            let searches = near && !at_hand;
            if near {
                shape = record_at(collider);
            }
            if searches {
                plane_count = 0u;
            }
            let sweep = Sweep(
                local_point(shape.start, start.xyz),
                local_point(shape.end, end.xyz),
                radius,
                reach,
            );
            if is_shell(collider) {
                find_shell_planes(local, searches, sweep);
            } else if searches {
                find_planes(sweep);
            }
            if searches && plane_count == 0u {
                plane_count = before;
                continue;
            }
            if !near {
                continue;
            }
            if stage == COUNT {
                count += plane_count;
                touched++;
                last_touched = collider;
            } else {
                write_contacts(collider, part, kind.y, end.w, group_grip(params, radius));
                run += plane_count;
            }
        }
        if stage == COUNT {
            if part == 0u {
                offsets[local / SHARE] = 0u;
                if count > 0u {
                    offsets[local / SHARE] = atomicAdd(&group_count, count);
                }
            }
            workgroupBarrier();
            if local == 0u && atomicLoad(&group_count) > 0u {
                group_start = atomicAdd(&counters[params.counters], atomicLoad(&group_count));
            }
            workgroupBarrier();
            run = group_start + offsets[local / SHARE];
            // Written so that a sum past the largest number does not pass for room.
            has_run = run <= params.capacity && count <= params.capacity - run;
            if !has_run && count > 0u && part == 0u {
                atomicAdd(&counters[params.counters + 1u], count);
            }
            awake = has_run && count > 0u;
            // The planes of the only collider touched need not be found again.
            at_hand = touched == 1u && plane_count <= KEPT;
            first = run;
        }
    }
    if exists && part == 0u {
        ranges[i] = select(vec2u(), vec2u(first, run - first), awake);
    }
}

// Whether a collider is a surface of triangles.
fn is_shell(collider: u32) -> bool {
    let kind = pool[params.records + RECORD * collider];
    return kind == MESH || kind == HEIGHTFIELD;
}

// Turns the planes of one collider into contacts, from `run` on.
fn write_contacts(collider: u32, part: u32, material: u32, inverse_mass: f32, grip: f32) {
    let surface = collider_surface(params, material, shape.place);
    let rolling = collider_rolling(params, material, shape.place);
    let runs = surface_at(collider);
    let turn = turn_between(shape.start.rotation, shape.end.rotation) + rotate(shape.end.rotation, runs.turn);
    for (var i = part; i < plane_count; i += SHARE) {
        let plane = plane_at(i);
        let point = world_point(shape.end, plane.point);
        let moved = point - world_point(shape.start, local_point(shape.end, point));
        let ran = runs.offset + (plane.point - rotate(runs.back, plane.point));
        let travel = moved + rotate(shape.end.rotation, ran - dot(ran, plane.normal) * plane.normal);
        contacts[run + i] = ColliderContact(
            point,
            grip * surface.w * inverse_mass,
            rotate(shape.end.rotation, plane.normal),
            0.0,
            travel,
            shape.place,
            vec3f(),
            inverse_mass,
            surface,
            turn,
            rolling,
        );
    }
}
