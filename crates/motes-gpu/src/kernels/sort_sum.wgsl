// Second step of a pass with many blocks: sums up histograms over the blocks before, and over all. A workgroup a digit.

@group(0) @binding(0) var<uniform> params: SortParams;
@group(0) @binding(1) var<storage, read_write> histograms: array<u32>;
@group(0) @binding(2) var<storage, read_write> totals: array<u32>;

@compute @workgroup_size(WORKGROUP)
fn main(thread: Thread) {
    let digit = group_index(thread);
    let row = digit * params.blocks;
    var before = 0u;
    for (var chunk = 0u; chunk < params.blocks; chunk += 4u * WORKGROUP) {
        let first = chunk + 4u * rank(thread);
        let x = count_at(row, first);
        let y = count_at(row, first + 1u);
        let z = count_at(row, first + 2u);
        let w = count_at(row, first + 3u);
        let scanned = scan_workgroup(thread, vec4u(x + y + z + w, 0u, 0u, 0u));
        let start = before + scanned.before.x;
        store(row, first, start);
        store(row, first + 1u, start + x);
        store(row, first + 2u, start + x + y);
        store(row, first + 3u, start + x + y + z);
        before += scanned.total.x;
    }
    if rank(thread) == 0u {
        totals[digit] = before;
    }
}

fn count_at(row: u32, block: u32) -> u32 {
    return select(0u, histograms[row + min(block, params.blocks - 1u)], block < params.blocks);
}

fn store(row: u32, block: u32, sum: u32) {
    if block < params.blocks {
        histograms[row + block] = sum;
    }
}
