// A collider over one sub-step, as a record in the pool.


struct Pose {
    position: vec3f,
    rotation: vec4f,
}

struct Record {
    kind: u32,
    channels: u32,
    // Place among the frame's colliders.
    place: u32,
    // Place of its shape's data in the pool.
    data: u32,
    // What describes a shape of few numbers.
    size: vec4f,
    start: Pose,
    end: Pose,
}

fn record_at(index: u32) -> Record {
    let at = params.records + RECORD * index;
    return Record(
        pool[at],
        pool[at + 1u],
        pool[at + 2u],
        pool[at + 3u],
        vec4f(point_at(at + 4u), number_at(at + 7u)),
        pose_at(at + 8u),
        pose_at(at + 15u),
    );
}

// How far the surface of a collider runs along itself, in its own frame: `SurfaceRun` of motes-core.
struct SurfaceRun {
    offset: vec3f,
    turn: vec3f,
    back: vec4f,
}

fn surface_at(index: u32) -> SurfaceRun {
    let at = params.records + RECORD * index + 28u;
    return SurfaceRun(point_at(at), point_at(at + 3u), vec4f(point_at(at + 6u), number_at(at + 9u)));
}

fn pose_at(at: u32) -> Pose {
    return Pose(point_at(at), vec4f(point_at(at + 3u), number_at(at + 6u)));
}

// Whether the collider shares a channel with a particle and its bounds share a point with a box. A plane is bounded by
// itself, where it is at the end: a normal and an offset.
fn is_near(index: u32, phase: u32, low: vec3f, high: vec3f) -> bool {
    let at = params.records + RECORD * index;
    if (pool[at + 1u] & (phase >> CHANNEL_SHIFT)) == 0u {
        return false;
    }
    let bound = point_at(at + 22u);
    if pool[at] == PLANE {
        return dot(bound, select(high, low, bound > vec3f())) <= number_at(at + 25u);
    }
    return all(bound <= high) && all(point_at(at + 25u) >= low);
}

// How far a pose turns from one rotation to another, axis times angle.
fn turn_between(start: vec4f, end: vec4f) -> vec3f {
    let v = start.w * end.xyz - end.w * start.xyz - cross(end.xyz, start.xyz);
    let w = dot(start, end);
    let sine = length(v);
    if sine < 1e-12 {
        return 2.0 * v;
    }
    return v * (2.0 * atan2(sine, w) / sine);
}

fn rotate(rotation: vec4f, v: vec3f) -> vec3f {
    let b = rotation.xyz;
    return v * (rotation.w * rotation.w - dot(b, b)) + b * (2.0 * dot(v, b)) + cross(b, v) * (2.0 * rotation.w);
}

fn world_point(pose: Pose, local: vec3f) -> vec3f {
    return rotate(pose.rotation, local) + pose.position;
}

fn local_point(pose: Pose, world: vec3f) -> vec3f {
    return rotate(vec4f(-pose.rotation.xyz, pose.rotation.w), world - pose.position);
}
