// Lists what is within the smoothing radius of each particle: all of it for fluids, the fluids among it for solids. Every particle has
// room for `width` fours of neighbours, enough for almost all; those with more take room behind, for their slice at once, and look through the cells again.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<uniform> fluid: FluidParams;
@group(0) @binding(2) var<storage, read> vectors: array<vec4f>;
@group(0) @binding(3) var<storage, read> kinds: array<vec4u>;
@group(0) @binding(4) var<storage, read> cells: array<u32>;
// Where the particle's neighbours begin, `SLICE` apart, how many there are, and whether it is liquid.
@group(0) @binding(5) var<storage, read_write> ranges: array<vec2u>;
@group(0) @binding(6) var<storage, read_write> list: array<vec4u>;
// How many found no room in the frame, a number left alone, and the room taken behind in each sub-step.
@group(0) @binding(7) var<storage, read_write> counters: array<atomic<u32>>;

const SLICES = WORKGROUP / SLICE;

var<workgroup> widths: array<atomic<u32>, SLICES>;
var<workgroup> first: u32;

// A particle that looks for its neighbours, and those it has found.
struct Search {
    i: u32,
    phase: u32,
    center: vec3f,
    count: u32,
    // Those that are not listed yet, the last of them last: they are written four at a time.
    four: vec4u,
    // Where the next four are listed, and where there is no more room.
    place: u32,
    end: u32,
}

// Looks at some consecutive slots: 32 at a time are compared before the near ones among them are listed, so that none waits for another.
fn look_in(search: ptr<function, Search>, begin: u32, end: u32) {
    for (var from_slot = begin; from_slot < end; from_slot += 32u) {
        var near = 0u;
        for (var j = from_slot; j < min(end, from_slot + 32u); j++) {
            let offset = vectors[predicted_at(j)].xyz - (*search).center;
            let distance = smoothing_distance((*search).i, j);
            near |= select(0u, 1u << (j - from_slot), dot(offset, offset) < distance * distance && j != (*search).i);
        }
        for (; near != 0u; near &= near - 1u) {
            list_one(search, from_slot + countTrailingZeros(near));
        }
    }
}

fn list_one(search: ptr<function, Search>, j: u32) {
    if ((*search).phase & FLUID) == 0u && !is_summed((*search).phase, phase_of(kinds[sorted_kind_at(j)])) {
        return;
    }
    (*search).count++;
    (*search).four = vec4u((*search).four.yzw, j);
    if (*search).count % 4u == 0u {
        write_four(search);
    }
}

fn write_four(search: ptr<function, Search>) {
    if (*search).place < (*search).end {
        list[(*search).place] = (*search).four;
        (*search).place += SLICE;
    }
}

// Writes those that are left.
fn end_list(search: ptr<function, Search>) {
    let more = (*search).count % 4u;
    if more != 0u {
        for (var k = more; k < 4u; k++) {
            (*search).four = vec4u((*search).four.yzw, (*search).i);
        }
        write_four(search);
    }
}

