// Where a particle starts once it is out of the colliders that it overlaps at the start. It was at `seen` before others
// pushed it: contacts of a particle of a body do not see each other, since what moves is the body.

fn out_of_colliders(i: u32, start: vec3f, seen: vec3f, run: vec2u) -> vec3f {
    var moved = start;
    let radius = radius_of(i);
    var reach = 1.0;
    if BODIES == 1u && run.y > 0u {
        reach = vectors[before_at(i)].w;
    }
    for (var c = run.x; c < run.x + run.y; c++) {
        let surface = contacts[c].point - contacts[c].travel;
        let place = select(seen, moved, reach == 1.0);
        let depth = radius - dot(place - surface, contacts[c].normal) - SLOP * 2.0 * radius;
        moved += (max(depth, 0.0) * reach) * contacts[c].normal;
    }
    return moved;
}
