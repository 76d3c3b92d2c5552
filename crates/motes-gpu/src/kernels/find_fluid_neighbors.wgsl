// Lists what is within the smoothing radius of each particle: all of it for fluids, the fluids among it for solids. The rows
// of cells are looked through once, with a bit for each candidate; room is taken for a workgroup at once, then the list is
// written. Rows too long for their bits are looked through again, and only they.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<uniform> fluid: FluidParams;
@group(0) @binding(2) var<storage, read> vectors: array<vec4f>;
@group(0) @binding(3) var<storage, read> kinds: array<vec4u>;
@group(0) @binding(4) var<storage, read> cells: array<u32>;
// Where the particle's neighbours begin, `SLICE` apart, how many there are, and whether it is liquid.
@group(0) @binding(5) var<storage, read_write> ranges: array<vec2u>;
@group(0) @binding(6) var<storage, read_write> list: array<u32>;
// How many found no room in the frame, a number left alone, and the room taken in each sub-step.
@group(0) @binding(7) var<storage, read_write> counters: array<atomic<u32>>;

// Candidates of a row that have a bit, and rows that have bits.
const FLUID_ROW_BITS = 16u;
const BIT_ROWS = 26u;
const SLICES = WORKGROUP / SLICE;

var<workgroup> widths: array<atomic<u32>, SLICES>;
var<workgroup> first: u32;

fn is_neighbor(i: u32, phase: u32, center: vec3f, j: u32) -> bool {
    let offset = vectors[predicted_at(j)].xyz - center;
    let distance = smoothing_distance(i, j);
    if dot(offset, offset) >= distance * distance || j == i {
        return false;
    }
    return (phase & FLUID) != 0u || is_summed(phase, phase_of(kinds[sorted_kind_at(j)]));
}

fn has_bits(number: u32, slots: vec4u) -> bool {
    return number < BIT_ROWS && slots.y - slots.x <= FLUID_ROW_BITS && slots.w == 0u;
}

@compute @workgroup_size(WORKGROUP)
fn main(thread: Thread) {
    let i = thread_index(thread);
    let exists = i < params.count;
    let own = select(0u, i, exists);
    let center = vectors[predicted_at(own)].xyz;
    let phase = phase_of(kinds[sorted_kind_at(own)]);
    let cell = cell_of(center);
    var level = 0u;
    if SIZES == 1u {
        level = level_of(radius_of(own));
    }
    let levels = select(0u, params.levels, exists);
    var bits: array<u32, BIT_ROWS / 2u>;
    var count = 0u;
    var number = 0u;
    for (var other = 0u; other < levels; other++) {
        let aside = cells_within(fluid.cells, i32(level) - i32(other));
        let window = window_of(other, aside);
        for (var row = 0u; row < window.y * window.z; row++) {
            let slots = row_around(other, cell >> vec3u(other), aside, row);
            if has_bits(number, slots) {
                var word = 0u;
                for (var j = slots.x; j < slots.y; j++) {
                    word |= select(0u, 1u << (j - slots.x), is_neighbor(i, phase, center, j));
                }
                bits[number / 2u] |= word << (FLUID_ROW_BITS * (number % 2u));
                count += countOneBits(word);
            } else {
                for (var j = slots.x; j < slots.y; j++) {
                    count += select(0u, 1u, is_neighbor(i, phase, center, j));
                }
                for (var j = slots.z; j < slots.w; j++) {
                    count += select(0u, 1u, is_neighbor(i, phase, center, j));
                }
            }
            number++;
        }
    }
    let slice = thread.local / SLICE;
    if thread.local < SLICES {
        atomicStore(&widths[thread.local], 0u);
    }
    workgroupBarrier();
    atomicMax(&widths[slice], count);
    workgroupBarrier();
    if thread.local == 0u {
        var total = 0u;
        for (var k = 0u; k < SLICES; k++) {
            total += SLICE * atomicLoad(&widths[k]);
        }
        first = atomicAdd(&counters[fluid.counter], total);
    }
    workgroupBarrier();
    var begin = first + thread.local % SLICE;
    for (var k = 0u; k < slice; k++) {
        begin += SLICE * atomicLoad(&widths[k]);
    }
    let room = (fluid.capacity - min(begin, fluid.capacity) + SLICE - 1u) / SLICE;
    let kept = min(count, room);
    if kept < count {
        atomicAdd(&counters[0], count - kept);
    }
    if exists {
        ranges[i] = vec2u(begin, kept | select(0u, IS_LIQUID, (phase & FLUID) != 0u));
    }
    let end = begin + SLICE * kept;
    var place = begin;
    number = 0u;
    for (var other = 0u; other < levels; other++) {
        let aside = cells_within(fluid.cells, i32(level) - i32(other));
        let window = window_of(other, aside);
        for (var row = 0u; row < window.y * window.z; row++) {
            let slots = row_around(other, cell >> vec3u(other), aside, row);
            if has_bits(number, slots) {
                let word = extractBits(bits[number / 2u], FLUID_ROW_BITS * (number % 2u), FLUID_ROW_BITS);
                for (var left = word; left != 0u && place < end; left &= left - 1u) {
                    list[place] = slots.x + countTrailingZeros(left);
                    place += SLICE;
                }
            } else {
                for (var k = slots.x; k < slots.y + slots.w - slots.z; k++) {
                    let j = select(slots.z + k - slots.y, k, k < slots.y);
                    if place < end && is_neighbor(i, phase, center, j) {
                        list[place] = j;
                        place += SLICE;
                    }
                }
            }
            number++;
        }
    }
}
