// What a collider received: sums over contacts, added up in a fixed order.

const NO_COLLIDER = 0xffffffffu;

struct ForceSum {
    impulse: vec3f,
    // Contacts that pushed or pulled in the last sub-step.
    contacts: u32,
    // About the collider's origin at the end of the frame.
    angular_impulse: vec3f,
    unused: u32,
}

var<workgroup> group_sums: array<ForceSum, WORKGROUP>;

fn add_sums(a: ForceSum, b: ForceSum) -> ForceSum {
    return ForceSum(a.impulse + b.impulse, a.contacts + b.contacts, a.angular_impulse + b.angular_impulse, 0u);
}

// Sum over the workgroup, pairwise; its first thread gets it.
fn sum_workgroup(local: u32, own: ForceSum) -> ForceSum {
    group_sums[local] = own;
    for (var reach = WORKGROUP / 2u; reach > 0u; reach /= 2u) {
        workgroupBarrier();
        if local < reach {
            group_sums[local] = add_sums(group_sums[local], group_sums[local + reach]);
        }
    }
    workgroupBarrier();
    return group_sums[0];
}

// Blocks that the particles are divided into.
fn force_blocks(count: u32) -> u32 {
    return min((count + BLOCK - 1u) / BLOCK, BLOCKS);
}
