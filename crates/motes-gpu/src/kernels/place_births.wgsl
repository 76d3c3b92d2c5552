// Gives those who are born their values of a property that is kept by id.

@group(0) @binding(0) var<uniform> params: PopulationParams;
// Kinds of those about to be born, from `params.bound` on.
@group(0) @binding(1) var<storage, read> kinds: array<vec4u>;
// Words of one particle, then the values in the order of birth.
@group(0) @binding(2) var<storage, read> born: array<u32>;
@group(0) @binding(3) var<storage, read_write> values: array<u32>;

@compute @workgroup_size(WORKGROUP)
fn main(thread: Thread) {
    let i = thread_index(thread);
    if i >= params.births {
        return;
    }
    let words = born[0];
    let place = kinds[params.bound + i].z * words;
    for (var k = 0u; k < words; k++) {
        values[place + k] = born[1u + i * words + k];
    }
}
