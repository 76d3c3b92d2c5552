// The ends of rows, participant by participant: `starts` has where those of each end.

fn first_end(p: u32) -> u32 {
    return select(starts[max(p, 1u) - 1u], 0u, p == 0u);
}
