// Finds the neighbours of each particle. Those in higher slots make pairs that it owns, those in lower slots own pairs
// with it. They are counted, room is taken for all of a workgroup at once, then they are written.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> predicted: array<vec4f>;
@group(0) @binding(2) var<storage, read> kinds: array<vec4u>;
@group(0) @binding(3) var<storage, read> cells: array<u32>;
// Start in space; what corrections are divided by (w).
@group(0) @binding(4) var<storage, read_write> starts: array<vec4f>;
// First and number of the particle's own pairs, then of the others'.
@group(0) @binding(5) var<storage, read_write> ranges: array<vec4u>;
@group(0) @binding(6) var<storage, read_write> pairs: array<vec2u>;
@group(0) @binding(7) var<storage, read_write> foreign: array<u32>;
// Own pairs, pairs of others, and how many of either found no room.
@group(0) @binding(8) var<storage, read_write> counters: array<atomic<u32>>;

// Neighbours that are kept at hand; a particle with more looks for them again.
const AT_HAND = 24u;

var<workgroup> first: vec2u;
var<workgroup> near: array<u32, AT_HAND * WORKGROUP>;

// What is known of a particle's neighbours so far.
struct Found {
    counts: vec2u,
    diagonal: vec3f,
    mixed: vec3f,
}

fn is_near(center: vec4f, other: vec4f) -> bool {
    let offset = other.xyz - center.xyz;
    return dot(offset, offset) < params.reach * params.reach;
}

fn collides(phase: u32, center: vec4f, j: u32, other: vec4f) -> bool {
    let groups = (phase & 0x100000u) != 0u || ((phase ^ phase_of(kinds[j])) & 0xfffffu) != 0u;
    return groups && (center.w > 0.0 || other.w > 0.0);
}

fn count(i: u32, j: u32, center: vec4f, other: vec4f, found: ptr<function, Found>) {
    let offset = other.xyz - center.xyz;
    let scaled = offset / max(dot(offset, offset), 1e-37);
    (*found).counts += select(vec2u(0u, 1u), vec2u(1u, 0u), j > i);
    (*found).diagonal += offset * scaled;
    (*found).mixed += offset * scaled.yzx;
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

fn begin_of(entry: u32) -> u32 {
    return select(cells[max(entry, 1u) - 1u], 0u, entry == 0u);
}

// The particles of a row of three cells lie one after the other, unless the row wraps around: then the rest comes second.
// Rows are numbered from 0 to 8; there are none from 9 on.
fn row_of(cell: vec3i, row: i32) -> vec4u {
    let width = 1u << params.cell_bits.x;
    let entry = entry_of(vec3i(0, cell.y + row % 3 - 1, cell.z + row / 3 - 1));
    let low = entry | (u32(cell.x - 1) & (width - 1u));
    let high = entry | (u32(cell.x + 1) & (width - 1u));
    var slots = vec4u(begin_of(low), cells[high], 0u, 0u);
    if low > high {
        slots = vec4u(slots.x, cells[entry + width - 1u], begin_of(entry), slots.y);
    }
    return select(vec4u(), slots, row < 9);
}

// Notes a candidate if it is near, and says how many are known then.
fn keep(j: u32, i: u32, center: vec4f, other: vec4f, local: u32, known: u32) -> u32 {
    if j == i || !is_near(center, other) {
        return known;
    }
    if known < AT_HAND {
        near[known * WORKGROUP + local] = j;
    }
    return known + 1u;
}

// Candidates are fetched four at a time, so that none waits for another.
fn look_in(begin: u32, end: u32, i: u32, center: vec4f, local: u32, known: u32) -> u32 {
    var now = known;
    for (var j = begin; j < end; j += 4u) {
        let a = predicted[j];
        let b = predicted[j + 1u];
        let c = predicted[j + 2u];
        let d = predicted[j + 3u];
        now = keep(j, i, center, a, local, now);
        now = keep(select(i, j + 1u, j + 1u < end), i, center, b, local, now);
        now = keep(select(i, j + 2u, j + 2u < end), i, center, c, local, now);
        now = keep(select(i, j + 3u, j + 3u < end), i, center, d, local, now);
    }
    return now;
}

fn count_in(begin: u32, end: u32, i: u32, phase: u32, center: vec4f, found: ptr<function, Found>) {
    for (var j = begin; j < end; j++) {
        let other = predicted[j];
        if j != i && is_near(center, other) && collides(phase, center, j, other) {
            count(i, j, center, other, found);
        }
    }
}

fn write_from(begin: u32, end: u32, i: u32, phase: u32, center: vec4f, room: vec2u, place: ptr<function, vec2u>) {
    for (var j = begin; j < end; j++) {
        let other = predicted[j];
        if j != i && is_near(center, other) && collides(phase, center, j, other) {
            write(i, j, room, place);
        }
    }
}

@compute @workgroup_size(WORKGROUP)
fn main(thread: Thread) {
    let i = group_index(thread) * WORKGROUP + rank(thread);
    let local = rank(thread);
    let exists = i < params.count;
    let center = predicted[select(0u, i, exists)];
    let phase = phase_of(kinds[select(0u, i, exists)]);
    let cell = cell_of(center.xyz);
    var found = Found();
    var known = 0u;
    if exists {
        var slots = row_of(cell, 0);
        for (var row = 0; row < 9; row++) {
            let following = row_of(cell, row + 1);
            known = look_in(slots.x, slots.y, i, center, local, known);
            known = look_in(slots.z, slots.w, i, center, local, known);
            slots = following;
        }
    }
    if known <= AT_HAND {
        var kept = 0u;
        for (var k = 0u; k < known; k++) {
            let j = near[k * WORKGROUP + local];
            let other = predicted[j];
            if collides(phase, center, j, other) {
                count(i, j, center, other, &found);
                near[kept * WORKGROUP + local] = j;
                kept++;
            }
        }
    } else {
        for (var row = 0; row < 9; row++) {
            let slots = row_of(cell, row);
            count_in(slots.x, slots.y, i, phase, center, &found);
            count_in(slots.z, slots.w, i, phase, center, &found);
        }
    }
    let scanned = scan_workgroup(thread, vec4u(found.counts, 0u, 0u));
    if local == 0u {
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
    let total = found.counts.x + found.counts.y;
    ranges[i] = vec4u(place.x, room.x, place.y, room.y);
    starts[i].w = divisor(total, found.diagonal, found.mixed);
    let end = place + room;
    if known <= AT_HAND {
        for (var k = 0u; k < total; k++) {
            write(i, near[k * WORKGROUP + local], end, &place);
        }
        return;
    }
    for (var row = 0; row < 9; row++) {
        let slots = row_of(cell, row);
        write_from(slots.x, slots.y, i, phase, center, end, &place);
        write_from(slots.z, slots.w, i, phase, center, end, &place);
    }
}
