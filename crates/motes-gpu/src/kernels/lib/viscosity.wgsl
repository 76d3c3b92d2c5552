// Viscosity between two liquids, or a liquid and a solid, whose own is negative, Pa·s.
fn between(own: f32, other: f32) -> f32 {
    if own < 0.0 || other < 0.0 {
        return max(max(own, other), 0.0);
    }
    let sum = own + other;
    return select(0.0, 2.0 * own * other / sum, sum > 0.0);
}
