// Sums the weights of each participant in its rows that act, by which its mass is shared among them.

@group(0) @binding(0) var<uniform> row_params: RowParams;
@group(0) @binding(1) var<storage, read> starts: array<u32>;
@group(0) @binding(2) var<storage, read> slots: array<u32>;
// Row, and which of its particles.
@group(0) @binding(3) var<storage, read> members: array<vec2u>;
@group(0) @binding(4) var<storage, read> rows: array<Row>;
@group(0) @binding(5) var<storage, read> weights: array<vec4f>;
@group(0) @binding(6) var<storage, read_write> totals: array<f32>;

@compute @workgroup_size(WORKGROUP)
fn main(thread: Thread) {
    let p = thread_index(thread);
    if p >= row_params.participants || slots[p] == 0u {
        return;
    }
    let end = starts[p];
    var total = 0.0;
    for (var e = first_end(p); e < end; e++) {
        let row = rows[members[e].x];
        let n = row.particles;
        let there = slots[n.x] > 0u && slots[n.y] > 0u && slots[n.z] > 0u && slots[n.w] > 0u;
        if there && row_acts(row.state, 0u) {
            total += abs(weights[members[e].x][members[e].y]);
        }
    }
    totals[p] = total;
}
