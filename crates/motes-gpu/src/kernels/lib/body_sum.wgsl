// Sums over the members of a body, by one workgroup: each thread takes every so manieth, then they are added up pairwise, so
// the order is always the same.

// More would not fit a workgroup's memory.
const ADDED_AT_ONCE = min(WORKGROUP / 2u, 128u);

var<workgroup> partial_sums: array<mat4x4f, ADDED_AT_ONCE>;

// The sum over the workgroup, for all of its threads.
fn sum_over_group(local: u32, own: mat4x4f) -> mat4x4f {
    var sum = own;
    for (var end = WORKGROUP; end > 2u * ADDED_AT_ONCE; end -= ADDED_AT_ONCE) {
        workgroupBarrier();
        if local >= end - ADDED_AT_ONCE && local < end {
            partial_sums[local + ADDED_AT_ONCE - end] = sum;
        }
        workgroupBarrier();
        if local < ADDED_AT_ONCE {
            sum += partial_sums[local];
        }
    }
    for (var reach = ADDED_AT_ONCE; reach > 0u; reach /= 2u) {
        workgroupBarrier();
        if local >= reach && local < 2u * reach {
            partial_sums[local - reach] = sum;
        }
        workgroupBarrier();
        if local < reach {
            sum += partial_sums[local];
        }
    }
    workgroupBarrier();
    if local == 0u {
        partial_sums[0] = sum;
    }
    workgroupBarrier();
    return partial_sums[0];
}
