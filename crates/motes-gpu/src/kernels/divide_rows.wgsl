// Splits the mass of each participant among its rows, by the directions they have (Tonge et al. 2012): its effective inverse
// mass, as any one of them sees it.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<uniform> row_params: RowParams;
@group(0) @binding(2) var<storage, read> vectors: array<vec4f>;
@group(0) @binding(3) var<storage, read> starts: array<u32>;
@group(0) @binding(4) var<storage, read> slots: array<u32>;
@group(0) @binding(5) var<storage, read> members: array<vec2u>;
@group(0) @binding(6) var<storage, read> rows: array<Row>;
@group(0) @binding(7) var<storage, read> broken: array<u32>;
// ROW_RESTS for participants of which no row acts, 0 for those that cannot move.
@group(0) @binding(8) var<storage, read_write> mobilities: array<f32>;
// Whether each end acts in the sub-step (x), and what it asks for (y), for `respond_rows`.
@group(0) @binding(9) var<storage, read_write> ends: array<vec4u>;

// What a thread has found of the rows of its participant.
struct Part {
    count: u32,
    diagonal: vec3f,
    mixed: vec3f,
}

var<workgroup> parts: array<Part, WORKGROUP>;

// Looks at an end: adds the direction of its row, if that acts.
fn look_at(e: u32, i: u32, own: vec4f, part: ptr<function, Part>) {
    let member = members[e];
    let slot = slots[member.y];
    ends[e].x = 0u;
    if slot == 0u || !row_acts(rows[member.x].state, broken[member.x]) {
        return;
    }
    let offset = own.xyz - vectors[predicted_at(slot - 1u)].xyz;
    if !may_act(rows[member.x].rest, dot(offset, offset)) {
        return;
    }
    let apart = vectors[start_at(i)].xyz - vectors[start_at(slot - 1u)].xyz;
    ends[e].x = 1u;
    ends[e].y = bitcast<u32>(asked_of(rows[member.x].rest, sqrt(dot(apart, apart))));
    let n = normal_or_zero(offset);
    (*part).count += 1u;
    (*part).diagonal += n * n;
    (*part).mixed += n * n.yzx;
}

@compute @workgroup_size(WORKGROUP)
fn main(thread: Thread) {
    let p = thread_index(thread) / SHARE;
    let lane = thread.local % SHARE;
    var slot = 0u;
    if p < row_params.participants {
        slot = slots[p];
    }
    var own = vec4f();
    var part = Part();
    if slot > 0u {
        own = vectors[predicted_at(slot - 1u)];
        // A pin may have thousands of tethers, and none of them moves it.
        let end = select(starts[p], 0u, own.w == 0.0);
        for (var e = first_end(p) + lane; e < end; e += SHARE) {
            look_at(e, slot - 1u, own, &part);
        }
    }
    parts[thread.local] = part;
    workgroupBarrier();
    if slot == 0u || lane > 0u {
        return;
    }
    for (var k = 1u; k < SHARE; k++) {
        part.count += parts[thread.local + k].count;
        part.diagonal += parts[thread.local + k].diagonal;
        part.mixed += parts[thread.local + k].mixed;
    }
    let found = select(ROW_RESTS, own.w * busiest(part.count, part.diagonal, part.mixed), part.count > 0u);
    mobilities[p] = select(found, 0.0, own.w == 0.0);
}
