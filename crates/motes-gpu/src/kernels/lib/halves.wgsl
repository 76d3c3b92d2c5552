// Two threads for each particle: one for the pairs that it owns, the other for those that others own. They sit in
// different halves of the workgroup, so that threads side by side do the same.

const HALF = WORKGROUP / 2u;

struct Half {
    // The particle, and its place in the workgroup.
    i: u32,
    local: u32,
    // Whether this thread has the pairs that the particle owns.
    owns: bool,
}

fn half_of(thread: Thread) -> Half {
    let local = thread.local % HALF;
    return Half(group_index(thread) * HALF + local, local, thread.local < HALF);
}
