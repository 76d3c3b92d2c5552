// Brings the ends of each participant into the order of the rows, so that no sum depends on which thread came first, and
// notes where the ends of each row are.

@group(0) @binding(0) var<uniform> row_params: RowParams;
@group(0) @binding(1) var<storage, read> rows: array<Row>;
@group(0) @binding(2) var<storage, read> starts: array<u32>;
@group(0) @binding(3) var<storage, read_write> members: array<vec2u>;
@group(0) @binding(4) var<storage, read_write> ends_of_row: array<vec2u>;

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
            ends_of_row[r].x = e;
        } else if rows[r].particles.y == p {
            ends_of_row[r].y = e;
        }
    }
}
