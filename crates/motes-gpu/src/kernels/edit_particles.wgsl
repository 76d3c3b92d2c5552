// Carries out edits. The thread of the first row of a particle does all of them, in order.

@group(0) @binding(0) var<uniform> params: EditParams;
@group(0) @binding(1) var<storage, read> rows: array<EditRow>;
@group(0) @binding(2) var<storage, read> census: array<u32>;
@group(0) @binding(3) var<storage, read> slots: array<u32>;
@group(0) @binding(4) var<storage, read_write> vectors: array<vec4f>;
@group(0) @binding(5) var<storage, read_write> kinds: array<vec4u>;

// Fraction of the next kick of a velocity that belongs to the same moment as the position.
const HALF_KICK = 0.5;

@compute @workgroup_size(WORKGROUP)
fn main(thread: Thread) {
    let i = thread_index(thread);
    if i >= params.rows {
        return;
    }
    let index = rows[i].index;
    if i > 0u && rows[max(i, 1u) - 1u].index == index {
        return;
    }
    let slot = slot_of(index);
    if slot == NOWHERE {
        return;
    }
    var position = vectors[position_at(slot)];
    var velocity = vectors[velocity_at(slot)];
    var kind = kinds[slot];
    for (var k = i; k < params.rows; k++) {
        let row = rows[k];
        if row.index != index {
            break;
        }
        switch row.what {
            case 0u: {
                position = vec4f(row.value, position.w);
            }
            case 1u: {
                velocity = vec4f(row.value, HALF_KICK);
            }
            case 2u: {
                position.w = row.amount;
            }
            case 3u: {
                kind.x = row.word;
            }
            case 4u: {
                kind.y = row.word;
            }
            case 5u: {
                velocity = vec4f(velocity.xyz + position.w * row.value, velocity.w);
            }
            case 6u: {
                let give = row.seconds * position.w;
                let resistance = bitcast<f32>(row.word) + row.seconds * row.amount;
                let drawn = velocity.xyz + (give * row.amount) * (row.value - position.xyz);
                velocity = vec4f(drawn / (1.0 + give * resistance), velocity.w);
            }
            default: {}
        }
    }
    vectors[position_at(slot)] = position;
    vectors[velocity_at(slot)] = velocity;
    kinds[slot] = kind;
}
