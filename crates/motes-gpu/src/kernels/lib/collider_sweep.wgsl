// The swept query: where does a moving ball first touch, and where does it slide to from there? The reasons for it all
// are given in motes-core's `colliders/sweep.rs`.

struct Sweep {
    start: vec3f,
    end: vec3f,
    radius: f32,
    // Distance from the centre at the end below which a surface is reported.
    reach: f32,
}

struct Hit {
    found: bool,
    // Fraction of the path.
    time: f32,
    plane: SurfacePlane,
}

// Where a path ends, unless the ball is wedged.
struct Rest {
    free: bool,
    point: vec3f,
}

// Whether a path is to be followed, or else whether its end is where the ball rests.
struct Approach {
    follows: bool,
    rests: bool,
}

fn no_hit() -> Hit {
    return Hit(false, 0.0, SurfacePlane());
}

fn touch_distance(distance: f32, radius: f32) -> f32 {
    return select(distance, TOUCH * min(distance, radius), distance > 0.0);
}

// Finds the planes of a solid that a particle on this path must stay above.
fn find_planes(sweep: Sweep) {
    if shape.kind == PLANE {
        let surface = plane_distance(shape.size, sweep.end);
        if surface.w < sweep.reach {
            push_plane(SurfacePlane(sweep.end - surface.w * surface.xyz, surface.xyz));
        }
        return;
    }
    if !knows(CUBOID) {
        return;
    }
    let approach = solid_approach(sweep);
    var rest = Rest(approach.rests, sweep.end);
    if approach.follows {
        rest = slide(sweep);
    }
    if !rest.free {
        return;
    }
    let surface = signed_distance(shape.kind, rest.point);
    if surface.w < sweep.reach {
        push_distinct(SurfacePlane(rest.point - surface.w * surface.xyz, surface.xyz), sweep.radius);
    }
}

// Whether the path may touch a solid, and from outside: a centre only just inside still remembers its side, one deeper
// leaves by the nearest way.
fn solid_approach(sweep: Sweep) -> Approach {
    let path = distance(sweep.start, sweep.end);
    if knows(HULL) && shape.kind == HULL
        && highest_plane(sweep.start).w + highest_plane(sweep.end).w - path >= 2.0 * sweep.reach {
        return Approach(false, false);
    }
    let steepness = solid_steepness();
    var at_start = 0.0;
    var at_end = 0.0;
    for (var k = 0u; k < 2u; k++) {
        at_start = at_end;
        at_end = signed_distance(shape.kind, select(sweep.end, sweep.start, k == 0u)).w;
    }
    if at_start + at_end - steepness * path >= 2.0 * sweep.reach {
        return Approach(false, false);
    }
    let deep = at_start <= -sweep.radius;
    return Approach(!deep, deep);
}

// Most that the distance changes per metre.
fn solid_steepness() -> f32 {
    if knows(GRID) && shape.kind == GRID {
        return grid_steepness();
    }
    return 1.0;
}

fn slide(sweep: Sweep) -> Rest {
    var start = sweep.start;
    var end = sweep.end;
    var radius = sweep.radius;
    for (var slides = 0u; slides < MAX_SLIDES; slides++) {
        let hit = first_hit(start, end, radius);
        if !hit.found {
            return Rest(true, end);
        }
        radius *= TOUCH * TOUCH;
        start = mix(start, end, hit.time);
        if !push_distinct(hit.plane, sweep.radius) {
            break;
        }
        end = above_planes(end, sweep.radius);
    }
    wedge(start, end, sweep.radius);
    return Rest(false, end);
}

// Where a point goes that is lifted above the planes found so far, again and again.
fn above_planes(point: vec3f, radius: f32) -> vec3f {
    var lifted = point;
    for (var round = 0u; round < MAX_PROJECTIONS; round++) {
        for (var i = 0u; i < plane_count; i++) {
            let plane = kept_plane(i);
            lifted += plane.normal * max(radius - height_above(plane, lifted), 0.0);
        }
    }
    return lifted;
}

// Holds a ball back that found no place to rest.
fn wedge(start: vec3f, end: vec3f, radius: f32) {
    let back = start - end;
    if dot(back, back) > 0.25 * radius * radius && has_direction(back) {
        let normal = normalize(back);
        push_plane(SurfacePlane(start - radius * normal, normal));
    }
}

fn first_hit(start: vec3f, end: vec3f, radius: f32) -> Hit {
    if knows(GRID) && shape.kind == GRID {
        return marched_hit(start, end, radius);
    }
    return convex_hit(shape.kind, start, end, radius);
}

fn convex_hit(kind: u32, start: vec3f, end: vec3f, radius: f32) -> Hit {
    let path = end - start;
    if !has_direction(path) {
        return no_hit();
    }
    let direction = normalize(path);
    var surface = vec4f();
    var goal = 0.0;
    var tolerance = 0.0;
    var travelled = 0.0;
    var center = start;
    for (var advances = 0u; advances <= MAX_ADVANCES; advances++) {
        surface = signed_distance(kind, center);
        if advances == 0u {
            goal = touch_distance(surface.w, radius);
            tolerance = NEAR * max(goal, 0.0) + EPSILON * largest(max(abs(start), abs(end)));
        }
        if advances == MAX_ADVANCES {
            break;
        }
        let closing = -dot(direction, surface.xyz);
        if closing <= 0.0 {
            return no_hit();
        }
        let gap = surface.w - goal;
        if gap <= tolerance {
            break;
        }
        travelled += gap / closing;
        if travelled >= length(path) {
            return no_hit();
        }
        center = start + travelled * direction;
    }
    return Hit(true, travelled / length(path), SurfacePlane(center - surface.w * surface.xyz, surface.xyz));
}
