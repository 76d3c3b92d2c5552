// Broad phase: finds the neighbours of each particle. Those in higher slots make pairs that it owns, those in lower slots own pairs
// with it. They are counted, room is taken for all of a workgroup at once, then they are written. SHARE threads, a
// power of two up to eight, share the rows of cells around a particle: where particles are few, more threads wait less.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> vectors: array<vec4f>;
@group(0) @binding(2) var<storage, read> kinds: array<vec4u>;
@group(0) @binding(3) var<storage, read> cells: array<u32>;
// First and number of the particle's own pairs, then of the others'.
@group(0) @binding(4) var<storage, read_write> ranges: array<vec4u>;
@group(0) @binding(5) var<storage, read_write> members: array<u32>;
@group(0) @binding(6) var<storage, read_write> foreign: array<u32>;
// Own pairs, pairs of others, how many of either found no room, and a number left alone; then the owner of each pair.
@group(0) @binding(7) var<storage, read_write> owners: array<atomic<u32>>;

// Bits for the candidates of a row.
const BITS = select(ROW_BITS, 32u, SHARE >= 4u);

var<workgroup> first: vec2u;
// What passes between the threads of a particle, a column per number.
var<workgroup> notes: array<f32, 6u * WORKGROUP>;
var<workgroup> noted_counts: array<vec2u, WORKGROUP>;

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

// A bit for each near particle of a few consecutive slots.
fn look_in(begin: u32, end: u32, center: vec4f) -> u32 {
    var word = 0u;
    for (var j = begin; j < end; j++) {
        let offset = vectors[predicted_at(j)].xyz - center.xyz;
        word |= select(0u, 1u << (j - begin), dot(offset, offset) < params.reach * params.reach);
    }
    return word;
}

// Those bits whose particles collide with particle `i`, of a phase.
fn touching(i: u32, near: u32, begin: u32, phase: u32, center: vec4f) -> u32 {
    var word = without_rest_overlaps(i, near, begin);
    for (var left = word; left != 0u; left &= left - 1u) {
        let place = countTrailingZeros(left);
        if !would_collide(i, phase, center, begin + place, vectors[predicted_at(begin + place)]) {
            word &= ~(1u << place);
        }
    }
    return word;
}

// A bit for each neighbour among up to 32 consecutive slots.
fn neighbors_in(i: u32, phase: u32, begin: u32, end: u32, center: vec4f, all_touch: bool) -> u32 {
    var word = look_in(begin, min(end, begin + 32u), center);
    if i >= begin && i - begin < 32u {
        word &= ~(1u << (i - begin));
    }
    if !all_touch {
        word = touching(i, word, begin, phase, center);
    }
    return word;
}

// Where the candidates of a row of this thread have their bits.
fn word_of_row(row: u32) -> u32 {
    return select(row / 3u, row, SHARE >= 4u);
}

fn shift_of(row: u32) -> u32 {
    return select(ROW_BITS * (row % 3u), 0u, SHARE >= 4u);
}

// How many of them are in higher and in lower slots.
fn counted(i: u32, begin: u32, word: u32) -> vec2u {
    var higher = word;
    if begin <= i {
        higher = select(word & (~0u << min(i - begin, 31u)), 0u, i - begin >= 32u);
    }
    let above = countOneBits(higher);
    return vec2u(above, countOneBits(word) - above);
}

