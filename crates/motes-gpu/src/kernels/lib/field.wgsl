// Force fields: accelerations that depend on where a particle is.

struct Field {
    // UNIFORM, RADIAL, VORTEX or DRAG.
    kind: u32,
    // Acceleration around the axis or at the centre; rate of a drag.
    strength: f32,
    // Distance over which it falls to zero; negative if it does not.
    range: f32,
    pull: f32,
    // Acceleration or velocity of the medium, or the centre.
    place: vec3f,
    lift: f32,
    axis: vec3f,
    unused: u32,
    volume: Volume,
}


fn falloff(distance: f32, range: f32) -> f32 {
    if range < 0.0 {
        return 1.0;
    }
    return max(1.0 - distance / max(range, 1e-37), 0.0);
}

fn field_change(field: Field, point: vec3f, velocity: vec3f, h: f32) -> vec3f {
    if !volume_contains(field.volume, point) {
        return vec3f();
    }
    switch field.kind {
        case UNIFORM: {
            return h * field.place;
        }
        case RADIAL: {
            let offset = point - field.place;
            return h * field.strength * falloff(length(offset), field.range) * normal_or_zero(offset);
        }
        case VORTEX: {
            let offset = point - field.place;
            let across = offset - dot(offset, field.axis) * field.axis;
            let strength = falloff(length(across), field.range);
            let outward = normal_or_zero(across);
            return h * strength
                * (field.strength * cross(field.axis, outward) - field.pull * outward + field.lift * field.axis);
        }
        default: {
            return (field.place - velocity) * (1.0 - exp(-field.strength * h));
        }
    }
}
