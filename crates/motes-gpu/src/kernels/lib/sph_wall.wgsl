// How far colliders reach into the surroundings of liquids of weakly compressible SPH at the start of a sub-step: as `wall.wgsl`, by another kernel.

// One plane of a wall near a particle: its distance in smoothing radii, and how much of it the planes before have not counted.
fn wall_plane(i: u32, c: u32, first: u32, place: vec3f) -> vec2f {
    let normal = contacts[c].normal;
    var same = 0.0;
    for (var d = first; d < c; d++) {
        same = max(same, dot(normal, contacts[d].normal));
    }
    let point = contacts[c].point - contacts[c].travel;
    let q = max(per_own_reach(i) * dot(place - point, normal), 0.0);
    return vec2f(q, (1.0 - same) * sph.wall);
}

fn spiky_walled(i: u32, place: vec3f, run: vec2u) -> vec4f {
    var open = 1.0;
    var away = vec3f();
    for (var c = run.x; c < run.x + run.y; c++) {
        let plane = wall_plane(i, c, run.x, place);
        let here = 1.0 - plane.y * spiky_beyond(plane.x);
        away = away * here + contacts[c].normal * (open * plane.y * spiky_beyond_slope(plane.x));
        open *= here;
    }
    return vec4f(away * per_own_reach(i), 1.0 - open);
}
