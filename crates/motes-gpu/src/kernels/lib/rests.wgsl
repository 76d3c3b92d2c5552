// Where members of bodies have what is known of them, in one buffer.

const NO_MEMBER = 0xffffffffu;

// Sections of the members, as bits: rest position and mass; owner, first cluster and number of clusters; what it knows of the surface; normals of two more faces, of which the first has a 1 at a corner (w); strain and how far it has flowed (w).
fn rest_at(m: u32) -> u32 {
    return m;
}

fn owner_at(m: u32) -> u32 {
    return params.members + m;
}

fn surface_at(m: u32) -> u32 {
    return 2u * params.members + m;
}

fn faces_at(m: u32) -> u32 {
    return 3u * params.members + m;
}

fn strain_at(m: u32) -> u32 {
    return 5u * params.members + m;
}
