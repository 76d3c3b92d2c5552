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

// Candidates, then neighbours, that are kept at hand; a particle with more looks for them again.
const AT_HAND = 48u;

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
// Rows are numbered from 0 to 8. Of cells that are further away than neighbours are, given the place `within` the cell
// in the middle, none is looked into.
fn row_of(cell: vec3i, within: vec3f, row: i32) -> vec4u {
    let step = vec2i(row % 3 - 1, row / 3 - 1);
    let gap = select(select(vec2f(), within.yz, step < vec2i()), 1.0 - within.yz, step > vec2i());
    let left = 1.0 - dot(gap, gap);
    if left <= 0.0 {
        return vec4u();
    }
    let width = 1u << params.cell_bits.x;
    let entry = entry_of(vec3i(0, cell.yz + step));
    let below = select(0, 1, within.x * within.x < left);
    let above = select(0, 1, (1.0 - within.x) * (1.0 - within.x) < left);
    let low = entry | (u32(cell.x - below) & (width - 1u));
    let high = entry | (u32(cell.x + above) & (width - 1u));
    let slots = vec4u(begin_of(low), cells[high], 0u, 0u);
    if low > high {
        return vec4u(slots.x, cells[entry + width - 1u], begin_of(entry), slots.y);
    }
    return slots;
}

// Lists candidates, as far as there is room, and says how many there are then.
fn list_from(begin: u32, end: u32, local: u32, known: u32) -> u32 {
    for (var j = begin; j < end; j++) {
        let place = known + j - begin;
        if place < AT_HAND {
            near[place * WORKGROUP + local] = j;
        }
    }
    return known + end - begin;
}

// Keeps a candidate at hand if it is near, and says how many are kept then.
fn keep(j: u32, i: u32, center: vec4f, other: vec4f, local: u32, kept: u32) -> u32 {
    if j == i || !is_near(center, other) {
        return kept;
    }
    near[kept * WORKGROUP + local] = j;
    return kept + 1u;
}

// Those of the candidates at hand that are near, fetched four at a time, so that none waits for another.
fn keep_near(i: u32, center: vec4f, local: u32, known: u32) -> u32 {
    var kept = 0u;
    for (var k = 0u; k < known; k += 4u) {
        let last = known - 1u;
        let a = near[k * WORKGROUP + local];
        let b = select(i, near[min(k + 1u, last) * WORKGROUP + local], k + 1u <= last);
        let c = select(i, near[min(k + 2u, last) * WORKGROUP + local], k + 2u <= last);
        let d = select(i, near[min(k + 3u, last) * WORKGROUP + local], k + 3u <= last);
        let at_a = predicted[a];
        let at_b = predicted[b];
        let at_c = predicted[c];
        let at_d = predicted[d];
        kept = keep(a, i, center, at_a, local, kept);
        kept = keep(b, i, center, at_b, local, kept);
        kept = keep(c, i, center, at_c, local, kept);
        kept = keep(d, i, center, at_d, local, kept);
    }
    return kept;
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
    let within = clamp(center.xyz * params.inverse_cell - vec3f(cell), vec3f(), vec3f(1.0));
    var found = Found();
    var known = 0u;
    if exists {
        var slots = row_of(cell, within, 0);
        for (var row = 0; row < 9; row++) {
            let following = row_of(cell, within, min(row + 1, 8));
            let more = slots.y - slots.x + slots.w - slots.z;
            if known <= AT_HAND && known + more > AT_HAND {
                known = keep_near(i, center, local, known);
            }
            known = list_from(slots.x, slots.y, local, known);
            known = list_from(slots.z, slots.w, local, known);
            slots = following;
        }
    }
    if known <= AT_HAND {
        let kept = keep_near(i, center, local, known);
        known = 0u;
        for (var k = 0u; k < kept; k++) {
            let j = near[k * WORKGROUP + local];
            let other = predicted[j];
            if collides(phase, center, j, other) {
                count(i, j, center, other, &found);
                near[known * WORKGROUP + local] = j;
                known++;
            }
        }
    } else {
        for (var row = 0; row < 9; row++) {
            let slots = row_of(cell, within, row);
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
        let slots = row_of(cell, within, row);
        write_from(slots.x, slots.y, i, phase, center, end, &place);
        write_from(slots.z, slots.w, i, phase, center, end, &place);
    }
}
