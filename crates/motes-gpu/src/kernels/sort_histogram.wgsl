// First step of a pass: how often each digit occurs in every block.

@group(0) @binding(0) var<uniform> params: SortParams;
@group(0) @binding(1) var<storage, read> keys: array<u32>;
@group(0) @binding(2) var<storage, read_write> histograms: array<u32>;

var<workgroup> counts: array<atomic<u32>, RADIX>;

@compute @workgroup_size(WORKGROUP)
fn main(thread: Thread) {
    for (var digit = thread.local; digit < RADIX; digit += WORKGROUP) {
        atomicStore(&counts[digit], 0u);
    }
    workgroupBarrier();
    let block = group_index(thread);
    for (var item = 0u; item < ITEMS; item++) {
        let place = block * BLOCK + item * WORKGROUP + thread.local;
        if place < params.count {
            atomicAdd(&counts[digit_of(keys[place])], 1u);
        }
    }
    workgroupBarrier();
    if block >= params.blocks {
        return;
    }
    for (var digit = thread.local; digit < RADIX; digit += WORKGROUP) {
        histograms[block * RADIX + digit] = atomicLoad(&counts[digit]);
    }
}
