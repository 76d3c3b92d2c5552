// Marks the participants of which a row acts.

@group(0) @binding(0) var<uniform> row_params: RowParams;
@group(0) @binding(1) var<storage, read> rows: array<Row>;
@group(0) @binding(2) var<storage, read> broken: array<u32>;
// 1 for those; `weigh_loads` takes the marks away. Threads that meet write the same.
@group(0) @binding(3) var<storage, read_write> acting: array<atomic<u32>>;

@compute @workgroup_size(WORKGROUP)
fn main(thread: Thread) {
    let r = thread_index(thread);
    if r < row_params.rows && row_acts(rows[r].state, broken[r]) {
        atomicStore(&acting[rows[r].particles.x], 1u);
        atomicStore(&acting[rows[r].particles.y], 1u);
    }
}
