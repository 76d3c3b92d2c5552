// Which thread this is, in kernels whose threads work alone.

struct Thread {
    @builtin(workgroup_id) group: vec3u,
    @builtin(local_invocation_index) local: u32,
}
