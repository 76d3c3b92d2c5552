// Lists the ends of rows, participant by participant and in any order. Where those of a participant begin becomes where they
// end.

@group(0) @binding(0) var<uniform> row_params: RowParams;
@group(0) @binding(1) var<storage, read> rows: array<Row>;
@group(0) @binding(2) var<storage, read_write> starts: array<atomic<u32>>;
// The row of each end, and which of its particles it is; of a row with two ends, the participant at the other.
@group(0) @binding(3) var<storage, read_write> members: array<vec2u>;

@compute @workgroup_size(WORKGROUP)
fn main(thread: Thread) {
    let r = thread_index(thread);
    if r >= row_params.rows || (rows[r].state & ALIVE) == 0u {
        return;
    }
    let particles = rows[r].particles;
    for (var k = 0u; k < WIDTH; k++) {
        let known = select(k, particles[1u - min(k, 1u)], WIDTH == 2u);
        members[atomicAdd(&starts[particles[k]], 1u)] = vec2u(r, known);
    }
}
