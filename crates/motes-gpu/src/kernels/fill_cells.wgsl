// Counting sort into cells: lists the particles of each cell, in any order. Where a cell begins becomes where it ends.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> cells: array<atomic<u32>>;
@group(0) @binding(2) var<storage, read_write> list: array<u32>;
// Counters of pairs, and bounds of ways, which begin anew.
@group(0) @binding(3) var<storage, read_write> owners: array<u32>;

@compute @workgroup_size(WORKGROUP)
fn main(thread: Thread) {
    let i = thread_index(thread);
    if SWEEPS == 1u && i < WAY_BOUNDS {
        owners[FIRST_BOUND + i] = 0u;
    }
    if i >= params.count {
        return;
    }
    let entry = atomicLoad(&cells[key_place() + i]);
    let place = atomicAdd(&cells[entry], 1u);
    list[place] = i;
}
