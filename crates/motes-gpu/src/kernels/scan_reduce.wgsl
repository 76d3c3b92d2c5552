// First half of a prefix sum: the sum of every tile.

@group(0) @binding(0) var<uniform> params: ScanParams;
@group(0) @binding(1) var<storage, read> data: array<vec4u>;
@group(0) @binding(2) var<storage, read_write> sums: array<u32>;

@compute @workgroup_size(WORKGROUP)
fn main(thread: Thread) {
    var sum = 0u;
    for (var round = 0u; round < ROUNDS; round++) {
        let quad = quad_index(thread, round);
        if 4u * quad < params.count {
            sum += sum_of(within(params.count, quad, data[quad]));
        }
    }
    let scanned = scan_workgroup(thread, vec4u(sum, 0u, 0u, 0u));
    let tile = group_index(thread);
    if rank(thread) == 0u && tile * TILE < params.count {
        sums[tile] = scanned.total.x;
    }
}
