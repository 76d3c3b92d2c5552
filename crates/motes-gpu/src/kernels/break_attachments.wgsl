// Ends attachments that held more than they can bear.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> attachments: array<Attachment>;

@group(0) @binding(2) var<storage, read> drives: array<Drive>;

fn holds_too_much(a: u32) -> bool {
    return !(length(attachments[a].impulse) <= attachments[a].breaking_force * params.h * params.h);
}

@compute @workgroup_size(WORKGROUP)
fn main(thread: Thread) {
    let a = thread_index(thread);
    if a >= arrayLength(&attachments) || attachments[a].state != HOLDS {
        return;
    }
    var breaks = holds_too_much(a);
    // A joint whose axis something acts on breaks as a whole.
    let d = attachments[a].drive;
    if d != NO_JOINT {
        breaks |= holds_too_much(drives[d].leader);
        breaks |= holds_too_much(drives[d].second);
        breaks |= holds_too_much(drives[d].third);
    }
    if breaks {
        attachments[a].state = BROKEN;
    }
}
