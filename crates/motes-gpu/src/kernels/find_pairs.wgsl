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

// Candidates of a row that have a bit; a particle with more in some row looks for its neighbours again.
const ROW_BITS = 10u;

var<workgroup> first: vec2u;

// What is known of a particle's neighbours so far: the sum of n nᵀ over their directions, and where they are listed.
struct Found {
    diagonal: vec3f,
    mixed: vec3f,
    place: vec2u,
    end: vec2u,
}

fn collides(phase: u32, center: vec4f, j: u32, other: vec4f) -> bool {
    let groups = (phase & 0x100000u) != 0u || ((phase ^ phase_of(kinds[j])) & 0xfffffu) != 0u;
    return groups && (center.w > 0.0 || other.w > 0.0);
}

fn is_neighbor(i: u32, phase: u32, center: vec4f, j: u32) -> bool {
    let other = predicted[j];
    let offset = other.xyz - center.xyz;
    return dot(offset, offset) < params.reach * params.reach && j != i && collides(phase, center, j, other);
}

// Adds a neighbour to the sums and to its list.
fn take(i: u32, center: vec4f, j: u32, found: ptr<function, Found>) {
    let offset = predicted[j].xyz - center.xyz;
    let scaled = offset / max(dot(offset, offset), 1e-37);
    (*found).diagonal += offset * scaled;
    (*found).mixed += offset * scaled.yzx;
    if j > i {
        if (*found).place.x < (*found).end.x {
            pairs[(*found).place.x] = vec2u(i, j);
        }
        (*found).place.x++;
    } else {
        if (*found).place.y < (*found).end.y {
            foreign[(*found).place.y] = j;
        }
        (*found).place.y++;
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
// Rows are numbered from 0 to 8.
fn row_of(cell: vec3i, row: u32) -> vec4u {
    let width = 1u << params.cell_bits.x;
    let entry = entry_of(vec3i(0, cell.y + i32(row % 3u) - 1, cell.z + i32(row / 3u) - 1));
    let low = entry | (u32(cell.x - 1) & (width - 1u));
    let high = entry | (u32(cell.x + 1) & (width - 1u));
    let slots = vec4u(begin_of(low), cells[high], 0u, 0u);
    if low > high {
        return vec4u(slots.x, cells[entry + width - 1u], begin_of(entry), slots.y);
    }
    return slots;
}

fn length_of(slots: vec4u) -> u32 {
    return slots.y - slots.x + slots.w - slots.z;
}

fn slot_in(slots: vec4u, k: u32) -> u32 {
    let length = slots.y - slots.x;
    return select(slots.z + k - length, slots.x + k, k < length);
}

@compute @workgroup_size(WORKGROUP)
fn main(thread: Thread) {
    let i = group_index(thread) * WORKGROUP + rank(thread);
    let exists = i < params.count;
    let center = predicted[select(0u, i, exists)];
    let phase = phase_of(kinds[select(0u, i, exists)]);
    let cell = cell_of(center.xyz);
    // Which candidates are neighbours, a word for three rows; and how many in higher and in lower slots.
    var layers = vec3u();
    var counts = vec2u();
    var fits = true;
    if exists {
        for (var row = 0u; row < 9u; row++) {
            let slots = row_of(cell, row);
            for (var k = 0u; k < length_of(slots); k++) {
                let j = slot_in(slots, k);
                if is_neighbor(i, phase, center, j) {
                    counts += select(vec2u(0u, 1u), vec2u(1u, 0u), j > i);
                    let bit = 1u << (ROW_BITS * (row % 3u) + min(k, ROW_BITS - 1u));
                    layers |= select(vec3u(), vec3u(bit), vec3u(row / 3u) == vec3u(0u, 1u, 2u));
                    fits &= k < ROW_BITS;
                }
            }
        }
    }
    let scanned = scan_workgroup(thread, vec4u(counts, 0u, 0u));
    if rank(thread) == 0u {
        first = vec2u(atomicAdd(&counters[0], scanned.total.x), atomicAdd(&counters[1], scanned.total.y));
    }
    workgroupBarrier();
    if !exists {
        return;
    }
    let place = first + scanned.before.xy;
    let room = min(place + counts, vec2u(params.pair_capacity)) - min(place, vec2u(params.pair_capacity));
    if any(room < counts) {
        atomicAdd(&counters[2], counts.x - room.x + counts.y - room.y);
    }
    ranges[i] = vec4u(place.x, room.x, place.y, room.y);
    var found = Found(vec3f(), vec3f(), place, place + room);
    if fits {
        for (var layer = 0u; layer < 3u; layer++) {
            for (var bits = layers[layer]; bits != 0u; bits &= bits - 1u) {
                let bit = countTrailingZeros(bits);
                let slots = row_of(cell, 3u * layer + bit / ROW_BITS);
                take(i, center, slot_in(slots, bit % ROW_BITS), &found);
            }
        }
    } else {
        for (var row = 0u; row < 9u; row++) {
            let slots = row_of(cell, row);
            for (var k = 0u; k < length_of(slots); k++) {
                let j = slot_in(slots, k);
                if is_neighbor(i, phase, center, j) {
                    take(i, center, j, &found);
                }
            }
        }
    }
    starts[i].w = divisor(counts.x + counts.y, found.diagonal, found.mixed);
}
