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

@compute @workgroup_size(WORKGROUP)
fn main(thread: Thread) {
    let p = thread_index(thread);
    if p >= row_params.participants || slots[p] == 0u {
        return;
    }
    let own = vectors[predicted_at(slots[p] - 1u)];
    if own.w == 0.0 {
        // A pin may have thousands of tethers, and none of them moves it.
        mobilities[p] = 0.0;
        return;
    }
    let end = starts[p];
    var count = 0u;
    var diagonal = vec3f();
    var mixed = vec3f();
    for (var e = first_end(p); e < end; e++) {
        let member = members[e];
        let slot = slots[member.y];
        ends[e].x = 0u;
        if slot == 0u || !row_acts(rows[member.x].state, broken[member.x]) {
            continue;
        }
        let offset = own.xyz - vectors[predicted_at(slot - 1u)].xyz;
        if !may_act(rows[member.x].rest, dot(offset, offset)) {
            continue;
        }
        let apart = vectors[start_at(slots[p] - 1u)].xyz - vectors[start_at(slot - 1u)].xyz;
        ends[e].x = 1u;
        ends[e].y = bitcast<u32>(asked_of(rows[member.x].rest, sqrt(dot(apart, apart))));
        let n = normal_or_zero(offset);
        count += 1u;
        diagonal += n * n;
        mixed += n * n.yzx;
    }
    mobilities[p] = select(ROW_RESTS, own.w * busiest(count, diagonal, mixed), count > 0u);
}
