// Begins a sub-step for all rows that are solved colour by colour: where their particles are, how they answer, and that none
// has done anything.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<uniform> row_params: RowParams;
@group(0) @binding(2) var<storage, read> vectors: array<vec4f>;
@group(0) @binding(3) var<storage, read> slots: array<u32>;
@group(0) @binding(4) var<storage, read> rows: array<Row>;
@group(0) @binding(5) var<storage, read> broken: array<u32>;
// Two for each row: slots of its particles, and as bits what is asked for and compliance; then the step, and whether its stiffness is stated.
@group(0) @binding(6) var<storage, read_write> ends: array<vec4u>;
@group(0) @binding(7) var<storage, read_write> impulses: array<f32>;
@group(0) @binding(8) var<storage, read_write> ends_of_row: array<vec2u>;

@compute @workgroup_size(WORKGROUP)
fn main(thread: Thread) {
    let r = thread_index(thread);
    if r >= row_params.rows {
        return;
    }
    let row = rows[r];
    var response = vec2f();
    var between = vec2u();
    var asked = row.rest;
    if row_acts(row.state, broken[r]) {
        between = vec2u(slots[row.particles.x], slots[row.particles.y]);
        if all(between > vec2u()) {
            between -= 1u;
            let a = vectors[predicted_at(between.x)];
            let b = vectors[predicted_at(between.y)];
            let offset = a.xyz - b.xyz;
            if may_act(row.rest, dot(offset, offset)) {
                response = respond(row.softness, a.w + b.w);
                let apart = vectors[start_at(between.x)].xyz - vectors[start_at(between.y)].xyz;
                asked = asked_of(row.rest, sqrt(dot(apart, apart)));
            }
        }
    }
    ends[2u * r] = vec4u(between, bitcast<u32>(asked), bitcast<u32>(response.x));
    ends[2u * r + 1u] = vec4u(bitcast<u32>(response.y), u32(row.softness < 0.0), 0u, 0u);
    impulses[r] = 0.0;
    ends_of_row[r] = vec2u(r);
}
