// Counts the passive particles in every entry of the table of cells, each of which thereby gets a number within its entry: whichever, since
// nothing depends on it but the time that it takes to move them.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<uniform> passive: PassiveParams;
@group(0) @binding(2) var<storage, read> counts: array<u32>;
@group(0) @binding(3) var<storage, read> positions: array<vec4f>;
@group(0) @binding(4) var<storage, read_write> bins: array<atomic<u32>>;
@group(0) @binding(5) var<storage, read_write> numbers: array<u32>;

@compute @workgroup_size(WORKGROUP)
fn main(thread: Thread) {
    let i = thread_index(thread);
    if i < counts[passive.counter] {
        numbers[i] = atomicAdd(&bins[entry_of(cell_of(positions[i].xyz))], 1u);
    }
}
