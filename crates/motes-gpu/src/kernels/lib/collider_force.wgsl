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

// One column per member, so that threads side by side reach words side by side.
var<workgroup> group_sums: array<f32, 6u * WORKGROUP>;
var<workgroup> group_contacts: array<u32, WORKGROUP>;

fn add_sums(a: ForceSum, b: ForceSum) -> ForceSum {
    return ForceSum(a.impulse + b.impulse, a.contacts + b.contacts, a.angular_impulse + b.angular_impulse, 0u);
}

fn store_sum(local: u32, sum: ForceSum) {
    for (var axis = 0u; axis < 3u; axis++) {
        group_sums[axis * WORKGROUP + local] = sum.impulse[axis];
        group_sums[(axis + 3u) * WORKGROUP + local] = sum.angular_impulse[axis];
    }
    group_contacts[local] = sum.contacts;
}

fn load_sum(local: u32) -> ForceSum {
    var sum = ForceSum();
    for (var axis = 0u; axis < 3u; axis++) {
        sum.impulse[axis] = group_sums[axis * WORKGROUP + local];
        sum.angular_impulse[axis] = group_sums[(axis + 3u) * WORKGROUP + local];
    }
    sum.contacts = group_contacts[local];
    return sum;
}

// Sum over the workgroup, pairwise: what `load_sum` gives at 0 afterwards.
fn sum_workgroup(local: u32, own: ForceSum) {
    var sum = own;
    store_sum(local, sum);
    for (var reach = WORKGROUP / 2u; reach > 0u; reach /= 2u) {
        workgroupBarrier();
        if local < reach {
            sum = add_sums(sum, load_sum(local + reach));
            store_sum(local, sum);
        }
    }
    workgroupBarrier();
}

// Blocks that the particles are divided into, one for each workgroup of those who sum up.
fn force_blocks(count: u32) -> u32 {
    return (count + WORKGROUP - 1u) / WORKGROUP;
}
