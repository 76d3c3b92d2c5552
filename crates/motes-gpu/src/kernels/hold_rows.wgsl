// Where starts go that the stabilisation has moved further apart than rows and tethers allow: motes-core's `hold_rows`. SHARE threads look for what
// is too far from a participant, and one of them draws it back.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<uniform> row_params: RowParams;
@group(0) @binding(2) var<storage, read> vectors: array<vec4f>;
@group(0) @binding(3) var<storage, read> starts: array<u32>;
@group(0) @binding(4) var<storage, read> slots: array<u32>;
@group(0) @binding(5) var<storage, read> members: array<vec2u>;
@group(0) @binding(6) var<storage, read> rows: array<Row>;
@group(0) @binding(7) var<storage, read> broken: array<u32>;
@group(0) @binding(8) var<storage, read_write> moved: array<vec4f>;
@group(0) @binding(9) var<uniform> hold: HoldRound;
@group(0) @binding(10) var<storage, read_write> held: array<atomic<u32>>;

// The way from a start to the other end of one of its rows, and by how much that row was made too long (w), metres.
fn pulled(own: vec4f, before: vec3f, member: vec2u) -> vec4f {
    let slot = slots[member.y];
    if slot == 0u {
        return vec4f();
    }
    let start = vectors[start_at(slot - 1u)].xyz;
    let start_before = vectors[sorted_at(slot - 1u)].xyz;
    let stayed = all(own.xyz == before) && all(start == start_before);
    if stayed || !row_acts(rows[member.x].state, broken[member.x]) {
        return vec4f();
    }
    let way = start - own.xyz;
    let allowed = max(distance(start_before, before), abs(rows[member.x].rest));
    return vec4f(way, max(length(way) - allowed, 0.0));
}

var<workgroup> mosts: array<f32, WORKGROUP>;

@compute @workgroup_size(WORKGROUP)
fn main(thread: Thread) {
    let t = thread_index(thread);
    if t == 0u {
        atomicStore(&held[(hold.round + 1u) % HOLD_ROUNDS], 0u);
    }
    let p = t / SHARE;
    let lane = thread.local % SHARE;
    let goes_on = hold.round == 0u || atomicLoad(&held[(hold.round + HOLD_ROUNDS - 1u) % HOLD_ROUNDS]) > 0u;
    var slot = 0u;
    if goes_on && p < row_params.participants {
        slot = slots[p];
    }
    let i = max(slot, 1u) - 1u;
    var own = vec4f();
    var before = vec3f();
    var end = 0u;
    var most = 0.0;
    if slot > 0u {
        // The inverse mass of a start is that of its contacts.
        own = vec4f(vectors[start_at(i)].xyz, vectors[predicted_at(i)].w);
        before = vectors[sorted_at(i)].xyz;
        // What cannot move is left alone: a pin may have thousands of tethers.
        end = select(starts[p], 0u, own.w == 0.0);
        for (var e = first_end(p) + lane; e < end; e += SHARE) {
            most = max(most, pulled(own, before, members[e]).w);
        }
    }
    mosts[thread.local] = most;
    workgroupBarrier();
    if slot == 0u || lane > 0u {
        return;
    }
    for (var k = 1u; k < SHARE; k++) {
        most = max(most, mosts[thread.local + k]);
    }
    moved[p] = own;
    if most == 0.0 {
        return;
    }
    atomicAdd(&held[hold.round], 1u);
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
