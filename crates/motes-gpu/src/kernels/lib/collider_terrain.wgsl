// Contacts with a terrain: its surface as a shell, its walls along the border, and a way up for what is below it.

struct Wall {
    found: bool,
    distance: f32,
    plane: SurfacePlane,
}

fn terrain_approach(sweep: Sweep) -> Approach {
    if min(sweep.start.y, sweep.end.y) - sweep.reach >= terrain_highest() {
        return Approach(false, false);
    }
    if terrain_covers(sweep.start) && sweep.start.y < terrain_height_at(sweep.start.xz) {
        lift(sweep);
        return Approach(false, false);
    }
    let entered = wall_entered(sweep);
    if entered.found {
        push_plane(entered.plane);
        return Approach(false, false);
    }
    // Below the rim the surface's border edge is part of the wall, not an edge to touch.
    let beside = wall_near(sweep.start).found && wall_near(sweep.end).found;
    return Approach(!beside, beside);
}

// Adds the wall near a ball at rest and says whether it is beside the terrain.
fn terrain_wall(sweep: Sweep, rest: vec3f) -> bool {
    let wall = wall_near(rest);
    if wall.found && wall.distance < sweep.reach {
        push_distinct(wall.plane, sweep.radius);
    }
    return wall.found;
}

// Brings a particle that is below the surface up, by the triangle straight above its end.
fn lift(sweep: Sweep) {
    let facet = terrain_facet(terrain_triangle_at(sweep.end.xz));
    let normal = facet.normal;
    let height = dot(sweep.end - facet.corners.a, normal);
    if terrain_covers(sweep.end) && height < sweep.reach {
        push_plane(SurfacePlane(sweep.end - height * normal, normal));
    }
}

// The nearest wall of the border to a point beside the terrain and below its rim.
fn wall_near(point: vec3f) -> Wall {
    let away = terrain_beside(point);
    if !has_direction(away) {
        return Wall();
    }
    return Wall(true, length(away), SurfacePlane(point - away, normalize(away)));
}

// The wall through which a path comes into the solid from beside it.
fn wall_entered(sweep: Sweep) -> Wall {
    if terrain_covers(sweep.start) {
        return Wall();
    }
    let size = terrain_size();
    let along = sweep.end - sweep.start;
    var enter = 0.0;
    var leave = 1.0;
    var normal = vec3f();
    for (var axis = 0u; axis < 3u; axis += 2u) {
        let high = size[axis / 2u];
        let begin = sweep.start[axis];
        if along[axis] == 0.0 {
            if begin < 0.0 || begin > high {
                return Wall();
            }
            continue;
        }
        let a = -begin / along[axis];
        let b = (high - begin) / along[axis];
        if min(a, b) >= enter {
            enter = min(a, b);
            normal = vec3f();
            normal[axis] = -sign(along[axis]);
        }
        leave = min(leave, max(a, b));
    }
    let point = sweep.start + enter * along;
    let entered = enter <= leave && any(normal != vec3f()) && point.y < terrain_height_at(point.xz);
    return Wall(entered, 0.0, SurfacePlane(point, normal));
}
