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
    rest: f32,
    // A compliance, m/N, or a stiffness below zero.
    softness: f32,
    // Tension at which it breaks, newtons.
    limit: f32,
    // The bits below, and from bit 8 on the row's generation.
    state: u32,
}

const ALIVE = 1u;
const OFF = 2u;
const IDLE = 4u;
const FOLLOWS = 8u;

const NOBODY = 0xffffffffu;

// What `broken` holds of a row once it broke.
fn broken_mark(state: u32) -> u32 {
    return (state >> 8u) + 1u;
}

fn row_acts(state: u32, mark: u32) -> bool {
    return (state & (ALIVE | OFF | IDLE)) == ALIVE && mark != broken_mark(state);
}
