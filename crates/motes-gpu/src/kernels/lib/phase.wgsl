// Who touches whom, and who is summed with whom: the table of motes-core's `phase.rs`.

const SELF_COLLIDE = 0x100000u;
const FLUID = 0x400000u;
const GROUP_MASK = 0xfffffu;

fn touches(a: u32, b: u32) -> bool {
    let meet = (a & SELF_COLLIDE) != 0u || ((a ^ b) & GROUP_MASK) != 0u;
    return meet && (a & b & FLUID) == 0u;
}

fn is_summed(a: u32, b: u32) -> bool {
    return ((a | b) & FLUID) != 0u;
}
