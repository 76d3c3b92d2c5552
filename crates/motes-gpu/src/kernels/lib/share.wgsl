// What the impulse of a pair does to the particle that owns it, or to the other one. SCALED is 1 with mass scaling.

fn share_of(p: u32, impulse: vec3f, own: bool) -> vec3f {
    if SCALED == 0u {
        return select(-impulse, impulse, own);
    }
    let share = shares[p];
    return select(-impulse * share.y, impulse * share.x, own);
}
