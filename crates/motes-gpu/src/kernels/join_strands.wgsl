// Moves the participants at which several strands end by what each of these does.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> vectors: array<vec4f>;
@group(0) @binding(2) var<storage, read> slots: array<u32>;
// How many there are; three words of each: the participant, where its ends begin, and how many.
@group(0) @binding(3) var<storage, read> joints: array<u32>;
@group(0) @binding(4) var<storage, read> end_moves: array<vec4f>;

@compute @workgroup_size(WORKGROUP)
fn main(thread: Thread) {
    let j = thread_index(thread);
    if j >= joints[0] {
        return;
    }
    let slot = slots[joints[3u * j + 1u]];
    if slot == 0u || vectors[predicted_at(slot - 1u)].w == 0.0 {
        return;
    }
    let first = joints[3u * j + 2u];
    var place = vectors[predicted_at(slot - 1u)];
    for (var k = first; k < first + joints[3u * j + 3u]; k++) {
        place += end_moves[joints[k]];
    }
    vectors[predicted_at(slot - 1u)] = place;
}
