// What SHARE threads of a workgroup that look at one particle's contacts with a shell tell each other, so that all of them know
// every plane and the result is that of one thread alone: `collider_alone`.

// Planes that a thread can tell the others of at once.
const NOTES = 3u;
const NOT_NOTED = 0xffffffffu;

// Where in the order of the shell each plane that was found comes, or its triangle; and the planes, a column per number.
var<workgroup> note_keys: array<u32, NOTES * WORKGROUP>;
var<workgroup> note_numbers: array<f32, 6u * NOTES * WORKGROUP>;
var<workgroup> note_times: array<f32, WORKGROUP>;
var<workgroup> note_counts: array<u32, WORKGROUP>;
var<workgroup> most: atomic<u32>;
var<workgroup> most_for_all: u32;

fn part_of(local: u32) -> Part {
    return Part(local % SHARE, SHARE);
}

// The greatest number that any thread of the workgroup has.
fn most_of_group(local: u32, own: u32) -> u32 {
    if local == 0u {
        atomicStore(&most, 0u);
    }
    workgroupBarrier();
    if own != 0u {
        atomicMax(&most, own);
    }
    workgroupBarrier();
    if local == 0u {
        most_for_all = atomicLoad(&most);
    }
    return workgroupUniformLoad(&most_for_all);
}

fn note(at: u32, key: u32, plane: SurfacePlane) {
    note_keys[at] = key;
    for (var axis = 0u; axis < 3u; axis++) {
        note_numbers[at + axis * NOTES * WORKGROUP] = plane.point[axis];
        note_numbers[at + (axis + 3u) * NOTES * WORKGROUP] = plane.normal[axis];
    }
}

fn noted(at: u32) -> SurfacePlane {
    let column = NOTES * WORKGROUP;
    return SurfacePlane(
        vec3f(note_numbers[at], note_numbers[at + column], note_numbers[at + 2u * column]),
        vec3f(note_numbers[at + 3u * column], note_numbers[at + 4u * column], note_numbers[at + 5u * column]),
    );
}

// Tells of a plane within reach, the `count`th of a thread, that comes at `key` in the order of the shell.
fn tell(local: u32, part: Part, count: u32, key: u32, plane: SurfacePlane, radius: f32) {
    if part.parts == 1u {
        push_distinct(plane, radius);
    } else if count < NOTES {
        note(local + count * WORKGROUP, key, plane);
    }
}

// Lets the others know what a thread has seen.
fn exchange(local: u32, seen: Seen) {
    if seen.hit.found {
        note(local, seen.triangle, seen.hit.plane);
    }
    note_times[local] = select(LARGEST, seen.hit.time, seen.hit.found);
    note_counts[local] = seen.planes;
    workgroupBarrier();
}

fn end_exchange() {
    workgroupBarrier();
}

// The earliest touch that the threads of a particle found.
fn earliest_of(local: u32, own: Seen) -> Hit {
    let first = local - local % SHARE;
    var best = first;
    for (var other = first + 1u; other < first + SHARE; other++) {
        let sooner = note_times[other] < note_times[best];
        let same = note_times[other] == note_times[best];
        best = select(best, other, sooner || (same && note_keys[other] < note_keys[best]));
    }
    return Hit(note_times[best] < LARGEST, note_times[best], noted(best));
}

// Adds the planes that the threads of a particle told of, in the order of a single walk; or says that they were too many to tell.
fn push_told(local: u32, radius: f32) -> bool {
    let first = local - local % SHARE;
    var all = 0u;
    for (var other = first; other < first + SHARE; other++) {
        if note_counts[other] > NOTES {
            return true;
        }
        all += note_counts[other];
    }
    var least = 0u;
    for (var k = 0u; k < all; k++) {
        var next = NOT_NOTED;
        var at = 0u;
        for (var other = first; other < first + SHARE; other++) {
            for (var place = 0u; place < note_counts[other]; place++) {
                let key = note_keys[other + place * WORKGROUP];
                if key >= least && key < next {
                    next = key;
                    at = other + place * WORKGROUP;
                }
            }
        }
        push_distinct(noted(at), radius);
        least = next + 1u;
    }
    return false;
}
