// Finds the neighbours of each particle where they are of several sizes: on its own level of the table and on those above
// in the cells around it, on those below in as many as it reaches. Otherwise like `find_pairs`, by one thread a particle.

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

var<workgroup> first: vec2u;

struct Seeker {
    i: u32,
    center: vec4f,
    phase: u32,
    radius: f32,
    level: u32,
}

fn is_neighbor(seeker: Seeker, j: u32) -> bool {
    let other = vectors[predicted_at(j)];
    let offset = other.xyz - seeker.center.xyz;
    let distance = (seeker.radius + radius_of(j)) * params.reach;
    return dot(offset, offset) < distance * distance
        && j != seeker.i
        && collides(seeker.i, seeker.phase, seeker.center, j, other);
}

// How many neighbours there are among some slots, in higher and in lower ones; lists them if `listed`.
fn look_among(seeker: Seeker, slots: vec2u, listed: bool, found: ptr<function, Found>) -> vec2u {
    var counts = vec2u();
    for (var j = slots.x; j < slots.y; j++) {
        if !is_neighbor(seeker, j) {
            continue;
        }
        counts += select(vec2u(0u, 1u), vec2u(1u, 0u), j > seeker.i);
        if listed {
            take(seeker.i, seeker.center, j, found);
        }
    }
    return counts;
}

// The same on all levels.
fn look_around(seeker: Seeker, listed: bool, found: ptr<function, Found>) -> vec2u {
    var counts = vec2u();
    let finest = cell_of(listed_place(seeker.i, seeker.center.xyz));
    for (var level = 0u; level < params.levels; level++) {
        // Sizes are mostly few, and levels between them empty.
        if begin_of(first_entry(level)) == cells[first_entry(level + 1u) - 1u] {
            continue;
        }
        // As in motes-core's `cells_aside`.
        var aside = 1;
        if level < seeker.level {
            aside = i32(1u << (seeker.level - level - 1u)) + 1;
        }
        let cell = finest >> vec3u(level);
        let width = 1u << (params.cell_bits.x - level);
        let low = u32(cell.x - aside) & (width - 1u);
        // Past the end of a row it goes on at its beginning.
        let high = low + u32(2 * aside + 1);
        for (var z = -aside; z <= aside; z++) {
            for (var y = -aside; y <= aside; y++) {
                let row = entry_on(level, vec3i(0, cell.y + y, cell.z + z));
                let end = min(high, width);
                counts += look_among(seeker, vec2u(begin_of(row + low), cells[row + end - 1u]), listed, found);
                if high > width {
                    counts += look_among(seeker, vec2u(begin_of(row), cells[row + high - width - 1u]), listed, found);
                }
            }
        }
    }
    return counts;
}

@compute @workgroup_size(WORKGROUP)
fn main(thread: Thread) {
    let local = rank(thread);
    let i = group_index(thread) * WORKGROUP + local;
    let exists = i < params.count;
    let slot = select(0u, i, exists);
    let radius = radius_of(slot);
    let phase = phase_of(kinds[sorted_kind_at(slot)]);
    let seeker = Seeker(i, vectors[predicted_at(slot)], phase, radius, level_of(radius));
    var found = Found(vec3f(), vec3f(), vec2u());
    var counts = vec2u();
    var passed = vec2u();
    // Nobody touches anybody where there is nothing but liquid.
    if exists && SOLIDS == 1u {
        counts = look_around(seeker, false, &found);
        passed = look_for_all_passed(i, phase, seeker.center, vec2u(0u, 1u), false, &found);
        counts += passed;
    }
    let scanned = scan_workgroup(thread, vec4u(counts, 0u, 0u));
    if local == 0u {
        first = vec2u(atomicAdd(&owners[0], scanned.total.x), atomicAdd(&owners[1], scanned.total.y));
    }
    workgroupBarrier();
    let place = first + scanned.before.xy;
    if !exists {
        return;
    }
    found.place = place;
    if SOLIDS == 1u {
        look_around(seeker, true, &found);
        if any(passed > vec2u()) {
            look_for_all_passed(i, phase, seeker.center, vec2u(0u, 1u), true, &found);
        }
    }
    let room = min(place + counts, vec2u(params.pair_capacity)) - min(place, vec2u(params.pair_capacity));
    if any(room < counts) {
        atomicAdd(&owners[2], counts.x - room.x + counts.y - room.y);
    }
    ranges[i] = vec4u(place.x, room.x, place.y, room.y);
    vectors[sorted_at(i)].w = vectors[before_at(i)].w * divisor(counts.x + counts.y, found.diagonal, found.mixed);
}
