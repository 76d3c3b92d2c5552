// Where a particle starts once it is out of the colliders that it overlaps at the start.

fn out_of_colliders(start: vec3f, run: vec2u) -> vec3f {
    var moved = start;
    for (var c = run.x; c < run.x + run.y; c++) {
        let surface = contacts[c].point - contacts[c].travel;
        let gap = dot(moved - surface, contacts[c].normal) - params.radius;
        moved -= min(gap, 0.0) * contacts[c].normal;
    }
    return moved;
}
