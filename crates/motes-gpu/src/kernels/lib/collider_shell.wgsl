// Contacts of a ball with a surface of joined triangles, felt from both sides. A triangle whose nearest point lies on an
// edge or corner speaks only where no neighbour is nearer, so that a ball never catches on the edges inside a surface.

// The same memory as `pool`.
@group(0) @binding(8) var<storage, read> pool_vectors: array<vec4u>;


fn overlaps(triangle: Triangle, low: vec3f, high: vec3f) -> bool {
    return all(min(triangle.a, min(triangle.b, triangle.c)) <= high)
        && all(max(triangle.a, max(triangle.b, triangle.c)) >= low);
}

// Normal of a contact whose nearest point lies on `feature` of a triangle; w is 0 where a neighbour is nearer.
fn outward(triangle: u32, corners: Triangle, feature: u32, to_center: vec3f, flat_normal: vec3f) -> vec4f {
    if feature == FACE || !has_direction(to_center) {
        return vec4f(flat_normal, 1.0);
    }
    let direction = normalize(to_center);
    let corner = (feature - EDGE) % 3u;
    let at_edge = feature < CORNER;
    let origin = corner_of(corners, corner);
    var other = origin;
    var along = vec3f();
    if at_edge {
        other = corner_of(corners, (corner + 1u) % 3u);
        along = direction_or(other - origin, vec3f());
        let across = shell_across(triangle, corner);
        if across.x != CROWDED {
            let arm = bitcast<vec3f>(across.yzw) - origin;
            return outward_at_edge(triangle, across.x, arm, along, direction, flat_normal);
        }
    }
    return outward_in_fan(triangle, corner, origin, other, along, direction);
}

fn corner_of(triangle: Triangle, corner: u32) -> vec3f {
    return select(select(triangle.c, triangle.b, corner == 1u), triangle.a, corner == 0u);
}

// Whether a ball is nearer to a neighbour whose other corner is an arm away.
fn covers(direction: vec3f, arm: vec3f, along: vec3f) -> bool {
    let inward = arm - along * dot(arm, along);
    return dot(direction, inward) > COVERED * length(inward);
}

// At an edge with one neighbour or none, whose other corner is an arm away. Of two triangles that face the ball the later
// one tells the normal.
fn outward_at_edge(
    triangle: u32,
    neighbor: u32,
    arm: vec3f,
    along: vec3f,
    direction: vec3f,
    flat_normal: vec3f,
) -> vec4f {
    let own = facing_normal(flat_normal, direction, vec3f());
    if neighbor == NONE {
        return vec4f(select(direction, own, any(own != vec3f())), 1.0);
    }
    if covers(direction, arm, along) {
        return vec4f();
    }
    let theirs = facing_normal(shell_facet(neighbor).normal, direction, vec3f());
    let faces = any(own != vec3f());
    let others_face = any(theirs != vec3f());
    let normal = select(direction, own, faces);
    return vec4f(select(normal, theirs, others_face && (neighbor > triangle || !faces)), 1.0);
}

// The normal of a triangle on the ball's side if it faces the ball.
fn facing_normal(normal: vec3f, direction: vec3f, otherwise: vec3f) -> vec3f {
    let facing = dot(direction, normal);
    return select(otherwise, select(normal, -normal, facing < 0.0), abs(facing) > SAME_NORMAL);
}

// At a corner, or at the edge from it to another one, whatever triangles there are. Corners are told apart by their places.
fn outward_in_fan(triangle: u32, corner: u32, origin: vec3f, other: vec3f, along: vec3f, direction: vec3f) -> vec4f {
    let pivot = shell_indices(triangle)[corner];
    let at_edge = any(other != origin);
    var normal = direction;
    let size = fan_size(pivot);
    for (var place = 0u; place < size; place++) {
        let neighbor = fan_triangle(pivot, place);
        if neighbor == NONE {
            continue;
        }
        let facet = shell_facet(neighbor);
        let corners = facet.corners;
        if at_edge && !(all(corners.a == other) || all(corners.b == other) || all(corners.c == other)) {
            continue;
        }
        for (var i = 0u; neighbor != triangle && i < 3u; i++) {
            let point = corner_of(corners, i);
            if any(point != origin) && any(point != other) && covers(direction, point - origin, along) {
                return vec4f();
            }
        }
        normal = facing_normal(facet.normal, direction, normal);
    }
    return vec4f(normal, 1.0);
}

// What a walk over the triangles is for: the planes within reach of a ball at rest, which one thread finds alone, or which threads
// that share the walk tell each other; the earliest touch of a path.
const NO_TASK = 0u;
const LOOK_ALONE = 1u;
const LOOK = 2u;
const FOLLOW = 3u;

struct Path {
    start: vec3f,
    end: vec3f,
    radius: f32,
}

// The earliest touch and its triangle, or how many planes there are.
struct Seen {
    hit: Hit,
    triangle: u32,
    planes: u32,
}

