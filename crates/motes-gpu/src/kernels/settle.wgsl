// Copies the living back from where `compact` put them, and appends the newborn.

@group(0) @binding(0) var<uniform> params: PopulationParams;
@group(0) @binding(1) var<storage, read> census: array<u32>;
@group(0) @binding(2) var<storage, read> places: array<u32>;
@group(0) @binding(3) var<storage, read_write> vectors: array<vec4f>;
@group(0) @binding(4) var<storage, read_write> kinds: array<vec4u>;

@compute @workgroup_size(WORKGROUP)
fn main(thread: Thread) {
    let i = thread_index(thread);
    let count = census[0];
    let living = select(count, places[params.room], params.reaps == 1u);
    if i < living && living != count {
        vectors[position_at(i)] = vectors[sorted_at(i)];
        vectors[velocity_at(i)] = vectors[before_at(i)];
        kinds[i] = kinds[sorted_kind_at(i)];
    }
    if i < params.births {
        let waiting = params.bound + i;
        vectors[position_at(living + i)] = vectors[sorted_at(waiting)];
        vectors[velocity_at(living + i)] = vectors[before_at(waiting)];
        kinds[living + i] = kinds[sorted_kind_at(waiting)];
    }
}
