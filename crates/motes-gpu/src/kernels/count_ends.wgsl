// Counts the rows of each participant, after rows were added.

@group(0) @binding(0) var<uniform> row_params: RowParams;
@group(0) @binding(1) var<storage, read> rows: array<Row>;
@group(0) @binding(2) var<storage, read_write> starts: array<atomic<u32>>;

@compute @workgroup_size(WORKGROUP)
fn main(thread: Thread) {
    let r = thread_index(thread);
    if r >= row_params.rows || (rows[r].state & ALIVE) == 0u {
        return;
    }
    for (var k = 0u; k < WIDTH; k++) {
        atomicAdd(&starts[rows[r].particles[k]], 1u);
    }
}
