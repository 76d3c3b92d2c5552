// Grains that turn: the formulas of motes-core's `rolling.rs`. TURNS is 1 where there are any; then each pair has PAIR vectors: its
// impulse; at TWIST what it has turned its owner by; at COUPLE its couple on the owner, by which the other has been turned less; where ORIENTED is 1, at OTHER_TWIST what it has turned the other by. SPIN numbers
// are kept of a spin by id: angular velocity, and 1 if it turns; from SPIN_COUPLE on the couple that colliders had.

const PAIR = 1u + (2u + ORIENTED) * TURNS;

// Way of the rim of a particle in the sub-step, metres, and 1 if it turns (w).
fn turned_at(i: u32) -> u32 {
    return params.turned_section + i;
}

// What its contacts with others have turned it by so far, kg·m.
fn twisted_at(i: u32) -> u32 {
    return params.turned_section + params.stride + i;
}

// The couple by which colliders resist its rolling, over its radius and as a displacement, metres.
fn couple_at(i: u32) -> u32 {
    return params.turned_section + 2u * params.stride + i;
}
