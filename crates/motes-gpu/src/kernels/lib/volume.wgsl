// Regions of space: `Volume` of motes-core.

struct Volume {
    // Lower corner, centre or a point of the plane.
    place: vec3f,
    radius: f32,
    // Upper corner or normal of the plane.
    other: vec3f,
    // 0 everywhere, 1 box, 2 sphere, 3 below a plane; plus 8 for what these leave out.
    kind: u32,
}

fn volume_contains(volume: Volume, point: vec3f) -> bool {
    var inside = true;
    switch volume.kind & 7u {
        case 1u: {
            inside = all(point >= volume.place) && all(point <= volume.other);
        }
        case 2u: {
            let offset = point - volume.place;
            inside = dot(offset, offset) <= volume.radius * volume.radius;
        }
        case 3u: {
            inside = dot(point - volume.place, volume.other) < 0.0;
        }
        default: {}
    }
    return inside != ((volume.kind & 8u) != 0u);
}
