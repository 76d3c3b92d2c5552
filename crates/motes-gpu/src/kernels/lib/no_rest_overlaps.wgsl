// No particle has a rest position.

fn ignores_rest_overlaps(phase: u32) -> bool {
    return false;
}

fn overlap_at_rest(i: u32, j: u32) -> bool {
    return false;
}
