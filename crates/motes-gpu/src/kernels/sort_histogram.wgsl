// First step of a pass: how often each digit occurs in every block.

@group(0) @binding(0) var<uniform> params: SortParams;
@group(0) @binding(1) var<storage, read> keys: array<vec4u>;
@group(0) @binding(2) var<storage, read_write> histograms: array<u32>;

var<workgroup> counts: array<atomic<u32>, RADIX>;

@compute @workgroup_size(WORKGROUP)
fn main(thread: Thread) {
    for (var digit = thread.local; digit < RADIX; digit += WORKGROUP) {
        atomicStore(&counts[digit], 0u);
    }
    workgroupBarrier();
    let block = group_index(thread);
    for (var item = 0u; item < ITEMS; item += 4u) {
        let quad = (block * BLOCK + item * WORKGROUP) / 4u + thread.local;
        count_digits(keys[quad], 4u * quad);
    }
    workgroupBarrier();
    if block >= params.blocks {
        return;
    }
    for (var digit = thread.local; digit < RADIX; digit += WORKGROUP) {
        histograms[digit * params.blocks + block] = atomicLoad(&counts[digit]);
    }
}

fn count_digits(four: vec4u, place: u32) {
    let digits = vec4u(digit_of(four.x), digit_of(four.y), digit_of(four.z), digit_of(four.w));
    let exist = vec4u(place, place + 1u, place + 2u, place + 3u) < vec4u(params.count);
    // Sorted keys would have all threads wait for one counter.
    if all(exist) && all(digits == digits.xxxx) {
        atomicAdd(&counts[digits.x], 4u);
        return;
    }
    for (var i = 0u; i < 4u; i++) {
        if exist[i] {
            atomicAdd(&counts[digits[i]], 1u);
        }
    }
}
