// Has particles become two or more: the new ones, which are born in this frame, wait in the place of the old one. The thread of the first row of a
// particle does all of them.

struct SplitRow {
    // Index of the id of the particle that was there before.
    parent: u32,
    // Where the new one waits; nowhere for the old one itself.
    place: u32,
    // Its inverse mass over that which the old one had.
    factor: f32,
    unused: u32,
}

@group(0) @binding(0) var<uniform> params: EditParams;
@group(0) @binding(1) var<storage, read> rows: array<SplitRow>;
@group(0) @binding(2) var<storage, read> census: array<u32>;
@group(0) @binding(3) var<storage, read> slots: array<u32>;
@group(0) @binding(4) var<storage, read_write> vectors: array<vec4f>;
@group(0) @binding(5) var<storage, read> kinds: array<vec4u>;

@compute @workgroup_size(WORKGROUP)
fn main(thread: Thread) {
    let i = thread_index(thread);
    if i >= params.rows {
        return;
    }
    let index = rows[i].parent;
    if i > 0u && rows[max(i, 1u) - 1u].parent == index {
        return;
    }
    let slot = slot_of(index);
    if slot == NOWHERE {
        return;
    }
    let position = vectors[position_at(slot)];
    let velocity = vectors[velocity_at(slot)];
    for (var k = i; k < params.rows; k++) {
        let row = rows[k];
        if row.parent != index {
            break;
        }
        let part = vec4f(position.xyz, row.factor * position.w);
        if row.place == NOWHERE {
            vectors[position_at(slot)] = part;
        } else {
            vectors[sorted_at(row.place)] = part;
            vectors[before_at(row.place)] = velocity;
        }
    }
}
