// Moves each particle by what its contacts take over from the last sub-step. Before that the lists of pairs that others
// own get the numbers of the pairs in place of their owners, and the cells are emptied for the next sub-step.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> messages: array<vec4f>;
@group(0) @binding(2) var<storage, read> ranges: array<vec4u>;
@group(0) @binding(3) var<storage, read> members: array<u32>;
@group(0) @binding(4) var<storage, read_write> foreign: array<u32>;
@group(0) @binding(5) var<storage, read> shares: array<vec2f>;
@group(0) @binding(6) var<storage, read_write> predicted: array<vec4f>;
@group(0) @binding(7) var<storage, read_write> pushed: array<vec4f>;
@group(0) @binding(8) var<storage, read_write> cells: array<u32>;

// Number of the pair with `i` among the pairs `own` of another. A pair that found no room is nowhere; it then stands for
// the one after the last, which is always zero. Four are fetched at a time, so that none waits for another.
fn number_among(own: vec2u, i: u32) -> u32 {
    let end = own.x + own.y;
    for (var p = own.x; p < end; p += 4u) {
        let four = vec4u(members[p], members[p + 1u], members[p + 2u], members[p + 3u]);
        let same = (four == vec4u(i)) & (vec4u(p, p + 1u, p + 2u, p + 3u) < vec4u(end));
        if any(same) {
            return select(select(select(p + 3u, p + 2u, same.z), p + 1u, same.y), p, same.x);
        }
    }
    return params.pair_capacity;
}

@compute @workgroup_size(WORKGROUP)
fn main(thread: Thread) {
    let i = thread_index(thread);
    if i >= params.count {
        return;
    }
    for (var entry = i; entry <= params.entries; entry += params.count) {
        cells[entry] = 0u;
    }
    let range = ranges[i];
    let end = range.z + range.w;
    // Two at a time, so that neither waits for the other.
    for (var k = range.z; k < end; k += 2u) {
        let next = min(k + 1u, end - 1u);
        let a = foreign[k];
        let b = foreign[next];
        let of_a = ranges[a].xy;
        let of_b = ranges[b].xy;
        let number_b = number_among(of_b, i);
        foreign[k] = number_among(of_a, i);
        if next > k {
            foreign[next] = number_b;
        }
    }
    let sum = gather(range);
    let position = predicted[i];
    predicted[i] = vec4f(position.xyz + sum * position.w, position.w);
    pushed[i] = vec4f(sum, select(0.0, 1.0, any(sum != vec3f())));
}
