// Moves each participant by what its rows that keep curvatures did.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<uniform> row_params: RowParams;
@group(0) @binding(2) var<storage, read_write> vectors: array<vec4f>;
@group(0) @binding(3) var<storage, read> starts: array<u32>;
@group(0) @binding(4) var<storage, read> slots: array<u32>;
// Row, and which of its particles.
@group(0) @binding(5) var<storage, read> members: array<vec2u>;
@group(0) @binding(6) var<storage, read> weights: array<vec4f>;
@group(0) @binding(7) var<storage, read> changes: array<vec4f>;

@compute @workgroup_size(WORKGROUP)
fn main(thread: Thread) {
    let p = thread_index(thread);
    if p >= row_params.participants || slots[p] == 0u {
        return;
    }
    let i = slots[p] - 1u;
    let end = starts[p];
    var sum = vec3f();
    for (var e = first_end(p); e < end; e++) {
        let member = members[e];
        sum += weights[member.x][member.y] * changes[member.x].xyz;
    }
    let place = vectors[predicted_at(i)];
    vectors[predicted_at(i)] = vec4f(place.xyz + place.w * sum, place.w);
}
