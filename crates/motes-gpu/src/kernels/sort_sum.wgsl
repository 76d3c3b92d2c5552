// Second step of a pass with many blocks: sums up histograms over the blocks before, and over all.
//
// A workgroup sums eight neighbouring digits, each in 32 segments of blocks.

@group(0) @binding(0) var<uniform> params: SortParams;
@group(0) @binding(1) var<storage, read_write> histograms: array<u32>;
@group(0) @binding(2) var<storage, read_write> totals: array<u32>;

const DIGITS = 8u;
const SEGMENTS = WORKGROUP / DIGITS;

var<workgroup> sums: array<u32, WORKGROUP>;

@compute @workgroup_size(WORKGROUP)
fn main(thread: Thread) {
    let column = thread.local % DIGITS;
    let segment = thread.local / DIGITS;
    let digit = group_index(thread) * DIGITS + column;
    let length = (params.blocks + SEGMENTS - 1u) / SEGMENTS;
    let first = min(segment * length, params.blocks);
    let end = min(first + length, params.blocks);

    var sum = 0u;
    for (var block = first; block < end; block++) {
        sum += histograms[block * RADIX + digit];
    }
    sums[thread.local] = sum;
    workgroupBarrier();
    var before = 0u;
    for (var other = column; other < thread.local; other += DIGITS) {
        before += sums[other];
    }
    if segment == SEGMENTS - 1u {
        totals[digit] = before + sum;
    }
    for (var block = first; block < end; block++) {
        let count = histograms[block * RADIX + digit];
        histograms[block * RADIX + digit] = before;
        before += count;
    }
}
