// Sums over neighbours are made of parts where there are few particles: SHARE threads then have one each, or one thread all of them, to the same bits, since
// launches are for particles that there is room for. Threads of a particle sit in different parts of the workgroup, so that those side by side do
// the same.

// A power of two.
fn parts_of_sums() -> u32 {
    return select(1u, NEIGHBOR_PARTS, params.count <= SUMMED_IN_PARTS);
}

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

// The sum over all threads of a particle, for the first of them. All threads of the workgroup take part. It comes out of memory however many they are, since
// compilers may work out otherwise what they know the making of; not where MAY_SHARE is 0, in worlds that have far too many particles for that.
fn sum_of_parts(part: Part, own: vec4f) -> vec4f {
    if MAY_SHARE == 0u {
        return own;
    }
    let place = part.local + part.number * OWNERS;
    workgroupBarrier();
    part_sums[place] = own;
    workgroupBarrier();
    if SHARE > 1u && part.number == 0u {
        var sum = own;
        for (var k = 1u; k < SHARE; k++) {
            sum += part_sums[place + k * OWNERS];
        }
        part_sums[place] = sum;
    }
    workgroupBarrier();
    return part_sums[place];
}
