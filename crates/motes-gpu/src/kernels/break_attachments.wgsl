// Ends attachments that held more than they can bear.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> attachments: array<Attachment>;

@compute @workgroup_size(WORKGROUP)
fn main(thread: Thread) {
    let a = thread_index(thread);
    if a >= arrayLength(&attachments) || attachments[a].state != HOLDS {
        return;
    }
    if !(length(attachments[a].impulse) <= attachments[a].breaking_force * params.h * params.h) {
        attachments[a].state = BROKEN;
    }
}
