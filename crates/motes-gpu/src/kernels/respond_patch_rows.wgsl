// Begins a sub-step for the distances of patches: what they ask for, and how they answer.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<uniform> patch_params: PatchParams;
// Place in the store, and both particles of the patch.
@group(0) @binding(2) var<storage, read> patch_rows: array<vec2u>;
@group(0) @binding(3) var<storage, read> rows: array<Row>;
@group(0) @binding(4) var<storage, read> ends_of_row: array<vec2u>;
@group(0) @binding(5) var<storage, read> slots: array<u32>;
@group(0) @binding(6) var<storage, read> mobilities: array<f32>;
// Whether it acts, and what is asked for: of ends that can move.
@group(0) @binding(7) var<storage, read> ends: array<vec4u>;
// Both particles; as bits: what is asked for, compliance, step, which is zero of rows that do nothing.
@group(0) @binding(8) var<storage, read_write> work: array<vec4u>;

@compute @workgroup_size(WORKGROUP)
fn main(thread: Thread) {
    let r = thread_index(thread);
    if r >= patch_params.rows {
        return;
    }
    let found = patch_rows[r];
    let row = rows[found.x];
    let pair = row.particles.xy;
    var filled = vec4u(found.y, 0u, 0u, 0u);
    if (row.state & ALIVE) != 0u && slots[pair.x] > 0u && slots[pair.y] > 0u {
        let mobility = vec2f(mobilities[pair.x], mobilities[pair.y]);
        let both = ends_of_row[found.x];
        let end = ends[select(both.y, both.x, mobility.x != 0.0)];
        if any(mobility != vec2f()) && end.x == 1u {
            var response = respond(row.softness, mobility.x + mobility.y);
            response.x = select(response.x, STATED, row.softness < 0.0);
            filled = vec4u(found.y, end.y, bitcast<vec2u>(response));
        }
    }
    work[r] = filled;
}
