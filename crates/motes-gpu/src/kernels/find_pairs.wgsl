// Finds the neighbours of each particle. Those in higher slots make pairs that it owns, those in lower slots own pairs
// with it. They are counted, room is taken for all of a workgroup at once, then they are written.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> predicted: array<vec4f>;
@group(0) @binding(2) var<storage, read> kinds: array<vec4u>;
@group(0) @binding(3) var<storage, read> cells: array<vec2u>;
// Start in space; what corrections are divided by (w).
@group(0) @binding(4) var<storage, read_write> starts: array<vec4f>;
// First and number of the particle's own pairs, then of the others'.
@group(0) @binding(5) var<storage, read_write> ranges: array<vec4u>;
@group(0) @binding(6) var<storage, read_write> pairs: array<vec2u>;
@group(0) @binding(7) var<storage, read_write> foreign: array<u32>;
// Own pairs, pairs of others, and how many of either found no room.
@group(0) @binding(8) var<storage, read_write> counters: array<atomic<u32>>;

var<workgroup> first: vec2u;

fn collides(i: u32, j: u32, a: vec4f, b: vec4f) -> bool {
    let p = phase_of(kinds[i]);
    let groups = ((p ^ phase_of(kinds[j])) & 0xfffffu) != 0u || (p & 0x100000u) != 0u;
    return i != j && groups && (a.w > 0.0 || b.w > 0.0);
}

fn divisor(count: u32, diagonal: vec3f, mixed: vec3f) -> f32 {
    if params.averaging == 0u || count <= 1u {
        return 1.0;
    }
    if params.averaging == 1u {
        return f32(count);
    }
    var d = diagonal;
    var m = mixed;
    for (var k = 0u; k < 2u; k++) {
        let s = m * m;
        let squared = d * d + s + s.zxy;
        m = m * (d + d.yzx) + m.yzx * m.zxy;
        d = squared;
    }
    return max(sqrt(sqrt(sqrt(dot(d, d) + 2.0 * dot(m, m)))), 1.0);
}

// Neighbours that are kept at hand; a particle with more looks for them again.
const AT_HAND = 24u;

// What is known of a particle's neighbours so far.
struct Found {
    counts: vec2u,
    diagonal: vec3f,
    mixed: vec3f,
    near: array<u32, AT_HAND>,
}

fn count_in(slots: vec2u, i: u32, center: vec4f, found: ptr<function, Found>) {
    for (var j = slots.x; j < slots.y; j++) {
        let other = predicted[j];
        let offset = other.xyz - center.xyz;
        let squared = dot(offset, offset);
        if squared < params.reach * params.reach && collides(i, j, center, other) {
            let known = (*found).counts.x + (*found).counts.y;
            if known < AT_HAND {
                (*found).near[known] = j;
            }
            (*found).counts += select(vec2u(0u, 1u), vec2u(1u, 0u), j > i);
            let scaled = offset / max(squared, 1e-37);
            (*found).diagonal += offset * scaled;
            (*found).mixed += offset * scaled.yzx;
        }
    }
}

fn write_from(slots: vec2u, i: u32, center: vec4f, end: vec2u, place: ptr<function, vec2u>) {
    for (var j = slots.x; j < slots.y; j++) {
        let other = predicted[j];
        let offset = other.xyz - center.xyz;
        if dot(offset, offset) < params.reach * params.reach && collides(i, j, center, other) {
            write(i, j, end, place);
        }
    }
}

fn write(i: u32, j: u32, end: vec2u, place: ptr<function, vec2u>) {
    if j > i {
        if (*place).x < end.x {
            pairs[(*place).x] = vec2u(i, j);
        }
        (*place).x++;
    } else {
        if (*place).y < end.y {
            foreign[(*place).y] = j;
        }
        (*place).y++;
    }
}

// Three cells in a row lie one after the other, unless the row wraps around: then the rest comes second.
fn row_of(cell: vec3i, row: i32) -> array<vec2u, 2> {
    let middle = cell + vec3i(0, row % 3 - 1, row / 3 - 1);
    var slots = array<vec2u, 2>();
    for (var x = -1; x <= 1; x++) {
        let next = cells[entry_of(middle + vec3i(x, 0, 0))];
        if next.x == next.y {
            continue;
        }
        if slots[0].x == slots[0].y {
            slots[0] = next;
        } else if slots[0].y == next.x {
            slots[0].y = next.y;
        } else if slots[1].x == slots[1].y {
            slots[1] = next;
        } else {
            slots[1].y = next.y;
        }
    }
    return slots;
}

@compute @workgroup_size(WORKGROUP)
fn main(thread: Thread) {
    let i = group_index(thread) * WORKGROUP + rank(thread);
    let exists = i < params.count;
    let center = predicted[select(0u, i, exists)];
    let cell = cell_of(center.xyz);
    var found = Found();
    if exists {
        for (var row = 0; row < 9; row++) {
            let slots = row_of(cell, row);
            count_in(slots[0], i, center, &found);
            count_in(slots[1], i, center, &found);
        }
    }
    let scanned = scan_workgroup(thread, vec4u(found.counts, 0u, 0u));
    if rank(thread) == 0u {
        first = vec2u(atomicAdd(&counters[0], scanned.total.x), atomicAdd(&counters[1], scanned.total.y));
    }
    workgroupBarrier();
    if !exists {
        return;
    }
    var place = first + scanned.before.xy;
    let room = min(place + found.counts, vec2u(params.pair_capacity)) - min(place, vec2u(params.pair_capacity));
    if any(room < found.counts) {
        atomicAdd(&counters[2], found.counts.x - room.x + found.counts.y - room.y);
    }
    ranges[i] = vec4u(place.x, room.x, place.y, room.y);
    starts[i].w = divisor(found.counts.x + found.counts.y, found.diagonal, found.mixed);
    let end = place + room;
    let known = found.counts.x + found.counts.y;
    if known <= AT_HAND {
        for (var k = 0u; k < known; k++) {
            write(i, found.near[k], end, &place);
        }
        return;
    }
    for (var row = 0; row < 9; row++) {
        let slots = row_of(cell, row);
        write_from(slots[0], i, center, end, &place);
        write_from(slots[1], i, center, end, &place);
    }
}
