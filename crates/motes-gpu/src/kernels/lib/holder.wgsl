// Whether a point of a body is held by one of its members, because the body does not keep its shape.
fn is_held_by_member(b: u32) -> bool {
    return b != NO_BODY && !is_a(b, RIGID | KINEMATIC);
}
