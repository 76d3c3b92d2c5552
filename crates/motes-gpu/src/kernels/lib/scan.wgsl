// What the kernels of a prefix sum share.

struct ScanParams {
    // Elements to sum up.
    count: u32,
    // 1 if the sums of tiles are prefix sums already.
    scanned: u32,
}

// Elements of a tile: a few rounds of a vec4 per thread.
const TILE = 4u * ROUNDS * WORKGROUP;

// Place of a thread's vec4 in `data`.
fn quad_index(thread: Thread, round: u32) -> u32 {
    return group_index(thread) * (TILE / 4u) + round * WORKGROUP + rank(thread);
}

// Elements from `count` on are zero, whatever the array holds there.
fn within(count: u32, quad: u32, value: vec4u) -> vec4u {
    return select(vec4u(), value, vec4u(4u * quad) + vec4u(0u, 1u, 2u, 3u) < vec4u(count));
}

fn sum_of(value: vec4u) -> u32 {
    return value.x + value.y + value.z + value.w;
}
