// Begins a sub-step for the ends of all rows: where their partners are, how they answer, and that none has done anything.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<uniform> row_params: RowParams;
@group(0) @binding(2) var<storage, read> starts: array<u32>;
@group(0) @binding(3) var<storage, read> slots: array<u32>;
@group(0) @binding(4) var<storage, read> members: array<vec2u>;
@group(0) @binding(5) var<storage, read> rows: array<Row>;
@group(0) @binding(6) var<storage, read> mobilities: array<f32>;
// Whether it acts; then the slot of the partner; as bits: what is asked for, compliance, step. Those that do nothing lead to themselves.
@group(0) @binding(7) var<storage, read_write> ends: array<vec4u>;
@group(0) @binding(8) var<storage, read_write> impulses: array<f32>;
@group(0) @binding(9) var<storage, read_write> changes: array<f32>;

@compute @workgroup_size(WORKGROUP)
fn main(thread: Thread) {
    let t = thread_index(thread);
    let p = t / SHARE;
    if p >= row_params.participants || slots[p] == 0u {
        return;
    }
    let end = starts[p];
    for (var e = first_end(p) + t % SHARE; e < end; e += SHARE) {
        impulses[e] = 0.0;
        changes[e] = 0.0;
    }
    if mobilities[p] == 0.0 {
        return;
    }
    for (var e = first_end(p) + t % SHARE; e < end; e += SHARE) {
        let member = members[e];
        var filled = vec4u(slots[p] - 1u, 0u, 0u, 0u);
        if ends[e].x == 1u {
            let row = rows[member.x];
            var response = respond(row.softness, mobilities[p] + mobilities[member.y]);
            response.x = select(response.x, STATED, row.softness < 0.0);
            filled = vec4u(slots[member.y] - 1u, ends[e].y, bitcast<vec2u>(response));
        }
        ends[e] = filled;
    }
}
