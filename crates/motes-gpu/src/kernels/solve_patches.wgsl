// One averaged Jacobi iteration over the curvatures and distances of sheets, a workgroup for each patch: `solve_bends`,
// `move_bends`, `solve_rows` and `move_rows` in one.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<uniform> iteration: Iteration;
@group(0) @binding(2) var<storage, read_write> vectors: array<vec4f>;
@group(0) @binding(3) var<storage, read> patches: array<Patch>;
@group(0) @binding(4) var<storage, read> slots: array<u32>;
@group(0) @binding(5) var<storage, read> lists: array<u32>;
@group(0) @binding(6) var<storage, read> row_work: array<vec4u>;
@group(0) @binding(7) var<storage, read_write> row_states: array<vec2f>;
@group(0) @binding(8) var<storage, read> bend_work: array<PatchBend>;
@group(0) @binding(9) var<storage, read_write> bend_states: array<vec4f>;

var<workgroup> places: array<vec4f, LOCALS>;
// What each curvature did, three numbers; then what each distance did, over its length.
var<workgroup> notes: array<f32, ROW_NOTES>;

fn solve_bend(b: u32, note: u32) {
    let work = bend_work[b];
    var state = bend_states[b];
    if FIRST == 1u {
        state = vec4f(0.0, 0.0, 0.0, state.w);
    }
    var change = vec3f();
    if state.w != 0.0 {
        let first = halves_of(work.locals.x);
        let second = halves_of(work.locals.y);
        let bend = Bend(vec4u(), work.weights, work.rest, work.compliance, state.w, 0.0);
        change = bend_change(
            bend, places[first.x].xyz, places[first.y].xyz, places[second.x].xyz, places[second.y].xyz, state.xyz,
        );
        bend_states[b] = vec4f(state.xyz + change, state.w);
    }
    notes[note] = change.x;
    notes[note + 1u] = change.y;
    notes[note + 2u] = change.z;
}

fn bent_by(entry: u32, weight: u32) -> vec3f {
    let note = 3u * halves_of(entry).x;
    return bitcast<f32>(weight) * vec3f(notes[note], notes[note + 1u], notes[note + 2u]);
}

// What its curvatures do to a particle.
fn bent(own: Patch, l: u32) -> vec3f {
    let count = halves_of(lists[own.counts + l]).x;
    let weights = own.most_bends * own.ring;
    var sum = vec3f();
    for (var k = 0u; k < count; k++) {
        let at = own.bend_list + own.ring * k + l;
        sum += bent_by(lists[at], lists[at + weights]);
    }
    return sum;
}

fn solve_row(r: u32, note: u32) {
    let row = row_work[r];
    var state = vec2f();
    if FIRST == 0u {
        state = row_states[r];
    }
    let pair = halves_of(row.x);
    let offset = places[pair.x].xyz - places[pair.y].xyz;
    let length = sqrt(dot(offset, offset));
    let more = hasten(length, bitcast<f32>(row.y), state, bitcast<vec2f>(row.zw), iteration.keep, iteration.take);
    row_states[r] = vec2f(state.x + more, more);
    notes[note] = more / max(length, SAME_PLACE);
}

fn drawn_by(place: vec3f, entry: u32) -> vec3f {
    let found = halves_of(entry);
    return (place - places[found.y].xyz) * notes[found.x];
}

// What its distances do to a particle, in four parts, as `solve_rows` adds them up: to the same bits. One that cannot move may have very many.
fn drawn(own: Patch, l: u32, place: vec4f) -> vec3f {
    let count = select(lists[own.counts + l] >> 16u, 0u, place.w == 0.0);
    var sums = array<vec3f, 4>();
    for (var k = 0u; k < count; k += 4u) {
        let four = own.row_list + l + own.owned * min(vec4u(k, k + 1u, k + 2u, k + 3u), vec4u(count - 1u));
        let entries = vec4u(lists[four.x], lists[four.y], lists[four.z], lists[four.w]);
        sums[0] += drawn_by(place.xyz, entries.x);
        if k + 1u < count {
            sums[1] += drawn_by(place.xyz, entries.y);
        }
        if k + 2u < count {
            sums[2] += drawn_by(place.xyz, entries.z);
        }
        if k + 3u < count {
            sums[3] += drawn_by(place.xyz, entries.w);
        }
    }
    return sums[0] + sums[1] + sums[2] + sums[3];
}

// Moves a particle that the patch owns.
fn put(member: u32, place: vec4f) {
    let slot = slots[member];
    if slot > 0u {
        vectors[predicted_at(slot - 1u)] = place;
    }
}

@compute @workgroup_size(WORKGROUP)
fn main(thread: Thread) {
    let own = patches[group_index(thread)];
    for (var l = thread.local; l < own.locals; l += WORKGROUP) {
        let slot = slots[own.first + l];
        places[l] = select(vec4f(), vectors[settled_at(max(slot, 1u) - 1u)], slot > 0u);
    }
    workgroupBarrier();
    let bends = select(own.bends, 0u, DOES == ROWS_ALONE);
    for (var b = thread.local; b < bends; b += WORKGROUP) {
        solve_bend(own.first_bend + b, 3u * b);
    }
    workgroupBarrier();
    let bending = select(select(own.ring, own.owned, DOES == BENDS_ALONE), 0u, bends == 0u);
    for (var l = thread.local; l < bending; l += WORKGROUP) {
        let place = places[l];
        places[l] = vec4f(place.xyz + place.w * bent(own, l), place.w);
        if DOES == BENDS_ALONE {
            put(own.first + l, places[l]);
        }
    }
    if DOES == BENDS_ALONE {
        return;
    }
    workgroupBarrier();
    for (var r = thread.local; r < own.rows; r += WORKGROUP) {
        solve_row(own.first_row + r, r);
    }
    workgroupBarrier();
    for (var l = thread.local; l < own.owned; l += WORKGROUP) {
        let place = places[l];
        put(own.first + l, vec4f(place.xyz + place.w * drawn(own, l, place), place.w));
    }
}
