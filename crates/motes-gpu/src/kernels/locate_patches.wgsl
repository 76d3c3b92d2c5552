// Finds the particles of patches in their slots, plus one, zero for the dead, and notes where those start that patches own:
// while some move, others still look there.

@group(0) @binding(0) var<uniform> params: Params;
// The participant in the list of distances or, with PATCH_BENT, that of curvatures; PATCH_OWNED.
@group(0) @binding(1) var<storage, read> members: array<u32>;
@group(0) @binding(2) var<storage, read> row_slots: array<u32>;
@group(0) @binding(3) var<storage, read> bend_slots: array<u32>;
@group(0) @binding(4) var<storage, read_write> slots: array<u32>;
@group(0) @binding(5) var<storage, read_write> vectors: array<vec4f>;
@group(0) @binding(6) var<uniform> patch_params: PatchParams;

@compute @workgroup_size(WORKGROUP)
fn main(thread: Thread) {
    let m = thread_index(thread);
    if m >= patch_params.members {
        return;
    }
    let member = members[m];
    let p = member & ~(PATCH_OWNED | PATCH_BENT);
    var slot = 0u;
    if (member & PATCH_BENT) != 0u {
        slot = bend_slots[p];
    } else {
        slot = row_slots[p];
    }
    slots[m] = slot;
    if slot > 0u && (member & PATCH_OWNED) != 0u {
        vectors[settled_at(slot - 1u)] = vectors[predicted_at(slot - 1u)];
    }
}
