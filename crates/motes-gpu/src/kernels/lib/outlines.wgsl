// The shapes of particles of which some are ellipsoids, slot by slot in sections of their own. ORIENTED is 1 where there are creatures.

// Diagonal of the matrix of its shape as it is turned, and what it is (w): ROUND, ALONE or IN_PART.
fn outline_at(i: u32) -> u32 {
    return params.outline_section + i;
}

// The other elements, and which part of its weight it feels (w).
fn outline_mixed_at(i: u32) -> u32 {
    return params.outline_section + params.stride + i;
}

// The same where the sub-step starts, without what is in w.
fn start_outline_at(i: u32) -> u32 {
    return params.outline_section + 2u * params.stride + i;
}

fn start_outline_mixed_at(i: u32) -> u32 {
    return params.outline_section + 3u * params.stride + i;
}

// How it answers to torques.
fn yields_at(i: u32) -> u32 {
    return params.outline_section + 4u * params.stride + i;
}

fn yields_mixed_at(i: u32) -> u32 {
    return params.outline_section + 5u * params.stride + i;
}

// Where it would have got to by itself, in whose cell it is listed: rigid parts lead it elsewhere.
fn searched_at(i: u32) -> u32 {
    return params.outline_section + 6u * params.stride + i;
}

fn is_ellipsoid(i: u32) -> bool {
    return ORIENTED == 1u && vectors[outline_at(i)].w != ROUND;
}

// Whether it turns and rebounds only together with a rigid part.
fn is_in_part(i: u32) -> bool {
    return ORIENTED == 1u && vectors[outline_at(i)].w == IN_PART;
}

fn outline_of(i: u32) -> Ellipsoid {
    return Ellipsoid(vectors[outline_at(i)].xyz, vectors[outline_mixed_at(i)].xyz);
}

fn start_outline_of(i: u32) -> Ellipsoid {
    return Ellipsoid(vectors[start_outline_at(i)].xyz, vectors[start_outline_mixed_at(i)].xyz);
}

fn yields_of(i: u32) -> Ellipsoid {
    return Ellipsoid(vectors[yields_at(i)].xyz, vectors[yields_mixed_at(i)].xyz);
}

// Where a particle is listed in the table of cells that is to go somewhere.
fn listed_place(i: u32, goal: vec3f) -> vec3f {
    if ORIENTED == 0u {
        return goal;
    }
    return vectors[searched_at(i)].xyz;
}
