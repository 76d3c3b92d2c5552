// Carries out edits. The thread of the first row of a particle does all of them, in order.

@group(0) @binding(0) var<uniform> params: EditParams;
@group(0) @binding(1) var<storage, read> rows: array<EditRow>;
@group(0) @binding(2) var<storage, read> census: array<u32>;
@group(0) @binding(3) var<storage, read> slots: array<u32>;
@group(0) @binding(4) var<storage, read_write> vectors: array<vec4f>;
@group(0) @binding(5) var<storage, read_write> kinds: array<vec4u>;

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
            case SET_POSITION: {
                position = vec4f(row.value, position.w);
            }
            case SET_VELOCITY: {
                velocity = vec4f(row.value, HALF_KICK);
            }
            case SET_INVERSE_MASS: {
                position.w = row.amount;
                if row.amount == 0.0 {
                    velocity = vec4f(0.0, 0.0, 0.0, 1.0);
                }
            }
            case SET_PHASE: {
                kind.x = row.word;
            }
            case SET_MATERIAL: {
                kind.y = row.word;
            }
            case PUSH: {
                velocity = vec4f(velocity.xyz + position.w * row.value, velocity.w);
            }
            case PULL: {
                let resistance = bitcast<f32>(row.word);
                let impulse = row.amount * (row.value - position.xyz) - resistance * velocity.xyz;
                velocity += vec4f(impulse * (position.w / (1.0 + row.mobility * resistance)), 0.0);
            }
            default: {}
        }
    }
    vectors[position_at(slot)] = position;
    vectors[velocity_at(slot)] = velocity;
    kinds[slot] = kind;
}
