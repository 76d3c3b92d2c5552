// Prefix sums over a workgroup with subgroup operations, for any subgroup size. The counterpart of plain.wgsl.

struct Thread {
    @builtin(workgroup_id) group: vec3u,
    @builtin(local_invocation_index) local: u32,
    @builtin(subgroup_id) subgroup: u32,
    @builtin(subgroup_invocation_id) lane: u32,
    @builtin(subgroup_size) size: u32,
}

struct Scanned {
    before: vec4u,
    total: vec4u,
}

// The smallest subgroup has four threads.
var<workgroup> scan_sums: array<vec4u, WORKGROUP / 4u>;

// Place of a thread in the order that scan_workgroup follows. The way local indices map to subgroups is not defined.
fn rank(thread: Thread) -> u32 {
    return thread.subgroup * thread.size + thread.lane;
}

fn scan_workgroup(thread: Thread, value: vec4u) -> Scanned {
    workgroupBarrier();
    let within = subgroupExclusiveAdd(value);
    if thread.lane == thread.size - 1u {
        scan_sums[thread.subgroup] = within + value;
    }
    workgroupBarrier();
    let subgroups = WORKGROUP / thread.size;
    var before = vec4u();
    var total = vec4u();
    for (var first = 0u; first < subgroups; first += thread.size) {
        let other = first + thread.lane;
        let sum = select(vec4u(), scan_sums[min(other, subgroups - 1u)], other < subgroups);
        before += subgroupAdd(select(vec4u(), sum, other < thread.subgroup));
        total += subgroupAdd(sum);
    }
    return Scanned(before + within, total);
}
