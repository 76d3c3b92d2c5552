// What the kernels of a sort share. A block is what one workgroup sorts; histograms are stored digit by digit.

struct SortParams {
    // Pairs to sort.
    count: u32,
    // Blocks of them.
    blocks: u32,
    // Lowest bit of the digit, and its number of bits.
    shift: u32,
    bits: u32,
    // 1 if histograms hold sums over the blocks before, 0 if counts.
    summed: u32,
    // 1 if the values are the places of the keys rather than read.
    numbered: u32,
}

const BLOCK = WORKGROUP * ITEMS;

fn digit_of(key: u32) -> u32 {
    return extractBits(key, params.shift, params.bits);
}
