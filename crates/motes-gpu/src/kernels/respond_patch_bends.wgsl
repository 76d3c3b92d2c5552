// Begins a frame for the curvatures of patches: where their particles are, and how they answer.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<uniform> patch_params: PatchParams;
@group(0) @binding(2) var<storage, read> vectors: array<vec4f>;
@group(0) @binding(3) var<storage, read> slots: array<u32>;
@group(0) @binding(4) var<storage, read> rows: array<Row>;
@group(0) @binding(5) var<storage, read> weights: array<vec4f>;
// Of each participant, over all its rows.
@group(0) @binding(6) var<storage, read> totals: array<f32>;
// Place in the store, and all four particles of the patch.
@group(0) @binding(7) var<storage, read> patch_bends: array<vec4u>;
@group(0) @binding(8) var<storage, read_write> bends: array<PatchBend>;
// Impulse, and the step (w), which is zero of rows that do nothing.
@group(0) @binding(9) var<storage, read_write> states: array<vec4f>;

@compute @workgroup_size(WORKGROUP)
fn main(thread: Thread) {
    let b = thread_index(thread);
    if b >= patch_params.bends {
        return;
    }
    let found = patch_bends[b];
    let row = rows[found.x];
    var bend = PatchBend(found.yz, row.rest, 0.0, vec4f());
    var step = 0.0;
    if row_acts(row.state, 0u) {
        let n = row.particles;
        let at = vec4u(slots[n.x], slots[n.y], slots[n.z], slots[n.w]);
        if all(at > vec4u()) {
            bend.weights = weights[found.x];
            let sums = vec4f(totals[n.x], totals[n.y], totals[n.z], totals[n.w]);
            let masses = vec4f(
                vectors[predicted_at(at.x - 1u)].w,
                vectors[predicted_at(at.y - 1u)].w,
                vectors[predicted_at(at.z - 1u)].w,
                vectors[predicted_at(at.w - 1u)].w,
            );
            let inverse_mass = dot(abs(bend.weights) * sums, masses);
            if inverse_mass > 0.0 {
                let response = respond(row.softness, inverse_mass);
                bend.compliance = response.x;
                step = response.y;
            }
        }
    }
    bends[b] = bend;
    states[b] = vec4f(0.0, 0.0, 0.0, step);
}
