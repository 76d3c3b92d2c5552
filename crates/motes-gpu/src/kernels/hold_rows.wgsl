// Where starts go that the stabilisation has moved further apart than rows and tethers allow: motes-core's `hold_rows`. A thread for
// each participant.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<uniform> row_params: RowParams;
@group(0) @binding(2) var<storage, read> vectors: array<vec4f>;
@group(0) @binding(3) var<storage, read> starts: array<u32>;
@group(0) @binding(4) var<storage, read> slots: array<u32>;
@group(0) @binding(5) var<storage, read> members: array<vec2u>;
@group(0) @binding(6) var<storage, read> rows: array<Row>;
@group(0) @binding(7) var<storage, read> broken: array<u32>;
@group(0) @binding(8) var<storage, read_write> moved: array<vec4f>;

@compute @workgroup_size(WORKGROUP)
fn main(thread: Thread) {
    let p = thread_index(thread);
    if p >= row_params.participants || slots[p] == 0u {
        return;
    }
    let i = slots[p] - 1u;
    // The inverse mass of a start is that of its contacts.
    let own = vec4f(vectors[start_at(i)].xyz, vectors[predicted_at(i)].w);
    let before = vectors[sorted_at(i)].xyz;
    // What cannot move is left alone: a pin may have thousands of tethers.
    let end = select(starts[p], 0u, own.w == 0.0);
    var count = 0u;
    var most = 0.0;
    var sum = vec3f();
    var diagonal = vec3f();
    var mixed = vec3f();
    for (var e = first_end(p); e < end; e++) {
        let member = members[e];
        let slot = slots[member.y];
        let rest = rows[member.x].rest;
        if slot == 0u || !row_acts(rows[member.x].state, broken[member.x]) {
            continue;
        }
        let other = vec4f(vectors[start_at(slot - 1u)].xyz, vectors[predicted_at(slot - 1u)].w);
        let way = other.xyz - own.xyz;
        let size = length(way);
        let over = size - max(distance(vectors[sorted_at(slot - 1u)].xyz, before), abs(rest));
        if over > 0.0 && own.w + other.w > 0.0 {
            let n = way / size;
            count += 1u;
            most = max(most, over);
            sum += over / (own.w + other.w) * n;
            diagonal += over * n * n;
            mixed += over * n * n.yzx;
        }
    }
    // Rows count by how much too long they are, so that rounding does not decide who shares in it.
    let per_most = 1.0 / max(most, 1e-30);
    moved[p] = vec4f(own.xyz + own.w / busiest(count, per_most * diagonal, per_most * mixed) * sum, own.w);
}
