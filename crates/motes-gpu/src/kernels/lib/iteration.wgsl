// How an iteration carries on what the one before did.

struct Iteration {
    // Of contacts: the fraction of their change that they are extrapolated by.
    momentum: f32,
    // 1 if the iteration before extrapolated, so that its impulses are not what it solved for.
    carried: u32,
    // 1 if the next iteration extrapolates.
    carries: u32,
    // 1 in the first iteration, which empties the cells for the next sub-step by the way, unless they are needed later on.
    empties: u32,
    // Of rows that are solved all at once: so much of the last change, and so much of what plain iteration would do.
    keep: f32,
    take: f32,
    // The same of densities.
    press_keep: f32,
    press_take: f32,
}
