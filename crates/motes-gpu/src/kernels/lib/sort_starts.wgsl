// Where the pairs of a block with each digit go.

@group(0) @binding(0) var<uniform> params: SortParams;
@group(0) @binding(1) var<storage, read> histograms: array<u32>;
@group(0) @binding(2) var<storage, read> totals: array<u32>;
@group(0) @binding(3) var<storage, read> keys_in: array<u32>;
@group(0) @binding(4) var<storage, read> values_in: array<u32>;
@group(0) @binding(5) var<storage, read_write> keys_out: array<u32>;
@group(0) @binding(6) var<storage, read_write> values_out: array<u32>;

const DIGITS_PER_THREAD = RADIX / WORKGROUP;

var<workgroup> starts: array<u32, RADIX>;

// Fills `starts`. Blocks before come first within a digit, lower digits before.
fn find_starts(thread: Thread, block: u32) {
    var before: array<u32, DIGITS_PER_THREAD>;
    var total: array<u32, DIGITS_PER_THREAD>;
    let first = rank(thread) * DIGITS_PER_THREAD;
    var sum = 0u;
    for (var i = 0u; i < DIGITS_PER_THREAD; i++) {
        let digit = first + i;
        let row = digit * params.blocks;
        if params.summed == 1u {
            before[i] = histograms[row + block];
            total[i] = totals[digit];
        } else {
            before[i] = 0u;
            for (var other = 0u; other < block; other++) {
                before[i] += histograms[row + other];
            }
            total[i] = before[i];
            for (var other = block; other < params.blocks; other++) {
                total[i] += histograms[row + other];
            }
        }
        sum += total[i];
    }
    var start = scan_workgroup(thread, vec4u(sum, 0u, 0u, 0u)).before.x;
    for (var i = 0u; i < DIGITS_PER_THREAD; i++) {
        starts[first + i] = start + before[i];
        start += total[i];
    }
    workgroupBarrier();
}

fn value_at(place: u32) -> u32 {
    if params.numbered == 1u {
        return place;
    }
    return values_in[place];
}
