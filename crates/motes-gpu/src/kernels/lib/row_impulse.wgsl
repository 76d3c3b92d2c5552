// What rows did, where `impulses` has it by end and `ends_of_row` both ends of each.

// An end that cannot move does not know.
fn row_impulse(r: u32) -> f32 {
    let known = vec2f(impulses[ends_of_row[r].x], impulses[ends_of_row[r].y]);
    return select(known.y, known.x, abs(known.x) > abs(known.y));
}
