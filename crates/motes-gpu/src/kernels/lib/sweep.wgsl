// Two particles that pass each other within a sub-step: motes-core's `sweep.rs`. SWEEPS is 1 where there are sheets, nets or ropes, whose
// particles may overlap at rest.

// The part of the sub-step after which two particles met that have passed each other since; 1 if they have not.
fn met(end: vec3f, moved: vec3f, contact: f32) -> f32 {
    let start = end - moved;
    let far = dot(start, start);
    let way = dot(moved, moved);
    let closing = -dot(start, moved);
    let root = closing * closing - way * (far - contact * contact);
    if closing > 0.0 && dot(end, moved) > 0.0 && root > 0.0 && far >= 1e-37 {
        return max(closing - sqrt(root), 0.0) / way;
    }
    return 1.0;
}

fn is_threaded(i: u32) -> bool {
    return (phase_of(kinds[sorted_kind_at(i)]) & IGNORE_REST_OVERLAPS) != 0u;
}

// Where a contact sees the first of two particles from the second.
fn seen_between(first: u32, second: u32, end: vec3f, moved: vec3f) -> vec3f {
    if SWEEPS == 0u || ORIENTED == 1u || !(is_threaded(first) || is_threaded(second)) {
        return end;
    }
    return end - moved * (1.0 - met(end, moved, contact_distance(first, second)));
}
