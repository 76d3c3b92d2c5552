// Rows of motes-core's store, and the participants: the particles that have any.

struct RowParams {
    participants: u32,
    // Places of rows.
    rows: u32,
    // Indices of ids among which participants are looked up.
    indices: u32,
    unused: u32,
}

struct Row {
    // Its particles, by their numbers among the participants.
    particles: vec4u,
    // Below zero that of a tether, which only pulls.
    rest: f32,
    // A compliance, m/N, or a stiffness below zero.
    softness: f32,
    // Tension at which it breaks, newtons.
    limit: f32,
    // ALIVE, OFF, IDLE, FOLLOWS, TEARS, and from ROW_GENERATION on the row's generation.
    state: u32,
}

// What `broken` holds of a row once it broke.
fn broken_mark(state: u32) -> u32 {
    return (state >> ROW_GENERATION) + 1u;
}

fn row_acts(state: u32, mark: u32) -> bool {
    return (state & (ALIVE | OFF | IDLE)) == ALIVE && mark != broken_mark(state);
}
