// Contacts of a ball with a surface of joined triangles, felt from both sides. A triangle whose nearest point lies on an
// edge or corner speaks only where no neighbour is nearer, so that a ball never catches on the edges inside a surface.


// The plane of a triangle if it is within reach of the ball at rest; w of the normal says whether it is.
struct Nearby {
    point: vec3f,
    normal: vec4f,
}

fn nearby_plane(sweep: Sweep, rest: vec3f, walk: Walk, triangle: u32) -> Nearby {
    let corners = shell_triangle(triangle);
    if !overlaps(corners, walk.low, walk.high) {
        return Nearby();
    }
    let normal = shell_normal(triangle);
    let height = dot(rest - corners.a, normal);
    if abs(height) >= sweep.reach {
        return Nearby();
    }
    let nearest = nearest_point(corners, rest);
    let away = rest - nearest.point;
    if dot(away, away) >= sweep.reach * sweep.reach {
        return Nearby();
    }
    let side = select(height, dot(sweep.start - corners.a, normal), height == 0.0);
    return Nearby(nearest.point, outward(triangle, corners, nearest.feature, away, select(normal, -normal, side < 0.0)));
}

// Adds the planes within reach of the ball at rest.
fn shell_surroundings(sweep: Sweep, rest: vec3f) {
    var walk = walk_near(Part(0u, 1u), rest, rest, sweep.reach);
    for (var triangle = next_triangle(&walk); triangle != NONE; triangle = next_triangle(&walk)) {
        let found = nearby_plane(sweep, rest, walk, triangle);
        if found.normal.w > 0.0 {
            push_distinct(SurfacePlane(found.point, found.normal.xyz), sweep.radius);
        }
    }
}

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
    let origin = corner_of(corners, corner);
    if feature >= CORNER {
        if is_mesh() {
            return outward_at_corner(triangle, corner, origin, direction);
        }
        return outward_in_fan(triangle, corner, false, vec3f(), direction);
    }
    let along = direction_or(corner_of(corners, (corner + 1u) % 3u) - origin, vec3f());
    if is_mesh() && mesh_across(triangle, corner) != CROWDED {
        return outward_at_edge(triangle, corner, origin, along, direction, flat_normal);
    }
    return outward_in_fan(triangle, corner, true, along, direction);
}

fn corner_of(triangle: Triangle, corner: u32) -> vec3f {
    return select(select(triangle.c, triangle.b, corner == 1u), triangle.a, corner == 0u);
}

// Whether a ball is nearer to a neighbour whose other corner is an arm away.
fn covers(direction: vec3f, arm: vec3f, along: vec3f) -> bool {
    let inward = arm - along * dot(arm, along);
    return dot(direction, inward) > COVERED * length(inward);
}

// At an edge of a mesh with one neighbour or none. Of two triangles that face the ball the later one tells the normal.
fn outward_at_edge(
    triangle: u32,
    edge: u32,
    origin: vec3f,
    along: vec3f,
    direction: vec3f,
    flat_normal: vec3f,
) -> vec4f {
    var normal = direction;
    let own_facing = dot(direction, flat_normal);
    let faces = abs(own_facing) > SAME_NORMAL;
    if faces {
        normal = select(flat_normal, -flat_normal, own_facing < 0.0);
    }
    let neighbor = mesh_across(triangle, edge);
    if neighbor == NONE {
        return vec4f(normal, 1.0);
    }
    if covers(direction, mesh_apex(triangle, edge) - origin, along) {
        return vec4f();
    }
    let neighbor_normal = shell_normal(neighbor);
    let facing = dot(direction, neighbor_normal);
    if abs(facing) > SAME_NORMAL && (neighbor > triangle || !faces) {
        normal = select(neighbor_normal, -neighbor_normal, facing < 0.0);
    }
    return vec4f(normal, 1.0);
}

