// Makes the counting sort stable and scatters the particles: by cell, and within a cell in the order they had, whatever the
// order of the list, so that a sub-step does not depend on which thread came first. Resets the counters of pairs.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> cells: array<u32>;
@group(0) @binding(2) var<storage, read_write> vectors: array<vec4f>;
@group(0) @binding(3) var<storage, read_write> kinds: array<vec4u>;
// Particles cell by cell, in the room of pairs that are yet to be found.
@group(0) @binding(4) var<storage, read> list: array<u32>;
// Of the sub-step: own pairs, pairs of others. Of the frame: those without room, and the most pairs of a sub-step.
@group(0) @binding(5) var<storage, read_write> owners: array<u32>;
@group(0) @binding(6) var<storage, read> table: array<vec4f>;

@compute @workgroup_size(WORKGROUP)
fn main(thread: Thread) {
    let i = thread_index(thread);
    if i == 0u {
        owners[3] = max(owners[3], max(owners[0], owners[1]));
        owners[0] = 0u;
        owners[1] = 0u;
    }
    if i >= params.count {
        return;
    }
    let origin = list[i];
    let entry = cells[key_place() + origin];
    let position = vectors[position_at(origin)];
    let velocity = vectors[velocity_at(origin)].xyz;
    let kind = kinds[origin];
    let end = cells[entry];
    var slot = select(cells[max(entry, 1u) - 1u], 0u, entry == 0u);
    for (var k = slot; k < end; k++) {
        slot += select(0u, 1u, list[k] < origin);
    }
    vectors[sorted_at(slot)] = position;
    vectors[predicted_at(slot)] = vec4f(candidate(position.xyz, velocity), position.w);
    vectors[before_at(slot)] = vec4f(velocity, position.w);
    kinds[sorted_kind_at(slot)] = kind;
    if SIZES == 1u {
        vectors[radius_at(slot)] = vec4f(group_radius(kind), 0.0, 0.0, 0.0);
    }
}
