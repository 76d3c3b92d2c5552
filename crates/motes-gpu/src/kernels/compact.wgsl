// Stream compaction: the living to the front of other sections, in their order. Nothing to do when all of them live.

@group(0) @binding(0) var<uniform> params: PopulationParams;
@group(0) @binding(1) var<storage, read> census: array<u32>;
@group(0) @binding(2) var<storage, read> places: array<u32>;
@group(0) @binding(3) var<storage, read_write> vectors: array<vec4f>;
@group(0) @binding(4) var<storage, read_write> kinds: array<vec4u>;

@compute @workgroup_size(WORKGROUP)
fn main(thread: Thread) {
    let i = thread_index(thread);
    let count = census[0];
    if i >= min(count, params.room) || places[params.room] == count {
        return;
    }
    let place = places[i];
    if places[i + 1u] != place {
        vectors[sorted_at(place)] = vectors[position_at(i)];
        vectors[before_at(place)] = vectors[velocity_at(i)];
        kinds[sorted_kind_at(place)] = kinds[i];
    }
}
