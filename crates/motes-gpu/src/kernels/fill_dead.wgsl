// Fills words that nothing may read any more, so that whoever reads them all the same is found out. Of every four words
// those with a bit in `lanes`.

struct Fill {
    first: u32,
    count: u32,
    lanes: u32,
    unused: u32,
}

@group(0) @binding(0) var<uniform> fill: Fill;
@group(0) @binding(1) var<storage, read_write> words: array<u32>;

@compute @workgroup_size(WORKGROUP)
fn main(thread: Thread) {
    let i = thread_index(thread);
    if i < fill.count && ((fill.lanes >> (i % 4u)) & 1u) == 1u {
        words[fill.first + i] = DEAD;
    }
}
