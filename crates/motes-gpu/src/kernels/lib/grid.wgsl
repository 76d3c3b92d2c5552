// Numbers workgroups and threads of dispatches that may have more than one row of workgroups.


fn group_index(thread: Thread) -> u32 {
    return thread.group.y * GROUPS_PER_ROW + thread.group.x;
}

fn thread_index(thread: Thread) -> u32 {
    return group_index(thread) * WORKGROUP + thread.local;
}

// Extent of a dispatch of at least `groups` workgroups, for indirect launches.
fn grid_of(groups: u32) -> vec3u {
    if groups <= MAX_GROUPS {
        return vec3u(groups, 1u, 1u);
    }
    return vec3u(GROUPS_PER_ROW, (groups + GROUPS_PER_ROW - 1u) / GROUPS_PER_ROW, 1u);
}
