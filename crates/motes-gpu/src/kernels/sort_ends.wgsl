// Brings the ends of each participant into the order of the rows, so that no sum depends on which thread came first, and
// notes where the first end of each row is.

@group(0) @binding(0) var<uniform> row_params: RowParams;
@group(0) @binding(1) var<storage, read> rows: array<Row>;
@group(0) @binding(2) var<storage, read> starts: array<u32>;
@group(0) @binding(3) var<storage, read_write> members: array<vec2u>;
@group(0) @binding(4) var<storage, read_write> firsts: array<u32>;

@compute @workgroup_size(WORKGROUP)
fn main(thread: Thread) {
    let p = thread_index(thread);
    if p >= row_params.participants {
        return;
    }
    let first = first_end(p);
    let end = starts[p];
    for (var e = first; e < end; e++) {
        let member = members[e];
        var place = e;
        for (var before = e; before > first; before--) {
            let other = members[before - 1u];
            if other.x < member.x {
                break;
            }
            members[before] = other;
            place = before - 1u;
        }
        members[place] = member;
    }
    for (var e = first; e < end; e++) {
        let r = members[e].x;
        if rows[r].particles.x == p {
            firsts[r] = e;
        }
    }
}
