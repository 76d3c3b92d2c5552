// How large particles are: all alike where SIZES is 0; else each by its group, in a section of its own once sorted.

fn radius_at(i: u32) -> u32 {
    return params.radius_section + i;
}

fn radius_of(i: u32) -> f32 {
    if SIZES == 0u {
        return params.radius;
    }
    return vectors[radius_at(i)].x;
}

// Distance below which two particles touch, metres.
fn contact_distance(first: u32, second: u32) -> f32 {
    if SIZES == 0u {
        return params.touch;
    }
    return radius_of(first) + radius_of(second);
}

// What `params.grip` is multiplied with: the squared radius that the area of a contact goes by, their harmonic mean.
fn contact_area(first: u32, second: u32) -> f32 {
    if SIZES == 0u {
        return 1.0;
    }
    let a = radius_of(first);
    let b = radius_of(second);
    let radius = 2.0 * a * b / (a + b);
    return radius * radius;
}
