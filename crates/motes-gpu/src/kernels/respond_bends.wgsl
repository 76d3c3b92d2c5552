// Begins a sub-step for rows that keep curvatures: where their particles are, how they answer, and that none has done anything.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<uniform> row_params: RowParams;
@group(0) @binding(2) var<storage, read> vectors: array<vec4f>;
@group(0) @binding(3) var<storage, read> slots: array<u32>;
@group(0) @binding(4) var<storage, read> rows: array<Row>;
@group(0) @binding(5) var<storage, read> weights: array<vec4f>;
// Of each participant, over all rows that are solved at once.
@group(0) @binding(6) var<storage, read> totals: array<f32>;
@group(0) @binding(7) var<storage, read_write> bends: array<Bend>;
@group(0) @binding(8) var<storage, read_write> impulses: array<vec4f>;

@compute @workgroup_size(WORKGROUP)
fn main(thread: Thread) {
    let r = thread_index(thread);
    if r >= row_params.rows {
        return;
    }
    let row = rows[r];
    var bend = Bend();
    if row_acts(row.state, 0u) {
        let n = row.particles;
        let at = vec4u(slots[n.x], slots[n.y], slots[n.z], slots[n.w]);
        if all(at > vec4u()) {
            bend.slots = at - 1u;
            bend.weights = weights[r];
            bend.rest = row.rest;
            let sizes = abs(bend.weights);
            var sums = sizes;
            if ALL_AT_ONCE == 1u {
                sums = vec4f(totals[n.x], totals[n.y], totals[n.z], totals[n.w]);
            }
            let masses = vec4f(
                vectors[predicted_at(bend.slots.x)].w,
                vectors[predicted_at(bend.slots.y)].w,
                vectors[predicted_at(bend.slots.z)].w,
                vectors[predicted_at(bend.slots.w)].w,
            );
            let inverse_mass = dot(sizes * sums, masses);
            if inverse_mass > 0.0 {
                let response = respond(row.softness, inverse_mass);
                bend.compliance = response.x;
                bend.step = response.y;
            }
        }
    }
    bends[r] = bend;
    impulses[r] = vec4f();
}
