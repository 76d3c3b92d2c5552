// The densities of Position Based Fluids: the counterpart of `constraints/position_based.rs` in motes-core.

fn poly6(q: f32) -> f32 {
    let left = max(1.0 - q * q, 0.0);
    return left * left * left;
}

fn spiky_slope(q: f32) -> f32 {
    let left = max(1.0 - q, 0.0);
    return SPIKY * left * left / max(q, SAME_SPOT);
}

// What the artificial pressure of a pair is multiplied with.
fn crowding(q: f32) -> f32 {
    let ratio = fluid.per_crowding * poly6(q);
    var power = ratio;
    for (var k = 1u; k < fluid.crowding_exponent; k++) {
        power *= ratio;
    }
    return power;
}
