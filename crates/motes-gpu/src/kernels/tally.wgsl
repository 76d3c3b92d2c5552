// How many particles there are once the dead are gone and the others are born.

@group(0) @binding(0) var<uniform> params: PopulationParams;
@group(0) @binding(1) var<storage, read> places: array<u32>;
@group(0) @binding(2) var<storage, read_write> census: array<u32>;

@compute @workgroup_size(WORKGROUP)
fn main(thread: Thread) {
    if thread_index(thread) == 0u {
        census[0] = select(census[0], places[params.room], params.reaps == 1u) + params.births;
    }
}
