// Attachments that were ordered anew keep what they have done and whether they are broken.

// Rows before and after.
@group(0) @binding(0) var<storage, read> moves: array<vec2u>;
@group(0) @binding(1) var<storage, read> before: array<Attachment>;
@group(0) @binding(2) var<storage, read_write> attachments: array<Attachment>;

@compute @workgroup_size(WORKGROUP)
fn main(thread: Thread) {
    let i = thread_index(thread);
    if i >= arrayLength(&moves) {
        return;
    }
    let row = moves[i];
    attachments[row.y].impulse = before[row.x].impulse;
    attachments[row.y].state = before[row.x].state;
}
