// First touch of a ball with a solid known by distances on a grid, by sphere tracing: no step is shorter than a quarter
// of a cell, below which the solid has no detail.

fn marched_hit(start: vec3f, end: vec3f, radius: f32) -> Hit {
    let shortest = 0.25 * grid_cell();
    let steepness = grid_steepness();
    let goal = touch_distance(grid_distance(start).w, radius);
    let margin = radius + shortest;
    let part = clip(grid_low() - margin, grid_high() + margin, start, end);
    let begin = mix(start, end, part.x);
    let path = mix(start, end, part.y) - begin;
    if part.x > part.y || !has_direction(path) {
        return no_hit();
    }
    let direction = normalize(path);
    var before = 0.0;
    var travelled = 0.0;
    var touches = false;
    let most = u32(min(length(path) / shortest, 1e9)) + 2u;
    for (var steps = 0u; steps < most; steps++) {
        let surface = grid_distance(begin + travelled * direction);
        touches = surface.w <= goal && dot(direction, surface.xyz) < 0.0;
        if touches {
            break;
        }
        before = travelled;
        travelled = min(length(path), travelled + max((surface.w - goal) / steepness, shortest));
        if travelled <= before {
            break;
        }
    }
    if !touches {
        return no_hit();
    }
    // The last step may have gone in; the touch lies between it and the one before.
    for (var halvings = 0u; halvings < 12u; halvings++) {
        let middle = 0.5 * (before + travelled);
        if grid_distance(begin + middle * direction).w <= goal {
            travelled = middle;
        } else {
            before = middle;
        }
    }
    let center = begin + travelled * direction;
    let surface = grid_distance(center);
    let time = part.x + (part.y - part.x) * travelled / length(path);
    return Hit(true, time, SurfacePlane(center - surface.w * surface.xyz, surface.xyz));
}

// The fractions of a segment at which it enters and leaves a box; the first is larger when it does neither.
fn clip(low: vec3f, high: vec3f, start: vec3f, end: vec3f) -> vec2f {
    var enter = 0.0;
    var leave = 1.0;
    for (var axis = 0u; axis < 3u; axis++) {
        let along = end[axis] - start[axis];
        let below = low[axis] - start[axis];
        let above = high[axis] - start[axis];
        if along == 0.0 {
            if below > 0.0 || above < 0.0 {
                return vec2f(1.0, 0.0);
            }
        } else {
            enter = max(enter, min(below / along, above / along));
            leave = min(leave, max(below / along, above / along));
        }
    }
    return vec2f(enter, leave);
}
