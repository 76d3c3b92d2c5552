// One averaged Jacobi iteration over the rows: every participant works out all of its rows, and where they move it. Both ends
// of a row come to the same bits, so nothing passes between participants but their positions. Iterations are weighted by how many
// there are: motes-core's `chebyshev.rs`.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<uniform> row_params: RowParams;
@group(0) @binding(2) var<storage, read> vectors: array<vec4f>;
@group(0) @binding(3) var<storage, read> starts: array<u32>;
@group(0) @binding(4) var<storage, read> slots: array<u32>;
@group(0) @binding(5) var<storage, read> ends: array<vec4u>;
@group(0) @binding(6) var<storage, read_write> impulses: array<f32>;
@group(0) @binding(7) var<storage, read_write> moved: array<vec4f>;
@group(0) @binding(8) var<storage, read> mobilities: array<f32>;
// What the last iteration changed the impulses by.
@group(0) @binding(9) var<storage, read_write> changes: array<f32>;
@group(0) @binding(10) var<uniform> iteration: Iteration;

var<workgroup> parts: array<vec3f, WORKGROUP>;

@compute @workgroup_size(WORKGROUP)
fn main(thread: Thread) {
    let p = thread_index(thread) / SHARE;
    let lane = thread.local % SHARE;
    var slot = 0u;
    if p < row_params.participants {
        slot = slots[p];
    }
    var own = vec4f();
    var sum = vec3f();
    if slot > 0u {
        own = vectors[predicted_at(slot - 1u)];
        let end = select(starts[p], 0u, mobilities[p] <= 0.0);
        for (var e = first_end(p) + lane; e < end; e += SHARE) {
            let row = ends[e];
            let impulse = impulses[e];
            let offset = own.xyz - vectors[predicted_at(row.x)].xyz;
            let response = bitcast<vec2f>(row.zw);
            let length = sqrt(dot(offset, offset));
            let more = hasten(length, bitcast<f32>(row.y), vec2f(impulse, changes[e]), response, iteration.keep, iteration.take);
            changes[e] = more;
            impulses[e] = impulse + more;
            sum += offset * (more / max(length, SAME_PLACE));
        }
    }
    parts[thread.local] = sum;
    workgroupBarrier();
    if slot > 0u && lane == 0u {
        for (var k = 1u; k < SHARE; k++) {
            sum += parts[thread.local + k];
        }
        moved[p] = vec4f(own.xyz + own.w * sum, own.w);
    }
}
