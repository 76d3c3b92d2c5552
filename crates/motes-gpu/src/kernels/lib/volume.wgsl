// Regions of space: `Volume` of motes-core.

struct Volume {
    // Lower corner, centre or a point of the plane.
    place: vec3f,
    radius: f32,
    // Upper corner or normal of the plane.
    other: vec3f,
    // EVERYWHERE, BOX, BALL or BELOW a plane; plus OUTSIDE for what these leave out.
    kind: u32,
}

fn volume_contains(volume: Volume, point: vec3f) -> bool {
    var inside = true;
    switch volume.kind & ~OUTSIDE {
        case BOX: {
            inside = all(point >= volume.place) && all(point <= volume.other);
        }
        case BALL: {
            let offset = point - volume.place;
            inside = dot(offset, offset) <= volume.radius * volume.radius;
        }
        case BELOW: {
            inside = dot(point - volume.place, volume.other) < 0.0;
        }
        default: {}
    }
    return inside != ((volume.kind & OUTSIDE) != 0u);
}
