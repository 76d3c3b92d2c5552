// What holds rigid bodies together at the start of a sub-step: motes-core's `attachments.rs`. Kernels have `bodies`, `attachments`
// and `drives`.

// Whether an attachment holds points of rigid bodies, colliders and the world.
fn holds_start(a: u32) -> bool {
    let attachment = attachments[a];
    if attachment.state != HOLDS {
        return false;
    }
    if is_held_by_part(attachment.body) || is_held_by_part(attachment.other) {
        return false;
    }
    if attachment.drive == NO_JOINT {
        return true;
    }
    return drives[attachment.drive].kind != SLIDER && drives[attachment.drive].kind != DISTANCE;
}
