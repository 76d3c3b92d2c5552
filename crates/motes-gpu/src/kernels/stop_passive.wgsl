// Spray, foam, bubbles and markers of smoke stay out of colliders, along their paths in the sub-step.

@group(0) @binding(0) var<uniform> params: ColliderParams;
@group(0) @binding(1) var<uniform> foam: FoamParams;
@group(0) @binding(2) var<storage, read> counts: array<u32>;
@group(0) @binding(3) var<storage, read_write> positions: array<vec4f>;
@group(0) @binding(4) var<storage, read_write> velocities: array<vec4f>;
@group(0) @binding(5) var<storage, read> passive_kinds: array<vec2u>;
@group(0) @binding(6) var<storage, read> pool: array<u32>;
// Never touched: planes beyond those at hand are left out.
@group(0) @binding(7) var<storage, read_write> contacts: array<ColliderContact>;

@compute @workgroup_size(WORKGROUP)
fn main(thread: Thread) {
    let i = thread_index(thread);
    if i >= counts[foam.counter] || passive_kinds[i].x == MARKER {
        return;
    }
    let position = positions[i];
    var velocity = velocities[i].xyz;
    if (passive_kinds[i].x & FLEW) != 0u {
        // It has gone by the mean of this velocity and the one before.
        velocity = 0.5 * (velocity + velocity / max(foam.flies, 1e-6) - foam.kick);
    }
    let came = velocity;
    let start = position.xyz - params.h * velocity;
    var end = position.xyz;
    var touches = false;
    for (var collider = 0u; collider < params.colliders; collider++) {
        let reach = TOUCHES * foam.size;
        let low = min(start, end) - reach;
        let high = max(start, end) + reach;
        if !is_near(collider, ALL_CHANNELS, low, high) {
            continue;
        }
        shape = record_at(collider);
        plane_count = 0u;
        let sweep = Sweep(local_point(shape.start, start), local_point(shape.end, end), foam.size, reach);
        if shape.kind == MESH || shape.kind == HEIGHTFIELD {
            find_shell_planes(thread.local, true, sweep);
        } else {
            find_planes(sweep);
        }
        let runs = surface_at(collider);
        for (var k = 0u; k < min(plane_count, KEPT); k++) {
            let plane = plane_at(k);
            let point = world_point(shape.end, plane.point);
            let normal = rotate(shape.end.rotation, plane.normal);
            let depth = foam.size - dot(end - point, normal);
            touches = true;
            if depth <= 0.0 {
                continue;
            }
            end += depth * normal;
            let moved = point - world_point(shape.start, local_point(shape.end, point));
            let ran = runs.offset + (plane.point - rotate(runs.back, plane.point));
            let travel = moved + rotate(shape.end.rotation, ran - dot(ran, plane.normal) * plane.normal);
            velocity = stopped(velocity, travel / params.h, normal);
        }
    }
    if !touches {
        return;
    }
    var age = position.w;
    if passive_kinds[i].x == SPRAY {
        age += params.h * (WETS - SLOW_AGEING);
    }
    positions[i] = vec4f(end, age);
    if (passive_kinds[i].x & FLEW) != 0u {
        velocity += velocities[i].xyz - came;
    }
    velocities[i] = vec4f(velocity, velocities[i].w);
}

fn stopped(velocity: vec3f, surface: vec3f, normal: vec3f) -> vec3f {
    let relative = velocity - surface;
    let into = -dot(relative, normal);
    if into <= 0.0 {
        return velocity;
    }
    let along = relative + into * normal;
    let left = max(1.0 - SPRAY_FRICTION * into / max(length(along), 1e-37), 0.0);
    return surface + left * along;
}
