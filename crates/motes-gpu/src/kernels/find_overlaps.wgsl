// Particles inside triggers: pairs of a collider and a particle, in any order.

@group(0) @binding(0) var<uniform> params: ColliderParams;
@group(0) @binding(1) var<storage, read> positions: array<vec4f>;
@group(0) @binding(2) var<storage, read> kinds: array<vec4u>;
@group(0) @binding(3) var<storage, read> pool: array<u32>;
// The same memory.
@group(0) @binding(4) var<storage, read> pool_vectors: array<vec4u>;
@group(0) @binding(5) var<storage, read_write> overlaps: array<vec2u>;
@group(0) @binding(6) var<storage, read_write> counters: array<atomic<u32>>;

@compute @workgroup_size(WORKGROUP)
fn main(thread: Thread) {
    let i = thread_index(thread);
    if i >= params.count {
        return;
    }
    let position = positions[i].xyz;
    let phase = kinds[i].x;
    for (var trigger = 0u; trigger < params.colliders; trigger++) {
        if !is_near(trigger, phase, position, position) {
            continue;
        }
        shape = record_at(trigger);
        if !shape_contains(local_point(shape.end, position), group_radius_of(params, phase)) {
            continue;
        }
        let slot = atomicAdd(&counters[params.counters], 1u);
        if slot < params.capacity {
            overlaps[slot] = vec2u(shape.place, i);
        } else {
            atomicAdd(&counters[params.counters + 1u], 1u);
        }
    }
}

// Whether a ball overlaps the shape. For a mesh: whether it touches the surface.
fn shape_contains(point: vec3f, radius: f32) -> bool {
    if is_mesh() {
        return shell_touches(point, radius);
    }
    if is_terrain() {
        return terrain_contains(point, radius);
    }
    return signed_distance(shape.kind, point).w < radius;
}

fn terrain_contains(point: vec3f, radius: f32) -> bool {
    if point.y - radius >= terrain_highest() {
        return false;
    }
    if terrain_covers(point) && point.y < terrain_height_at(point.xz) {
        return true;
    }
    let beside = terrain_beside(point);
    if has_direction(beside) {
        return length(beside) < radius;
    }
    return shell_touches(point, radius);
}

fn shell_touches(point: vec3f, radius: f32) -> bool {
    var walk = walk_near(Part(0u, 1u), point, point, radius);
    for (var triangle = next_triangle(&walk); triangle != NONE; triangle = next_triangle(&walk)) {
        let away = point - nearest_point(shell_facet(triangle).corners, point).point;
        if dot(away, away) < radius * radius {
            return true;
        }
    }
    return false;
}
