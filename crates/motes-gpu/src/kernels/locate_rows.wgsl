// Finds the participants in their slots, once they are sorted.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<uniform> row_params: RowParams;
@group(0) @binding(2) var<storage, read> kinds: array<vec4u>;
// The participant with each index of an id.
@group(0) @binding(3) var<storage, read> numbers: array<u32>;
// The slot of each participant, plus one; zero for the dead.
@group(0) @binding(4) var<storage, read_write> slots: array<u32>;

@compute @workgroup_size(WORKGROUP)
fn main(thread: Thread) {
    let i = thread_index(thread);
    if i >= params.count {
        return;
    }
    let index = kinds[sorted_kind_at(i)].z;
    if index >= row_params.indices {
        return;
    }
    let p = numbers[index];
    if p != NOBODY {
        slots[p] = i + 1u;
    }
}
