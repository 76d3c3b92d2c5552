// Has the links of bodies that flow follow the rest shape.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<uniform> row_params: RowParams;
@group(0) @binding(2) var<storage, read_write> rows: array<Row>;
// Index of the id of each participant.
@group(0) @binding(3) var<storage, read> participants: array<u32>;
@group(0) @binding(4) var<storage, read> membership: array<u32>;
@group(0) @binding(5) var<storage, read> body_members: array<vec4u>;

fn rest_of(p: u32) -> vec4f {
    let index = participants[p];
    if index >= params.indices {
        return vec4f();
    }
    let member = membership[params.members + index];
    if member == NO_MEMBER {
        return vec4f();
    }
    return vec4f(bitcast<vec4f>(body_members[rest_at(member)]).xyz, 1.0);
}

@compute @workgroup_size(WORKGROUP)
fn main(thread: Thread) {
    let r = thread_index(thread);
    if r >= row_params.rows || (rows[r].state & (ALIVE | FOLLOWS)) != (ALIVE | FOLLOWS) {
        return;
    }
    let a = rest_of(rows[r].particles.x);
    let b = rest_of(rows[r].particles.y);
    if a.w + b.w == 2.0 {
        rows[r].rest = distance(a.xyz, b.xyz);
    }
}
