// Last step of a pass, without subgroups: moves every pair to its place.
//
// Each round sorts one pair per thread. Threads mark their digit in a bit set; the marks of lower threads are the pairs
// that go before one's own.

const WORDS = WORKGROUP / 32u;

var<workgroup> marks: array<atomic<u32>, RADIX * WORDS>;

@compute @workgroup_size(WORKGROUP)
fn main(thread: Thread) {
    for (var word = thread.local; word < RADIX * WORDS; word += WORKGROUP) {
        atomicStore(&marks[word], 0u);
    }
    let block = group_index(thread);
    find_starts(thread, block);

    let own_word = thread.local / 32u;
    let own_bit = 1u << (thread.local % 32u);
    for (var item = 0u; item < ITEMS; item++) {
        let place = block * BLOCK + item * WORKGROUP + thread.local;
        let exists = place < params.count;
        let key = keys_in[place];
        let value = value_at(place);
        let digit = digit_of(key);
        if exists {
            atomicOr(&marks[digit * WORDS + own_word], own_bit);
        }
        workgroupBarrier();
        var all = 0u;
        var below = 0u;
        for (var word = 0u; word < WORDS; word++) {
            let bits = atomicLoad(&marks[digit * WORDS + word]);
            all += countOneBits(bits);
            if word <= own_word {
                below += countOneBits(bits & select(0xffffffffu, own_bit - 1u, word == own_word));
            }
        }
        let goal = starts[digit] + below;
        workgroupBarrier();
        if exists && below == 0u {
            starts[digit] += all;
            for (var word = 0u; word < WORDS; word++) {
                atomicStore(&marks[digit * WORDS + word], 0u);
            }
        }
        workgroupBarrier();
        if exists {
            keys_out[goal] = key;
            values_out[goal] = value;
        }
    }
}

// Fills `starts`: blocks before come first within a digit, lower digits before.
fn find_starts(thread: Thread, block: u32) {
    let count = count_of(thread.local, block);
    let scanned = scan_workgroup(thread, vec4u(count.total, 0u, 0u, 0u));
    starts[thread.local] = scanned.before.x + count.before;
    workgroupBarrier();
}
