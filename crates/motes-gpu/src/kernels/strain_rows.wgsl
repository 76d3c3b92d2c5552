// Edges of sheets that are stretched further than they can bear: of each workgroup the one that is so most, for the host to choose from.

struct StrainParams {
    // Places of rows.
    rows: u32,
    // Length of the sub-step, seconds.
    h: f32,
}

@group(0) @binding(0) var<uniform> params: StrainParams;
@group(0) @binding(1) var<storage, read> rows: array<Row>;
// The slot of each participant, plus one; zero for the dead.
@group(0) @binding(2) var<storage, read> slots: array<u32>;
@group(0) @binding(3) var<storage, read> positions: array<vec4f>;
@group(0) @binding(4) var<storage, read> ends_of_row: array<vec2u>;
@group(0) @binding(5) var<storage, read> impulses: array<f32>;
// Stretch over what it can bear, as bits that are ordered like it, zero for none; and the row, with a bit for each
// end that can move.
@group(0) @binding(6) var<storage, read_write> strained: array<vec2u>;

var<workgroup> candidates: array<vec2u, WORKGROUP>;

fn overload(length: f32, row: Row, impulse: f32) -> f32 {
    let bearable = row.softness * row.limit;
    if bearable > 0.0 {
        return (length - row.rest) / bearable;
    }
    return -impulse / (row.limit * params.h * params.h);
}

fn strain_of(r: u32) -> vec2u {
    let row = rows[r];
    if (row.state & TEARS) == 0u || !row_acts(row.state, 0u) {
        return vec2u();
    }
    let ends = vec2u(slots[row.particles.x], slots[row.particles.y]);
    if any(ends == vec2u()) {
        return vec2u();
    }
    let a = positions[ends.x - 1u];
    let b = positions[ends.y - 1u];
    let found = overload(distance(a.xyz, b.xyz), row, row_impulse(r));
    let free = select(0u, FIRST_FREE, a.w > 0.0) | select(0u, SECOND_FREE, b.w > 0.0);
    return select(vec2u(), vec2u(bitcast<u32>(found), r | free), found > 1.0);
}

fn stronger(a: vec2u, b: vec2u) -> vec2u {
    return select(b, a, a.x > b.x || (a.x == b.x && (a.y & STRAINED_ROW) <= (b.y & STRAINED_ROW)));
}

@compute @workgroup_size(WORKGROUP)
fn main(thread: Thread) {
    let r = thread_index(thread);
    var mine = vec2u();
    if r < params.rows {
        mine = strain_of(r);
    }
    candidates[thread.local] = mine;
    workgroupBarrier();
    for (var reach = WORKGROUP / 2u; reach > 0u; reach /= 2u) {
        if thread.local < reach {
            candidates[thread.local] = stronger(candidates[thread.local], candidates[thread.local + reach]);
        }
        workgroupBarrier();
    }
    let group = group_index(thread);
    if thread.local == 0u && group < arrayLength(&strained) {
        strained[group] = candidates[0];
    }
}
