// Where a particle has its vectors: section by section in one buffer, and its kinds in another. Some sections change their
// meaning in the course of a sub-step, when what they held has had its use.

// Between sub-steps: its position and inverse mass (w).
fn position_at(i: u32) -> u32 {
    return POSITIONS * params.stride + i;
}

// Between sub-steps: its velocity and the fraction of the next kick (w).
fn velocity_at(i: u32) -> u32 {
    return VELOCITIES * params.stride + i;
}

// From the end of a sub-step to the next: what colliders did to the particle that was in this slot, kg·m.
fn support_at(i: u32) -> u32 {
    return SUPPORTS * params.stride + i;
}

// Once sorted: where it starts, and how far an impulse may count on moving it (w).
fn sorted_at(i: u32) -> u32 {
    return SORTED * params.stride + i;
}

// Once sorted: where it is to go, and its inverse mass (w).
fn predicted_at(i: u32) -> u32 {
    return PREDICTED * params.stride + i;
}

// Once sorted: its velocity before the solve, and its inverse mass (w). Where there are bodies, in the solve: how far a
// correction by a collider goes, whole for a particle on its own (w).
fn before_at(i: u32) -> u32 {
    return BEFORE * params.stride + i;
}

// Before the solve, where there are bodies: the diagonal of `Σ n nᵀ` over its contacts and how many there are (w), and its
// elements xy, yz, zx.
fn busy_at(i: u32) -> u32 {
    return POSITIONS * params.stride + i;
}

fn busy_mixed_at(i: u32) -> u32 {
    return VELOCITIES * params.stride + i;
}

// In the solve: what contacts have done to it so far, and whether anything touches it (w).
fn pushed_at(i: u32) -> u32 {
    return POSITIONS * params.stride + i;
}

// In the solve: where it starts, out of the overlaps there were, and how far an impulse may count on moving it (w).
fn start_at(i: u32) -> u32 {
    return VELOCITIES * params.stride + i;
}

// After the solve, where particles rebound from each other: its velocity and the fraction of the next kick (w).
fn rebound_at(i: u32) -> u32 {
    return SORTED * params.stride + i;
}

// Where there are bodies, once sorted: what it knows of the surface of its own, turned as the body is.
fn field_at(i: u32) -> u32 {
    return FIELDS * params.stride + i;
}

// Its kind once sorted; between sub-steps it is at `i`.
fn sorted_kind_at(i: u32) -> u32 {
    return SORTED_KINDS * params.stride + i;
}
