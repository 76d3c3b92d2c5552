// Finds the members of bodies in their slots, once a frame: who died in between is in none.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> kinds: array<vec4u>;
@group(0) @binding(2) var<storage, read_write> membership: array<u32>;

@compute @workgroup_size(WORKGROUP)
fn main(thread: Thread) {
    let i = thread_index(thread);
    if i >= params.count {
        return;
    }
    let member = member_of(kinds[i]);
    if member != NO_MEMBER {
        membership[member] = i + 1u;
    }
}
