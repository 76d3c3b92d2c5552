// Sums over neighbours in PARTS, and for each particle SHARE threads, as many or one: where particles are few, more threads wait less. The bits of a sum
// depend on its parts alone. Threads of a particle sit in different parts of the workgroup, so that those side by side do the same.

const OWNERS = WORKGROUP / SHARE;

struct Part {
    // The particle, and its place in the workgroup.
    i: u32,
    local: u32,
    // The first of the parts that are this thread's.
    number: u32,
}

fn part_of(thread: Thread) -> Part {
    let local = thread.local % OWNERS;
    return Part(group_index(thread) * OWNERS + local, local, thread.local / OWNERS);
}

var<workgroup> part_sums: array<vec4f, WORKGROUP>;

// The sum over all threads of a particle. All threads of the workgroup take part.
fn sum_of_parts(part: Part, own: vec4f) -> vec4f {
    if SHARE == 1u {
        return own;
    }
    workgroupBarrier();
    part_sums[part.local + part.number * OWNERS] = own;
    workgroupBarrier();
    var sum = part_sums[part.local];
    for (var k = 1u; k < SHARE; k++) {
        sum += part_sums[part.local + k * OWNERS];
    }
    return sum;
}
