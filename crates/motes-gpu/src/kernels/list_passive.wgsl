// Lists passive particles entry by entry of the table of cells.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<uniform> passive: PassiveParams;
@group(0) @binding(2) var<storage, read> counts: array<u32>;
@group(0) @binding(3) var<storage, read> positions: array<vec4f>;
// How many there are in the entries before each.
@group(0) @binding(4) var<storage, read> bins: array<u32>;
@group(0) @binding(5) var<storage, read> numbers: array<u32>;
@group(0) @binding(6) var<storage, read_write> order: array<u32>;

@compute @workgroup_size(WORKGROUP)
fn main(thread: Thread) {
    let i = thread_index(thread);
    if i < counts[passive.counter] {
        order[bins[entry_of(cell_of(positions[i].xyz))] + numbers[i]] = i;
    }
}
