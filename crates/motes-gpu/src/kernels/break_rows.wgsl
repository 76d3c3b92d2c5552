// Breaks rows that pulled harder than they can bear, and takes note of them for the report of the frame.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<uniform> row_params: RowParams;
@group(0) @binding(2) var<storage, read> rows: array<Row>;
@group(0) @binding(3) var<storage, read_write> broken: array<u32>;
@group(0) @binding(4) var<storage, read> ends_of_row: array<vec2u>;
@group(0) @binding(5) var<storage, read> impulses: array<f32>;
// A bit for each row.
@group(0) @binding(6) var<storage, read_write> news: array<atomic<u32>>;

@compute @workgroup_size(WORKGROUP)
fn main(thread: Thread) {
    let r = thread_index(thread);
    if r >= row_params.rows {
        return;
    }
    let state = rows[r].state;
    // Where sheets tear, the host sees to it.
    if row_acts(state, broken[r]) && (state & TEARS) == 0u && -row_impulse(r) > rows[r].limit * params.h * params.h {
        broken[r] = broken_mark(state);
        atomicOr(&news[r / 32u], 1u << (r % 32u));
    }
}
