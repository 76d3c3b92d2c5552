// What a pair does to the particle that owns it, or to the other one, without mass scaling.

fn message_of(p: u32, own: bool) -> vec3f {
    let message = messages[p].xyz;
    return select(-message, message, own);
}
