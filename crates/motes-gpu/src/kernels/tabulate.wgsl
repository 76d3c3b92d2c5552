// Sizes the table of cells by where the bulk of the particles is, within the entries there are: what the CPU engine does.
// By the way the counters of the frame begin anew.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> vectors: array<vec4f>;
// Particles; sides of the table as powers of two; its entries; the cell with which it begins.
@group(0) @binding(2) var<storage, read_write> census: array<u32>;
@group(0) @binding(3) var<storage, read_write> owners: array<u32>;
@group(0) @binding(4) var<storage, read_write> cells: array<u32>;
// Of contacts with colliders.
@group(0) @binding(5) var<storage, read_write> counters: array<u32>;

var<workgroup> samples: array<vec3i, WORKGROUP>;

@compute @workgroup_size(WORKGROUP)
fn main(thread: Thread) {
    for (var k = thread.local; k < arrayLength(&counters); k += WORKGROUP) {
        counters[k] = 0u;
    }
    let count = census[0];
    let stride = max((count + WORKGROUP - 1u) / WORKGROUP, 1u);
    let chosen = thread.local * stride;
    var sample = vec3i(0x7fffffff);
    if chosen < count {
        sample = cell_in_space(vectors[position_at(chosen)].xyz);
    }
    samples[thread.local] = sample;
    workgroupBarrier();
    sort_samples(thread.local);
    if thread.local != 0u {
        return;
    }
    let known = (count + stride - 1u) / stride;
    // Four cells at least on every level, or the three of a row could share an entry.
    let least = 1u + params.levels;
    var bits = vec3u(least);
    var origin = vec3i();
    if known > 0u {
        // A few stray particles do not count.
        let low = samples[known / 100u];
        let extent = vec3u(samples[known - known / 100u - 1u]) - vec3u(low);
        let cells = min(extent, vec3u(0x1000000u)) + vec3u(3u);
        bits = clamp(vec3u(32u) - countLeadingZeros(cells), vec3u(least), vec3u(24u));
        // A cell more, for what lies just below.
        origin = low - vec3i(1);
    }
    // Two to four entries for each particle there is, not for those there is room for: the order of the cells must not depend
    // on how many there once were. Half of them where other levels follow.
    let fewest = select(64u, 2u << (3u * least), params.levels > 1u);
    let most = min(firstLeadingBit(max(4u * count, fewest)), countTrailingZeros(params.entry_room))
        - select(0u, 1u, params.levels > 1u);
    for (var k = 0u; k < 72u; k++) {
        if bits.x + bits.y + bits.z <= most {
            break;
        }
        if bits.x >= max(bits.y, bits.z) {
            bits.x--;
        } else if bits.y >= bits.z {
            bits.y--;
        } else {
            bits.z--;
        }
    }
    census[1] = bits.x;
    census[2] = bits.y;
    census[3] = bits.z;
    census[4] = 1u << (bits.x + bits.y + bits.z);
    census[5] = bitcast<u32>(origin.x);
    census[6] = bitcast<u32>(origin.y);
    census[7] = bitcast<u32>(origin.z);
    owners[2] = 0u;
    owners[3] = 0u;
    cells[blowup_place()] = 0u;
    cells[blowup_place() + 1u] = 0xffffffffu;
}

// Each axis by itself: a bitonic sort.
fn sort_samples(i: u32) {
    for (var run = 2u; run <= WORKGROUP; run *= 2u) {
        for (var reach = run / 2u; reach > 0u; reach /= 2u) {
            let other = i ^ reach;
            let mine = samples[i];
            let theirs = samples[other];
            workgroupBarrier();
            let takes_lower = ((i & run) == 0u) == (i < other);
            samples[i] = select(max(mine, theirs), min(mine, theirs), takes_lower);
            workgroupBarrier();
        }
    }
}