// Looks through the rows of cells around.
fn look_around(search: ptr<function, Search>) {
    if SIZES == 1u {
        look_on_levels(search);
        return;
    }
    let aside = i32(ceil(fluid.cells));
    let bits = params.cell_bits;
    let masks = (vec3u(1u) << bits) - vec3u(1u);
    let cell = cell_of((*search).center);
    // Where it is within its cell, and how far that may be wrong, a long way out.
    let whole = vec3f(cell + params.origin);
    let within = clamp((*search).center * params.inverse_cell - whole, vec3f(), vec3f(1.0));
    let reach = fluid.cells + 1e-3 + 1e-6 * max(max(abs(whole.x), abs(whole.y)), abs(whole.z));
    // A table so small that rows come twice is looked through as a whole.
    let window = window_of(0u, u32(aside));
    let trims = all(window == vec3u(2u * u32(aside) + 1u));
    for (var z = 0; z < i32(window.z); z++) {
        let layer = ((u32(cell.z - aside + z) & masks.z) << (bits.x + bits.y));
        let above = cells_between(z - aside, within.z);
        for (var y = 0; y < i32(window.y); y++) {
            let beside = cells_between(y - aside, within.y);
            let left = reach * reach - above * above - beside * beside;
            if trims && left <= 0.0 {
                continue;
            }
            var first = -aside;
            var count = window.x;
            if trims {
                let half = sqrt(left);
                first = max(i32(floor(within.x - half)), -aside);
                count = u32(min(i32(floor(within.x + half)), aside) - first) + 1u;
            }
            let entry = layer | ((u32(cell.y - aside + y) & masks.y) << bits.x);
            let low = u32(cell.x + first) & masks.x;
            // A row that wraps around has its rest at the beginning.
            let high = min(low + count, masks.x + 1u);
            let rest = low + count - high;
            look_in(search, begin_of(entry + low), cells[entry + high - 1u]);
            if rest > 0u {
                look_in(search, begin_of(entry), cells[entry + rest - 1u]);
            }
        }
    }
}

// How far a place within a cell is from one so many further along an axis, in cells.
fn cells_between(further: i32, within: f32) -> f32 {
    return max(f32(further) - within, max(within - f32(further + 1), 0.0));
}

fn look_on_levels(search: ptr<function, Search>) {
    let cell = cell_of((*search).center);
    let level = level_of(radius_of((*search).i));
    for (var other = 0u; other < params.levels; other++) {
        let aside = cells_within(fluid.cells, i32(level) - i32(other));
        let window = window_of(other, aside);
        for (var row = 0u; row < window.y * window.z; row++) {
            let slots = row_around(other, cell >> vec3u(other), aside, row);
            look_in(search, slots.x, slots.y);
            look_in(search, slots.z, slots.w);
        }
    }
}

@compute @workgroup_size(WORKGROUP)
fn main(thread: Thread) {
    let i = thread_index(thread);
    let exists = i < params.count;
    let slice = thread.local / SLICE;
    let lane = thread.local % SLICE;
    var search: Search;
    search.i = select(0u, i, exists);
    search.phase = phase_of(kinds[sorted_kind_at(search.i)]);
    search.center = vectors[predicted_at(search.i)].xyz;
    var begin = (i / SLICE) * SLICE * fluid.width + lane;
    var room = fluid.width;
    search.place = begin;
    search.end = begin + SLICE * room;
    if exists {
        look_around(&search);
        end_list(&search);
    }
    if thread.local < SLICES {
        atomicStore(&widths[thread.local], 0u);
    }
    workgroupBarrier();
    let count = search.count;
    let overflows = count > 4u * room;
    if overflows {
        atomicMax(&widths[slice], (count + 3u) / 4u);
    }
    workgroupBarrier();
    if thread.local == 0u {
        var total = 0u;
        for (var k = 0u; k < SLICES; k++) {
            total += SLICE * atomicLoad(&widths[k]);
        }
        first = 0u;
        if total > 0u {
            first = fluid.behind + atomicAdd(&counters[fluid.counter], total);
        }
    }
    workgroupBarrier();
    if overflows {
        begin = first + lane;
        for (var k = 0u; k < slice; k++) {
            begin += SLICE * atomicLoad(&widths[k]);
        }
        room = (fluid.capacity - min(begin, fluid.capacity) + SLICE - 1u) / SLICE;
        search.count = 0u;
        search.place = begin;
        search.end = begin + SLICE * min((count + 3u) / 4u, room);
        look_around(&search);
        end_list(&search);
        if 4u * room < count {
            atomicAdd(&counters[0], count - 4u * room);
        }
    }
    if exists {
        ranges[i] = vec2u(begin, min(count, 4u * room) | select(0u, IS_LIQUID, (search.phase & FLUID) != 0u));
    }
}
