// Finds the neighbours of each particle. Those in higher slots make pairs that it owns, those in lower slots own pairs
// with it. It looks twice, once to count and once to write, so no list is ever too long.

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

@compute @workgroup_size(WORKGROUP)
fn main(thread: Thread) {
    let i = group_index(thread) * WORKGROUP + rank(thread);
    let exists = i < params.count;
    let center = predicted[select(0u, i, exists)];
    let cell = cell_of(center.xyz);
    let limit = params.reach * params.reach;
    var counts = vec2u();
    var diagonal = vec3f();
    var mixed = vec3f();
    if exists {
        for (var n = 0; n < 27; n++) {
            let around = cell + vec3i(n % 3, (n / 3) % 3, n / 9) - vec3i(1);
            let slots = cells[entry_of(around)];
            for (var j = slots.x; j < slots.y; j++) {
                let other = predicted[j];
                let offset = other.xyz - center.xyz;
                let squared = dot(offset, offset);
                if squared < limit && collides(i, j, center, other) {
                    counts += select(vec2u(0u, 1u), vec2u(1u, 0u), j > i);
                    let scaled = offset / max(squared, 1e-37);
                    diagonal += offset * scaled;
                    mixed += offset * scaled.yzx;
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
    var place = first + scanned.before.xy;
    let room = min(place + counts, vec2u(params.pair_capacity)) - min(place, vec2u(params.pair_capacity));
    if any(room < counts) {
        atomicAdd(&counters[2], counts.x - room.x + counts.y - room.y);
    }
    ranges[i] = vec4u(place.x, room.x, place.y, room.y);
    starts[i].w = divisor(counts.x + counts.y, diagonal, mixed);
    let end = place + room;
    for (var n = 0; n < 27; n++) {
        let around = cell + vec3i(n % 3, (n / 3) % 3, n / 9) - vec3i(1);
        let slots = cells[entry_of(around)];
        for (var j = slots.x; j < slots.y; j++) {
            let other = predicted[j];
            let offset = other.xyz - center.xyz;
            if dot(offset, offset) < limit && collides(i, j, center, other) {
                if j > i {
                    if place.x < end.x {
                        pairs[place.x] = vec2u(i, j);
                    }
                    place.x++;
                } else {
                    if place.y < end.y {
                        foreign[place.y] = j;
                    }
                    place.y++;
                }
            }
        }
    }
}
