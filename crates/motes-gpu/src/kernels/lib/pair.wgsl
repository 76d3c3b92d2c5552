// The pairs of a sub-step: `owners` begins with how many there are, of those that found no room as well, and three more
// counters; then come the first particles of the pairs. `members` are the second ones.

fn pair_count() -> u32 {
    return min(owners[0], params.pair_capacity);
}

fn pair_at(p: u32) -> vec2u {
    return vec2u(owners[p + PAIR_COUNTERS], members[p]);
}
