// Where members of bodies have what is known of them, in one buffer.


// Sections of the members, as bits: rest position and mass; owner, first cluster and number of clusters; what it knows of the surface; normals of two more faces, of which the first has a 1 at a corner (w); strain and how far it has flowed (w); how far its shape has pulled at it in the sub-step.
fn rest_at(m: u32) -> u32 {
    return MEMBER_REST * params.members + m;
}

fn owner_at(m: u32) -> u32 {
    return MEMBER_OWNER * params.members + m;
}

fn surface_at(m: u32) -> u32 {
    return MEMBER_SURFACE * params.members + m;
}

fn faces_at(m: u32) -> u32 {
    return MEMBER_FACES * params.members + m;
}

// With what it touches colliders.
fn inscribed_member_at(m: u32) -> u32 {
    return MEMBER_INSCRIBED * params.members + m;
}

fn pull_at(m: u32) -> u32 {
    return MEMBER_PULL * params.members + m;
}

// The same by where it starts.
fn start_pull_at(m: u32) -> u32 {
    return MEMBER_START_PULL * params.members + m;
}

fn strain_at(m: u32) -> u32 {
    return MEMBER_STRAIN * params.members + m;
}
