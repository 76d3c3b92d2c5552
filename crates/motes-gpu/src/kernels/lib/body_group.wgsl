// The body of a workgroup, in kernels with one workgroup for each body. Workgroups past the last body take it once more
// without members, so that every thread comes to the barriers.

struct BodyGroup {
    body: u32,
    exists: bool,
    // Members.
    first: u32,
    end: u32,
}

fn body_group(thread: Thread) -> BodyGroup {
    let exists = group_index(thread) < params.bodies;
    let b = min(group_index(thread), params.bodies - 1u);
    let first = bodies[b].first;
    return BodyGroup(b, exists, first, first + select(0u, bodies[b].count, exists));
}
