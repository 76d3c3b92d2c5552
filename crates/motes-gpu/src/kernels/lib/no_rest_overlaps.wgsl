// No particle has a rest position.

fn ignores_rest_overlaps(phase: u32) -> bool {
    return false;
}

fn overlap_at_rest(i: u32, j: u32) -> bool {
    return false;
}

fn without_rest_overlaps(i: u32, near: u32, begin: u32) -> u32 {
    return near;
}
