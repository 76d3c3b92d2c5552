// Sums over a workgroup of PIECE threads, always in the same order.

var<workgroup> strands: array<vec4f, WORKGROUP>;

// For the first thread.
fn sum_of_piece(local: u32, own: vec4f) -> vec4f {
    strands[local] = own;
    workgroupBarrier();
    for (var half = WORKGROUP / 2u; half > 0u; half /= 2u) {
        if local < half {
            strands[local] += strands[local + half];
        }
        workgroupBarrier();
    }
    return strands[0];
}
