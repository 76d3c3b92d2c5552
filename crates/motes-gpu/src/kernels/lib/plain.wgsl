// Prefix sums over a workgroup with workgroup memory alone. The counterpart of subgroup.wgsl.

struct Thread {
    @builtin(workgroup_id) group: vec3u,
    @builtin(local_invocation_index) local: u32,
}

struct Scanned {
    before: vec4u,
    total: vec4u,
}

var<workgroup> scan_sums: array<vec4u, WORKGROUP>;

// Place of a thread in the order that scan_workgroup follows.
fn rank(thread: Thread) -> u32 {
    return thread.local;
}

fn scan_workgroup(thread: Thread, value: vec4u) -> Scanned {
    workgroupBarrier();
    var sum = value;
    scan_sums[thread.local] = sum;
    workgroupBarrier();
    for (var reach = 1u; reach < WORKGROUP; reach *= 2u) {
        let behind = thread.local >= reach;
        let other = scan_sums[select(thread.local, thread.local - reach, behind)];
        workgroupBarrier();
        sum += select(vec4u(), other, behind);
        scan_sums[thread.local] = sum;
        workgroupBarrier();
    }
    return Scanned(sum - value, scan_sums[WORKGROUP - 1u]);
}
