// Lists the slots of all particles by the indices of their ids. Entries of the dead are left over from earlier.

@group(0) @binding(0) var<storage, read> census: array<u32>;
@group(0) @binding(1) var<storage, read> kinds: array<vec4u>;
@group(0) @binding(2) var<storage, read_write> slots: array<u32>;

@compute @workgroup_size(WORKGROUP)
fn main(thread: Thread) {
    let i = thread_index(thread);
    if i < census[0] {
        slots[kinds[i].z] = i;
    }
}
