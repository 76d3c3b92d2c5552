// A convex polyhedron. Its data: places of vertices, triangles and planes, and the number of triangles.

fn hull_plane(index: u32) -> vec4f {
    let at = pool[shape.data + 2u] + 4u * index;
    return vec4f(point_at(at), number_at(at + 3u));
}

fn hull_triangle(index: u32) -> Triangle {
    let vertices = pool[shape.data];
    let at = pool[shape.data + 1u] + 3u * index;
    return Triangle(
        point_at(vertices + 3u * pool[at]),
        point_at(vertices + 3u * pool[at + 1u]),
        point_at(vertices + 3u * pool[at + 2u]),
    );
}

// Normal of the face plane that the point is highest above, and how high.
fn highest_plane(point: vec3f) -> vec4f {
    var best = vec4f(0.0, 0.0, 0.0, -LARGEST);
    let count = pool[shape.data + 3u];
    for (var i = 0u; i < count; i++) {
        let plane = hull_plane(i);
        let height = dot(plane.xyz, point) - plane.w;
        if height > best.w {
            best = vec4f(plane.xyz, height);
        }
    }
    return best;
}

fn hull_distance(point: vec3f) -> vec4f {
    let highest = highest_plane(point);
    if highest.w <= 0.0 {
        return highest;
    }
    var best = vec4f(highest.xyz, LARGEST);
    let count = pool[shape.data + 3u];
    for (var i = 0u; i < count; i++) {
        // The nearest point lies on a face that the point sees, and no nearer than that face's plane.
        let plane = hull_plane(i);
        let height = dot(plane.xyz, point) - plane.w;
        if height <= 0.0 || height >= best.w {
            continue;
        }
        let nearest = nearest_point(hull_triangle(i), point);
        if nearest.feature == FACE {
            best = vec4f(plane.xyz, height);
            continue;
        }
        let away = point - nearest.point;
        if length(away) < best.w {
            best = vec4f(direction_or(away, plane.xyz), length(away));
        }
    }
    // This near the surface the direction to it is rounding; the plane's normal is not.
    if best.w <= 4.0 * EPSILON * largest(abs(point)) {
        return highest;
    }
    return best;
}