@compute @workgroup_size(WORKGROUP)
fn main(thread: Thread) {
    let local = rank(thread);
    let part = local % SHARE;
    let i = group_index(thread) * (WORKGROUP / SHARE) + local / SHARE;
    let exists = i < params.count;
    let center = vectors[predicted_at(select(0u, i, exists))];
    let phase = phase_of(kinds[sorted_kind_at(select(0u, i, exists))]);
    let cell = cell_of(listed_place(select(0u, i, exists), center.xyz));
    let first_row = part * (9u / SHARE);
    // Nobody touches anybody where there is nothing but liquid.
    let rows = select(0u, select(9u / SHARE, 9u - first_row, part == SHARE - 1u), exists && SOLIDS == 1u);
    // Which candidates are neighbours, a word for three rows, or for each where there are no more; and how many in higher and in lower slots.
    var bits = vec3u();
    var counts = vec2u();
    // Almost all particles touch all near ones, and have few candidates, in rows that do not wrap around.
    let all_touch = INSCRIBED == 0u
        && center.w > 0.0
        && (phase & (SELF_COLLIDE | FLUID)) == SELF_COLLIDE
        && !ignores_rest_overlaps(phase);
    var plain = true;
    for (var row = 0u; row < rows && plain; row++) {
        let slots = row_of(cell, first_row + row);
        plain = slots.y - slots.x <= BITS && slots.w == 0u;
        var word = look_in(slots.x, select(slots.x, slots.y, plain), center);
        if i - slots.x < 32u {
            word &= ~(1u << (i - slots.x));
        }
        if !all_touch {
            word = touching(i, word, slots.x, phase, center);
        }
        counts += counted(i, slots.x, word);
        let shifted = word << shift_of(row);
        bits |= select(vec3u(), vec3u(shifted), vec3u(word_of_row(row)) == vec3u(0u, 1u, 2u));
    }
    if !plain {
        counts = vec2u();
        for (var row = 0u; row < rows; row++) {
            let slots = row_of(cell, first_row + row);
            for (var begin = slots.x; begin < slots.y; begin += 32u) {
                counts += counted(i, begin, neighbors_in(i, phase, begin, slots.y, center, all_touch));
            }
            for (var begin = slots.z; begin < slots.w; begin += 32u) {
                counts += counted(i, begin, neighbors_in(i, phase, begin, slots.w, center, all_touch));
            }
        }
    }
    var found = Found(vec3f(), vec3f(), vec2u());
    let all_rows = vec2u(part, SHARE);
    var passed = vec2u();
    if rows > 0u {
        passed = look_for_all_passed(i, phase, center, all_rows, false, &found);
        counts += passed;
    }
    let scanned = scan_workgroup(thread, vec4u(counts, 0u, 0u));
    if local == 0u {
        first = vec2u(atomicAdd(&owners[0], scanned.total.x), atomicAdd(&owners[1], scanned.total.y));
    }
    workgroupBarrier();
    found.place = first + scanned.before.xy;
    for (var row = 0u; row < rows; row++) {
        let slots = row_of(cell, first_row + row);
        if plain {
            let word = extractBits(bits[word_of_row(row)], shift_of(row), BITS);
            for (var left = word; left != 0u; left &= left - 1u) {
                take(i, center, slots.x + countTrailingZeros(left), &found);
            }
            continue;
        }
        for (var begin = slots.x; begin < slots.y; begin += 32u) {
            for (var left = neighbors_in(i, phase, begin, slots.y, center, all_touch); left != 0u; left &= left - 1u) {
                take(i, center, begin + countTrailingZeros(left), &found);
            }
        }
        for (var begin = slots.z; begin < slots.w; begin += 32u) {
            for (var left = neighbors_in(i, phase, begin, slots.w, center, all_touch); left != 0u; left &= left - 1u) {
                take(i, center, begin + countTrailingZeros(left), &found);
            }
        }
    }
    if any(passed > vec2u()) {
        look_for_all_passed(i, phase, center, all_rows, true, &found);
    }
    let place = first + scanned.before.xy;
    let whole = sum_shares(local, part, counts, found);
    if exists && part == 0u {
        let room = min(place + whole.place, vec2u(params.pair_capacity)) - min(place, vec2u(params.pair_capacity));
        if any(room < whole.place) {
            atomicAdd(&owners[2], whole.place.x - room.x + whole.place.y - room.y);
        }
        ranges[i] = vec4u(place.x, room.x, place.y, room.y);
        vectors[sorted_at(i)].w = vectors[before_at(i)].w * divisor(whole.place.x + whole.place.y, whole.diagonal, whole.mixed);
    }
}

// Adds up what the threads of a particle have found and counted; the first of them gets it, the counts as places.
fn sum_shares(local: u32, part: u32, counts: vec2u, found: Found) -> Found {
    var sum = Found(found.diagonal, found.mixed, counts);
    if SHARE == 1u {
        return sum;
    }
    for (var axis = 0u; axis < 3u; axis++) {
        notes[local + axis * WORKGROUP] = found.diagonal[axis];
        notes[local + (axis + 3u) * WORKGROUP] = found.mixed[axis];
    }
    noted_counts[local] = counts;
    workgroupBarrier();
    if part == 0u {
        for (var k = local + 1u; k < local + SHARE; k++) {
            sum.diagonal += vec3f(notes[k], notes[k + WORKGROUP], notes[k + 2u * WORKGROUP]);
            sum.mixed += vec3f(notes[k + 3u * WORKGROUP], notes[k + 4u * WORKGROUP], notes[k + 5u * WORKGROUP]);
            sum.place += noted_counts[k];
        }
    }
    return sum;
}
