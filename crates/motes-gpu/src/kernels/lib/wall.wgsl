// How far colliders reach into the surroundings of liquids: the counterpart of `walled` in motes-core.

fn beyond(q: f32) -> f32 {
    let u = clamp(1.0 - q, 0.0, 1.0);
    let cube = u * u * u;
    return 21.0 * cube * cube * (1.0 / 6.0 + u * (u / 14.0 - 3.0 / 14.0));
}

fn beyond_slope(q: f32) -> f32 {
    let u = clamp(1.0 - q, 0.0, 1.0);
    let square = u * u;
    return 21.0 * square * square * u * (1.0 + u * (4.0 / 7.0 * u - 1.5));
}

// Part of the surroundings of a particle at a place that lies within walls (w), and how fast it falls along which way (xyz, 1/m). Walls have `gone` so much
// of their way in the sub-step, and count as the lattice would by `wall`.
fn walled_by(wall: f32, i: u32, place: vec3f, gone: f32, run: vec2u) -> vec4f {
    let per_reach = per_own_reach(i);
    var open = 1.0;
    var away = vec3f();
    for (var c = run.x; c < run.x + run.y; c++) {
        let normal = contacts[c].normal;
        var same = 0.0;
        for (var d = run.x; d < c; d++) {
            same = max(same, dot(normal, contacts[d].normal));
        }
        let point = contacts[c].point - (1.0 - gone) * contacts[c].travel;
        let q = max(per_reach * dot(place - point, normal), 0.0);
        let share = (1.0 - same) * wall;
        let here = 1.0 - share * beyond(q);
        away = away * here + normal * (open * share * beyond_slope(q));
        open *= here;
    }
    return vec4f(away * per_reach, 1.0 - open);
}

fn walled(i: u32, place: vec3f, gone: f32, run: vec2u) -> vec4f {
    return walled_by(fluid.wall, i, place, gone, run);
}
