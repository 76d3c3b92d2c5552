// What a pair does to the particle that owns it, or to the other one, with mass scaling or without.

fn message_of(p: u32, own: bool) -> vec3f {
    let message = messages[p].xyz;
    if params.scaled == 0u {
        return select(-message, message, own);
    }
    let share = shares[p];
    return select(-message * share.y, message * share.x, own);
}
