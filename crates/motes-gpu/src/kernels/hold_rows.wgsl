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

// The way from a start to the other end of one of its rows, and by how much that row was made too long (w), metres.
fn pulled(own: vec4f, before: vec3f, member: vec2u) -> vec4f {
    let slot = slots[member.y];
    if slot == 0u || !row_acts(rows[member.x].state, broken[member.x]) {
        return vec4f();
    }
    let way = vectors[start_at(slot - 1u)].xyz - own.xyz;
    let allowed = max(distance(vectors[sorted_at(slot - 1u)].xyz, before), abs(rows[member.x].rest));
    return vec4f(way, max(length(way) - allowed, 0.0));
}

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
    var most = 0.0;
    for (var e = first_end(p); e < end; e++) {
        most = max(most, pulled(own, before, members[e]).w);
    }
    moved[p] = own;
    if most == 0.0 {
        return;
    }
    var count = 0u;
    var sum = vec3f();
    var diagonal = vec3f();
    var mixed = vec3f();
    for (var e = first_end(p); e < end; e++) {
        let found = pulled(own, before, members[e]);
        if found.w > 0.0 {
            let n = normalize(found.xyz);
            let counts = min(found.w / (COUNTED * most), 1.0);
            count += 1u;
            sum += found.w / (own.w + vectors[predicted_at(slots[members[e].y] - 1u)].w) * n;
            diagonal += counts * n * n;
            mixed += counts * n * n.yzx;
        }
    }
    moved[p] = vec4f(own.xyz + own.w / busiest(count, diagonal, mixed) * sum, own.w);
}
