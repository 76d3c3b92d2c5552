// Lists the ends of rows, participant by participant and in any order. Where those of a participant begin becomes where they
// end.

@group(0) @binding(0) var<uniform> row_params: RowParams;
@group(0) @binding(1) var<storage, read> rows: array<Row>;
@group(0) @binding(2) var<storage, read_write> starts: array<atomic<u32>>;
// The row of each end, and the participant at its other end.
@group(0) @binding(3) var<storage, read_write> members: array<vec2u>;

@compute @workgroup_size(WORKGROUP)
fn main(thread: Thread) {
    let r = thread_index(thread);
    if r >= row_params.rows || (rows[r].state & ALIVE) == 0u {
        return;
    }
    let particles = rows[r].particles.xy;
    members[atomicAdd(&starts[particles.x], 1u)] = vec2u(r, particles.y);
    members[atomicAdd(&starts[particles.y], 1u)] = vec2u(r, particles.x);
}
