// Starts of rigid bodies, after their members were moved out of overlaps, where bodies are large; candidates follow. One workgroup for each chunk, as in `match_chunks`.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> vectors: array<vec4f>;
@group(0) @binding(2) var<storage, read> membership: array<u32>;
@group(0) @binding(3) var<storage, read> body_members: array<vec4u>;
@group(0) @binding(4) var<storage, read_write> bodies: array<Body>;
@group(0) @binding(5) var<storage, read> chunks: array<Chunk>;

var<workgroup> found: Moved;

@compute @workgroup_size(WORKGROUP)
fn main(thread: Thread) {
    let p = min(group_index(thread), arrayLength(&chunks) - 1u);
    let exists = group_index(thread) == p;
    let b = chunks[p].body;
    let first = chunks[p].first;
    let end = first + select(0u, chunks[p].count, exists);
    let sum = sum_over_chunks(thread.local, p);
    let follows = is_a(b, RIGID) && !is_a(b, KINEMATIC) && is_pushed(sum);
    if thread.local == 0u && exists && p == chunks[p].sibling {
        bodies[b].start_moved = select(0.0, MOVED_OUT, follows);
    }
    if thread.local == 0u && follows {
        found = moved_by(b, Pose(chunks[p].near, chunks[p].guess), sum);
        found.old_position = chunks[p].end_position;
        found.old_rotation = chunks[p].end_rotation;
        if exists && p == chunks[p].sibling {
            set_start(b, found.from_pose);
            set_end(b, found.to_pose);
        }
    }
    workgroupBarrier();
    let goal = found;
    for (var m = first + thread.local; m < end; m += WORKGROUP) {
        follow_start(b, m, follows, goal);
    }
}
