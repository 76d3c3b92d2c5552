// Who touches whom, and who is summed with whom: the table of motes-core's `phase.rs`.

fn touches(a: u32, b: u32) -> bool {
    let meet = (a & SELF_COLLIDE) != 0u || ((a ^ b) & GROUP_MASK) != 0u;
    return meet && (a & b & FLUID) == 0u;
}

fn is_summed(a: u32, b: u32) -> bool {
    return ((a | b) & FLUID) != 0u;
}
