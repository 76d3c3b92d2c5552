// What the air does to each face: a third of its force, for each corner, and of its steepness (w).

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<uniform> row_params: RowParams;
@group(0) @binding(2) var<uniform> air: Air;
@group(0) @binding(3) var<storage, read> vectors: array<vec4f>;
@group(0) @binding(4) var<storage, read> slots: array<u32>;
@group(0) @binding(5) var<storage, read> rows: array<Row>;
// Drag and lift.
@group(0) @binding(6) var<storage, read> weights: array<vec4f>;
@group(0) @binding(7) var<storage, read_write> forces: array<vec4f>;

@compute @workgroup_size(WORKGROUP)
fn main(thread: Thread) {
    let r = thread_index(thread);
    if r >= row_params.rows {
        return;
    }
    let row = rows[r];
    var force = vec4f();
    if row_acts(row.state, 0u) {
        let at = vec3u(slots[row.particles.x], slots[row.particles.y], slots[row.particles.z]);
        if all(at > vec3u()) {
            let a = vectors[predicted_at(at.x - 1u)].xyz;
            let b = vectors[predicted_at(at.y - 1u)].xyz;
            let c = vectors[predicted_at(at.z - 1u)].xyz;
            let moved = (a - vectors[start_at(at.x - 1u)].xyz)
                + (b - vectors[start_at(at.y - 1u)].xyz)
                + (c - vectors[start_at(at.z - 1u)].xyz);
            let velocity = moved / (3.0 * params.h) - air_velocity((a + b + c) / 3.0);
            force = press(a, b, c, velocity, weights[r].xy) / 3.0;
        }
    }
    forces[r] = force;
}
