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

struct DigitCount {
    // Pairs with a digit in the blocks before.
    before: u32,
    // Pairs with a digit in all blocks.
    total: u32,
}

fn count_of(digit: u32, block: u32) -> DigitCount {
    let row = digit * params.blocks;
    if params.summed == 1u {
        return DigitCount(histograms[row + block], totals[digit]);
    }
    var count = DigitCount();
    for (var other = 0u; other < params.blocks; other++) {
        let pairs = histograms[row + other];
        count.total += pairs;
        count.before += select(0u, pairs, other < block);
    }
    return count;
}

fn value_at(place: u32) -> u32 {
    if params.numbered == 1u {
        return place;
    }
    return values_in[place];
}
