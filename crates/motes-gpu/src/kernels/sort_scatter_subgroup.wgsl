// Last step of a pass, with subgroups: moves every pair to its place.
//
// Each subgroup counts the digits of its own part of the block, in order; then the counts are summed over subgroups.

var<workgroup> counts: array<atomic<u32>, SUBGROUPS * RADIX>;

@compute @workgroup_size(WORKGROUP)
fn main(thread: Thread) {
    for (var i = thread.local; i < SUBGROUPS * RADIX; i += WORKGROUP) {
        atomicStore(&counts[i], 0u);
    }
    let block = group_index(thread);
    find_starts(thread, block);

    let own_counts = thread.subgroup * RADIX;
    let first = block * BLOCK + thread.subgroup * thread.size * ITEMS + thread.lane;
    // Loads come first and together: each waits long, and none waits for another.
    var keys: array<u32, ITEMS>;
    var values: array<u32, ITEMS>;
    var before: array<u32, ITEMS>;
    for (var item = 0u; item < ITEMS; item++) {
        let place = first + item * thread.size;
        keys[item] = keys_in[place];
        values[item] = value_at(place);
    }
    for (var item = 0u; item < ITEMS; item++) {
        let exists = first + item * thread.size < params.count;
        let digit = digit_of(keys[item]);
        let peers = peers_of(digit, exists);
        let below = count_lanes(peers & lanes_below(thread.lane));
        var earlier = 0u;
        if exists && below == 0u {
            earlier = atomicAdd(&counts[own_counts + digit], count_lanes(peers));
        }
        before[item] = subgroupShuffle(earlier, first_lane(peers)) + below;
    }
    workgroupBarrier();
    for (var digit = thread.local; digit < RADIX; digit += WORKGROUP) {
        var start = starts[digit];
        for (var i = digit; i < SUBGROUPS * RADIX; i += RADIX) {
            let count = atomicLoad(&counts[i]);
            atomicStore(&counts[i], start);
            start += count;
        }
    }
    workgroupBarrier();
    for (var item = 0u; item < ITEMS; item++) {
        if first + item * thread.size < params.count {
            let goal = atomicLoad(&counts[own_counts + digit_of(keys[item])]) + before[item];
            keys_out[goal] = keys[item];
            values_out[goal] = values[item];
        }
    }
}

// Lanes that exist and have the same digit.
fn peers_of(digit: u32, exists: bool) -> vec4u {
    let low = like(digit, 0u) & like(digit, 1u) & like(digit, 2u) & like(digit, 3u);
    let high = like(digit, 4u) & like(digit, 5u) & like(digit, 6u) & like(digit, 7u);
    return subgroupBallot(exists) & low & high;
}

// Lanes that have the same bit.
fn like(digit: u32, bit: u32) -> vec4u {
    let raised = extractBits(digit, bit, 1u) == 1u;
    let votes = subgroupBallot(raised);
    return select(~votes, votes, raised);
}

fn count_lanes(lanes: vec4u) -> u32 {
    let counts = countOneBits(lanes);
    return counts.x + counts.y + counts.z + counts.w;
}

fn lanes_below(lane: u32) -> vec4u {
    let bits = (1u << (lane % 32u)) - 1u;
    let word = vec4u(lane / 32u);
    let words = vec4u(0u, 1u, 2u, 3u);
    return select(select(vec4u(), vec4u(bits), words == word), vec4u(0xffffffffu), words < word);
}

fn first_lane(lanes: vec4u) -> u32 {
    let bits = countTrailingZeros(lanes);
    if lanes.x != 0u {
        return bits.x;
    }
    if lanes.y != 0u {
        return 32u + bits.y;
    }
    if lanes.z != 0u {
        return 64u + bits.z;
    }
    return select(0u, 96u + bits.w, lanes.w != 0u);
}
