// Sums over the members of a body, by one workgroup: each thread takes every so manieth, then they are added up pairwise, so
// the order is always the same.

var<workgroup> partial_sums: array<mat4x4f, WORKGROUP / 2u>;

// The sum over the workgroup, for all of its threads.
fn sum_over_group(local: u32, own: mat4x4f) -> mat4x4f {
    var sum = own;
    for (var reach = WORKGROUP / 2u; reach > 0u; reach /= 2u) {
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
