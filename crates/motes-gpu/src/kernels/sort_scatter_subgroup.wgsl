// Last step of a pass, with subgroups: moves every pair to its place.
//
// Each subgroup counts the digits of its own part of the block, in order. With the counts summed over subgroups, the
// block is sorted in workgroup memory first, so that what goes to neighbouring places is written together.

// First a histogram for each subgroup, then the sorted block.
var<workgroup> scratch: array<atomic<u32>, max(SUBGROUPS * RADIX, BLOCK)>;

@compute @workgroup_size(WORKGROUP)
fn main(thread: Thread) {
    for (var i = thread.local; i < SUBGROUPS * RADIX; i += WORKGROUP) {
        atomicStore(&scratch[i], 0u);
    }
    let block = group_index(thread);
    let own_counts = thread.subgroup * RADIX;
    let first = block * BLOCK + thread.subgroup * thread.size * ITEMS + thread.lane;
    // Loads come first and together: each waits long, and none waits for another.
    var keys: array<u32, ITEMS>;
    var values: array<u32, ITEMS>;
    var places: array<u32, ITEMS>;
    for (var item = 0u; item < ITEMS; item++) {
        let place = first + item * thread.size;
        keys[item] = keys_in[place];
        values[item] = value_at(place);
    }
    var digits: array<DigitCount, DIGITS_PER_THREAD>;
    for (var i = 0u; i < DIGITS_PER_THREAD; i++) {
        digits[i] = count_of(rank(thread) * DIGITS_PER_THREAD + i, block);
    }
    workgroupBarrier();
    for (var item = 0u; item < ITEMS; item++) {
        let exists = first + item * thread.size < params.count;
        let digit = digit_of(keys[item]);
        let peers = peers_of(digit, exists);
        let below = count_lanes(peers & lanes_below(thread.lane));
        var earlier = 0u;
        if exists && below == 0u {
            earlier = atomicAdd(&scratch[own_counts + digit], count_lanes(peers));
        }
        places[item] = subgroupShuffle(earlier, first_lane(peers)) + below;
    }
    workgroupBarrier();
    sum_counts(thread, digits);
    workgroupBarrier();
    for (var item = 0u; item < ITEMS; item++) {
        places[item] += atomicLoad(&scratch[own_counts + digit_of(keys[item])]);
    }
    workgroupBarrier();
    for (var item = 0u; item < ITEMS; item++) {
        if first + item * thread.size < params.count {
            atomicStore(&scratch[places[item]], keys[item]);
        }
    }
    workgroupBarrier();
    let length = min(BLOCK, params.count - min(block * BLOCK, params.count));
    var goals: array<u32, ITEMS>;
    for (var item = 0u; item < ITEMS; item++) {
        let place = item * WORKGROUP + thread.local;
        if place < length {
            let key = atomicLoad(&scratch[place]);
            goals[item] = starts[digit_of(key)] + place;
            keys_out[goals[item]] = key;
        }
    }
    workgroupBarrier();
    for (var item = 0u; item < ITEMS; item++) {
        if first + item * thread.size < params.count {
            atomicStore(&scratch[places[item]], values[item]);
        }
    }
    workgroupBarrier();
    for (var item = 0u; item < ITEMS; item++) {
        let place = item * WORKGROUP + thread.local;
        if place < length {
            values_out[goals[item]] = atomicLoad(&scratch[place]);
        }
    }
}

// Turns the counts of subgroups into places in the sorted block, and finds `starts`: what to add to such a place to get
// that in the output.
fn sum_counts(thread: Thread, given: array<DigitCount, DIGITS_PER_THREAD>) {
    let first = rank(thread) * DIGITS_PER_THREAD;
    var digits = given;
    var sums = vec4u();
    for (var i = 0u; i < DIGITS_PER_THREAD; i++) {
        var here = 0u;
        for (var at = first + i; at < SUBGROUPS * RADIX; at += RADIX) {
            here += atomicLoad(&scratch[at]);
        }
        if params.blocks == 1u {
            digits[i] = DigitCount(0u, here);
        }
        sums += vec4u(digits[i].total, here, 0u, 0u);
    }
    sums = scan_workgroup(thread, sums).before;
    for (var i = 0u; i < DIGITS_PER_THREAD; i++) {
        starts[first + i] = sums.x + digits[i].before - sums.y;
        sums.x += digits[i].total;
        for (var at = first + i; at < SUBGROUPS * RADIX; at += RADIX) {
            let here = atomicLoad(&scratch[at]);
            atomicStore(&scratch[at], sums.y);
            sums.y += here;
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
