// Second half of a prefix sum: every tile adds up what came before it, then sums its own elements in place. The sum of
// all is stored behind the last element.

@group(0) @binding(0) var<uniform> params: ScanParams;
@group(0) @binding(1) var<storage, read_write> data: array<vec4u>;
@group(0) @binding(2) var<storage, read> sums: array<u32>;

@compute @workgroup_size(WORKGROUP)
fn main(thread: Thread) {
    let tile = group_index(thread);
    var quads: array<vec4u, ROUNDS>;
    var round_sums = vec4u();
    for (var round = 0u; round < ROUNDS; round++) {
        let quad = quad_index(thread, round);
        if 4u * quad < params.count {
            quads[round] = within(params.count, quad, data[quad]);
            round_sums[round] = sum_of(quads[round]);
        }
    }
    // What comes before the tile is added up by the way.
    round_sums[ROUNDS] = part_before(thread, tile);
    let scanned = scan_workgroup(thread, round_sums);
    var before = scanned.total[ROUNDS];
    for (var round = 0u; round < ROUNDS; round++) {
        let value = quads[round];
        let x = before + scanned.before[round];
        let y = x + value.x;
        let z = y + value.y;
        let w = z + value.z;
        store(quad_index(thread, round), vec4u(x, y, z, w));
        before += scanned.total[round];
    }
    let last = (max(params.count, 1u) - 1u) / TILE;
    if tile == last && rank(thread) == 0u {
        data[params.count / 4u][params.count % 4u] = before;
    }
}

// A thread's part of the sum of all tiles before.
fn part_before(thread: Thread, tile: u32) -> u32 {
    if tile * TILE >= params.count {
        return 0u;
    }
    if params.scanned == 1u {
        return select(0u, sums[tile], rank(thread) == 0u);
    }
    var sum = 0u;
    for (var other = thread.local; other < tile; other += WORKGROUP) {
        sum += sums[other];
    }
    return sum;
}

// Leaves alone what lies behind the last element.
fn store(quad: u32, value: vec4u) {
    if 4u * quad + 4u <= params.count {
        data[quad] = value;
        return;
    }
    for (var i = 0u; 4u * quad + i < params.count; i++) {
        data[quad][i] = value[i];
    }
}
