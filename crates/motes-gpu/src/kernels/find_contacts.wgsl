// Contacts of particles with colliders, along the path of each particle.
//
// A particle's contacts lie in one run, in the order of the colliders. They are counted first; then the workgroup takes
// room for all of its particles at once; then they are written. Only the place of a run depends on which group came first.

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

@compute @workgroup_size(WORKGROUP)
fn main(thread: Thread) {
    let i = thread_index(thread);
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
    if thread.local == 0u {
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
            if !awake || !is_near(collider, kind.x, low, high) || (at_hand && collider != last_touched) {
                continue;
            }
            shape = record_at(collider);
            if !at_hand {
                let local_start = local_point(shape.start, start.xyz);
                let local_end = local_point(shape.end, end.xyz);
                let before = plane_count;
                plane_count = 0u;
                find_planes(Sweep(local_start, local_end, radius, reach));
                if plane_count == 0u {
                    plane_count = before;
                    continue;
                }
            }
            if stage == COUNT {
                count += plane_count;
                touched++;
                last_touched = collider;
            } else {
                write_contacts(kind.y, end.w, group_grip(params, radius));
                run += plane_count;
            }
        }
        if stage == COUNT {
            var offset = 0u;
            if count > 0u {
                offset = atomicAdd(&group_count, count);
            }
            workgroupBarrier();
            if thread.local == 0u && atomicLoad(&group_count) > 0u {
                group_start = atomicAdd(&counters[params.counters], atomicLoad(&group_count));
            }
            workgroupBarrier();
            run = group_start + offset;
            // Written so that a sum past the largest number does not pass for room.
            has_run = run <= params.capacity && count <= params.capacity - run;
            if !has_run && count > 0u {
                atomicAdd(&counters[params.counters + 1u], count);
            }
            awake = has_run && count > 0u;
            // The planes of the only collider touched need not be found again.
            at_hand = touched == 1u && plane_count <= KEPT;
            first = run;
        }
    }
    if exists {
        ranges[i] = select(vec2u(), vec2u(first, run - first), awake);
    }
}

// Turns the planes of one collider into contacts, from `run` on.
fn write_contacts(material: u32, inverse_mass: f32, grip: f32) {
    let surface = collider_surface(params, material, shape.place);
    for (var i = 0u; i < plane_count; i++) {
        let plane = plane_at(i);
        let point = world_point(shape.end, plane.point);
        let travel = point - world_point(shape.start, local_point(shape.end, point));
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
        );
    }
}
