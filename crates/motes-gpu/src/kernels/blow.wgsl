// What the air gives to every particle in the sub-step, m/s: nothing to those that are no corner of a face. `finish` adds it.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<uniform> row_params: RowParams;
@group(0) @binding(2) var<storage, read_write> vectors: array<vec4f>;
@group(0) @binding(3) var<storage, read> kinds: array<vec4u>;
// The participant with each index of an id.
@group(0) @binding(4) var<storage, read> numbers: array<u32>;
@group(0) @binding(5) var<storage, read> starts: array<u32>;
@group(0) @binding(6) var<storage, read> members: array<vec2u>;
@group(0) @binding(7) var<storage, read> forces: array<vec4f>;

@compute @workgroup_size(WORKGROUP)
fn main(thread: Thread) {
    let i = thread_index(thread);
    if i >= params.count {
        return;
    }
    var blown = vec3f();
    let index = kinds[sorted_kind_at(i)].z;
    if index < row_params.indices && numbers[index] != NOBODY {
        let p = numbers[index];
        let end = starts[p];
        var sum = vec4f();
        for (var e = first_end(p); e < end; e++) {
            sum += forces[members[e].x];
        }
        let times = params.h * vectors[predicted_at(i)].w;
        blown = times / max(0.5 + 0.5 * times * sum.w, 1.0) * sum.xyz;
    }
    vectors[blown_at(i)] = vec4f(blown, vectors[blown_at(i)].w);
}