// Walks over the triangles of a part, for one task or the other: a driver takes long over what it has to write out twice.
fn look_around(task: u32, local: u32, sweep: Sweep, path: Path) -> Seen {
    let follows = task == FOLLOW;
    var part = part_of(local);
    if task == LOOK_ALONE {
        part = Part(0u, 1u);
    }
    let end = path.end;
    let start = select(end, path.start, follows);
    let radius = select(sweep.reach, path.radius, follows);
    var seen = Seen(no_hit(), 0u, 0u);
    var walk = walk_near(part, start, end, radius);
    // The part of the path that could still hold an earlier touch.
    var low = walk.low;
    var high = walk.high;
    for (var triangle = next_triangle(&walk); triangle != NONE; triangle = next_triangle(&walk)) {
        let facet = shell_facet(triangle);
        face = facet.corners;
        if !overlaps(face, low, high) {
            continue;
        }
        let normal = facet.normal;
        let before = dot(start - face.a, normal);
        let after = dot(end - face.a, normal);
        if min(before, after) >= radius || max(before, after) <= -radius {
            continue;
        }
        var time = 1.0;
        var crosses = false;
        if follows {
            face_normal = select(-normal, normal, before >= 0.0);
            crosses = (before >= 0.0) != (after >= 0.0) && is_pierced(shell_indices(triangle), start, end - start);
            let touch = convex_hit(TRIANGLE, start, end, radius);
            if !touch.found && !crosses {
                continue;
            }
            time = select(before / (before - after), touch.time, touch.found);
            if seen.hit.found
                && (seen.hit.time < time || (seen.hit.time == time && seen.triangle <= triangle)) {
                continue;
            }
        } else {
            let side = select(after, dot(sweep.start - face.a, normal), after == 0.0);
            face_normal = select(normal, -normal, side < 0.0);
        }
        let center = select(end, mix(start, end, time), follows);
        let nearest = nearest_point(face, center);
        let away = center - nearest.point;
        if !follows && dot(away, away) >= radius * radius {
            continue;
        }
        // A path that goes through the face must be stopped by it, whatever part of it the ball meets first.
        let feature = select(nearest.feature, FACE, crosses);
        let found = outward(triangle, face, feature, away, face_normal);
        if found.w == 0.0 {
            continue;
        }
        let plane = SurfacePlane(nearest.point, found.xyz);
        if follows {
            seen.hit = Hit(true, time, plane);
            seen.triangle = triangle;
            low = min(start, center) - radius;
            high = max(start, center) + radius;
        } else {
            tell(local, part, seen.planes, place_of(walk), plane, sweep.radius);
            seen.planes++;
        }
    }
    return seen;
}

// Whether nothing of a mesh is within reach, as far as its cells know.
fn is_far(sweep: Sweep) -> bool {
    return max(sweep.reach, sweep.radius + distance(sweep.start, sweep.end)) < mesh_clearance(sweep.end);
}

// Finds the planes of a shell that a particle on this path must stay above: it slides along what it touches, then looks around
// where it rests. All threads of the workgroup come along, those without a particle too, because they may wait for each
// other; who has come to rest looks around when nobody slides any more, all at once.
fn find_shell_planes(local: u32, wanted: bool, sweep: Sweep) {
    var approach = Approach(wanted && !(is_mesh() && is_far(sweep)), false);
    if wanted && is_terrain() {
        approach = terrain_approach(sweep);
    }
    var path = Path(sweep.start, sweep.end, sweep.radius);
    var task = select(select(NO_TASK, LOOK, approach.rests), FOLLOW, approach.follows);
    var slides = 0u;
    for (var rounds = 0u; rounds < MAX_SLIDES + 2u; rounds++) {
        let present = most_of_group(local, task);
        if present == NO_TASK {
            break;
        }
        if task == LOOK && present == LOOK && is_terrain() && terrain_wall(sweep, path.end) {
            task = NO_TASK;
        }
        var seen = Seen(no_hit(), 0u, 0u);
        if task == present {
            seen = look_around(task, local, sweep, path);
        }
        exchange(local, seen);
        if task != present {
            // Waits for the others.
        } else if task == FOLLOW {
            let hit = earliest_of(local, seen);
            if hit.found {
                slides++;
                path.radius *= TOUCH * TOUCH;
                path.start = mix(path.start, path.end, hit.time);
                let is_new = push_distinct(hit.plane, sweep.radius);
                if is_new {
                    path.end = above_planes(path.end, sweep.radius);
                }
                if !is_new || slides == MAX_SLIDES {
                    wedge(path.start, path.end, sweep.radius);
                    task = NO_TASK;
                }
            } else {
                task = LOOK;
            }
        } else if task == LOOK && push_told(local, sweep.radius) {
            task = LOOK_ALONE;
        } else {
            task = NO_TASK;
        }
        end_exchange();
    }
}

// Whether a line passes through the triangle that the shell looks at, its border included.
fn is_pierced(indices: vec3u, origin: vec3f, direction: vec3f) -> bool {
    let u = edge_volume(indices.x, indices.y, face.a - origin, face.b - origin, direction);
    let v = edge_volume(indices.y, indices.z, face.b - origin, face.c - origin, direction);
    let w = edge_volume(indices.z, indices.x, face.c - origin, face.a - origin, direction);
    return (u >= 0.0 && v >= 0.0 && w >= 0.0) || (u <= 0.0 && v <= 0.0 && w <= 0.0);
}

// Two triangles with a common edge work out the same volume for it, whatever way the driver rounds, but for its sign: no
// line slips between them.
fn edge_volume(first: u32, second: u32, a: vec3f, b: vec3f, direction: vec3f) -> f32 {
    let forward = first < second;
    let low = select(b, a, forward);
    let high = select(a, b, forward);
    let volume = dot(direction, cross(high, low));
    return select(-volume, volume, forward);
}