// At a corner of a mesh, all of whose corners are in different places.
fn outward_at_corner(triangle: u32, corner: u32, origin: vec3f, direction: vec3f) -> vec4f {
    let pivot = shell_indices(triangle)[corner];
    let size = fan_size(pivot);
    var normal = direction;
    for (var place = 0u; place < size; place++) {
        let neighbor = fan_triangle(pivot, place);
        let corners = shell_triangle(neighbor);
        for (var i = 0u; neighbor != triangle && i < 3u; i++) {
            let other = corner_of(corners, i);
            if any(other != origin) && covers(direction, other - origin, vec3f()) {
                return vec4f();
            }
        }
        normal = facing_normal(neighbor, direction, normal);
    }
    return vec4f(normal, 1.0);
}

// The normal of a triangle on the ball's side if it faces the ball.
fn facing_normal(triangle: u32, direction: vec3f, otherwise: vec3f) -> vec3f {
    let normal = shell_normal(triangle);
    let facing = dot(direction, normal);
    return select(otherwise, select(normal, -normal, facing < 0.0), abs(facing) > SAME_NORMAL);
}

// At a corner, or at the edge from it to the next one, whatever triangles there are.
fn outward_in_fan(triangle: u32, corner: u32, at_edge: bool, along: vec3f, direction: vec3f) -> vec4f {
    let indices = shell_indices(triangle);
    let pivot = indices[corner];
    let origin = shell_vertex(pivot);
    let other = select(NONE, indices[(corner + 1u) % 3u], at_edge);
    var normal = direction;
    let size = fan_size(pivot);
    for (var place = 0u; place < size; place++) {
        let neighbor = fan_triangle(pivot, place);
        if neighbor == NONE {
            continue;
        }
        let corners = shell_indices(neighbor);
        if other != NONE && !any(corners == vec3u(other)) {
            continue;
        }
        for (var i = 0u; neighbor != triangle && i < 3u; i++) {
            if corners[i] == pivot || corners[i] == other {
                continue;
            }
            if covers(direction, shell_vertex(corners[i]) - origin, along) {
                return vec4f();
            }
        }
        normal = facing_normal(neighbor, direction, normal);
    }
    return vec4f(normal, 1.0);
}

// The earliest touch of the path with any triangle of a part.
struct ShellHit {
    hit: Hit,
    triangle: u32,
}

fn shell_hit(part: Part, start: vec3f, end: vec3f, radius: f32) -> ShellHit {
    var earliest = no_hit();
    var earliest_triangle = 0u;
    var walk = walk_near(part, start, end, radius);
    // The part of the path that could still hold an earlier touch.
    var low = walk.low;
    var high = walk.high;
    for (var triangle = next_triangle(&walk); triangle != NONE; triangle = next_triangle(&walk)) {
        face = shell_triangle(triangle);
        if !overlaps(face, low, high) {
            continue;
        }
        let normal = shell_normal(triangle);
        let before = dot(start - face.a, normal);
        let after = dot(end - face.a, normal);
        if min(before, after) >= radius || max(before, after) <= -radius {
            continue;
        }
        face_normal = select(-normal, normal, before >= 0.0);
        let crosses = (before >= 0.0) != (after >= 0.0) && is_pierced(shell_indices(triangle), start, end - start);
        let touch = convex_hit(TRIANGLE, start, end, radius);
        if !touch.found && !crosses {
            continue;
        }
        let time = select(before / (before - after), touch.time, touch.found);
        if earliest.found
            && (earliest.time < time || (earliest.time == time && earliest_triangle <= triangle)) {
            continue;
        }
        let center = mix(start, end, time);
        let nearest = nearest_point(face, center);
        // A path that goes through the face must be stopped by it, whatever part of it the ball meets first.
        let feature = select(nearest.feature, FACE, crosses);
        let found = outward(triangle, face, feature, center - nearest.point, face_normal);
        if found.w > 0.0 {
            earliest = Hit(true, time, SurfacePlane(nearest.point, found.xyz));
            earliest_triangle = triangle;
            low = min(start, center) - radius;
            high = max(start, center) + radius;
        }
    }
    return ShellHit(earliest, earliest_triangle);
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
