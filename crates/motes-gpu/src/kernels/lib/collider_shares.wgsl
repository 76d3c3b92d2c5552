// Contacts of a ball with a shell, found by SHARE threads of a workgroup together: each looks at its part of the triangles, and
// all of them know every plane. All threads of the workgroup come along, those without a particle too, because they wait for
// each other. The result is that of one thread alone: `find_planes`.

// Planes that a thread can tell the others of at once.
const NOTES = 3u;
const NOT_NOTED = 0xffffffffu;

// Where in the order of the shell each plane that was found comes, or its triangle; and the planes, a column per number.
var<workgroup> note_keys: array<u32, NOTES * WORKGROUP>;
var<workgroup> note_numbers: array<f32, 6u * NOTES * WORKGROUP>;
var<workgroup> note_times: array<f32, WORKGROUP>;
var<workgroup> note_counts: array<u32, WORKGROUP>;
var<workgroup> some: atomic<u32>;
var<workgroup> any_left: u32;

// Whether it is so for any thread of the workgroup.
fn any_of_group(local: u32, is: bool) -> bool {
    if local == 0u {
        atomicStore(&some, 0u);
    }
    workgroupBarrier();
    if is {
        atomicStore(&some, 1u);
    }
    workgroupBarrier();
    if local == 0u {
        any_left = atomicLoad(&some);
    }
    return workgroupUniformLoad(&any_left) != 0u;
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

// The earliest of what the threads of a particle found.
fn earliest_of(local: u32, own: ShellHit) -> Hit {
    note_times[local] = select(LARGEST, own.hit.time, own.hit.found);
    note(local, own.triangle, own.hit.plane);
    workgroupBarrier();
    let first = local - local % SHARE;
    var best = first;
    for (var other = first + 1u; other < first + SHARE; other++) {
        let sooner = note_times[other] < note_times[best];
        let same = note_times[other] == note_times[best];
        best = select(best, other, sooner || (same && note_keys[other] < note_keys[best]));
    }
    let hit = Hit(note_times[best] < LARGEST, note_times[best], noted(best));
    workgroupBarrier();
    return hit;
}

// Whether nothing of a mesh is within reach, as far as its cells know.
fn is_far(sweep: Sweep) -> bool {
    let touched = mesh_list(sweep.start, sweep.end, sweep.radius);
    let around = mesh_list(sweep.end, sweep.end, sweep.reach);
    return touched.x != NONE && touched.x == touched.y && around.x != NONE && around.x == around.y;
}

fn find_shell_planes(local: u32, wanted: bool, sweep: Sweep) {
    let part = Part(local % SHARE, SHARE);
    var approach = Approach(wanted && !(is_mesh() && is_far(sweep)), false);
    if wanted && is_terrain() {
        approach = terrain_approach(sweep);
    }
    var start = sweep.start;
    var end = sweep.end;
    var radius = sweep.radius;
    var follows = approach.follows;
    var rests = approach.rests;
    for (var slides = 0u; slides < MAX_SLIDES; slides++) {
        if !any_of_group(local, follows) {
            break;
        }
        var own = ShellHit();
        if follows {
            own = shell_hit(part, start, end, radius);
        }
        let hit = earliest_of(local, own);
        if !follows {
            continue;
        }
        if !hit.found {
            rests = true;
            follows = false;
            continue;
        }
        radius *= TOUCH * TOUCH;
        start = mix(start, end, hit.time);
        follows = push_distinct(hit.plane, sweep.radius);
        if follows {
            end = above_planes(end, sweep.radius);
        }
    }
    if approach.follows && !rests {
        wedge(start, end, sweep.radius);
    }
    var looks = rests;
    if rests && is_terrain() {
        looks = !terrain_wall(sweep, end);
    }
    if any_of_group(local, looks) {
        share_surroundings(local, looks, sweep, end);
    }
}

// Adds the planes within reach of the balls at rest, in the order of a single walk.
fn share_surroundings(local: u32, looks: bool, sweep: Sweep, rest: vec3f) {
    var count = 0u;
    if looks {
        var walk = walk_near(Part(local % SHARE, SHARE), rest, rest, sweep.reach);
        for (var triangle = next_triangle(&walk); triangle != NONE; triangle = next_triangle(&walk)) {
            let found = nearby_plane(sweep, rest, walk, triangle);
            if found.normal.w > 0.0 {
                if count < NOTES {
                    note(local + count * WORKGROUP, place_of(walk), SurfacePlane(found.point, found.normal.xyz));
                }
                count++;
            }
        }
    }
    note_counts[local] = count;
    workgroupBarrier();
    let first = local - local % SHARE;
    var all = 0u;
    var crowded = false;
    for (var other = first; other < first + SHARE; other++) {
        all += note_counts[other];
        crowded |= note_counts[other] > NOTES;
    }
    if looks && crowded {
        shell_surroundings(sweep, rest);
    } else if looks {
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
            push_distinct(noted(at), sweep.radius);
            least = next + 1u;
        }
    }
    workgroupBarrier();
}
