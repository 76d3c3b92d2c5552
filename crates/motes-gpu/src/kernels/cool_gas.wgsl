// Gas takes on the temperature of its surroundings.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<uniform> fluid: FluidParams;
@group(0) @binding(2) var<uniform> gas: GasParams;
@group(0) @binding(3) var<storage, read_write> vectors: array<vec4f>;
@group(0) @binding(4) var<storage, read> kinds: array<vec4u>;
@group(0) @binding(5) var<storage, read> table: array<vec4f>;
@group(0) @binding(6) var<storage, read> flow: array<vec4f>;
@group(0) @binding(7) var<storage, read> zones: array<Zone>;
// By the index of the particle's id.
@group(0) @binding(8) var<storage, read_write> temperatures: array<f32>;

// A region with a temperature of its own, °C.
struct Zone {
    volume: Volume,
    warmth: f32,
    unused_a: u32,
    unused_b: u32,
    unused_c: u32,
}

@compute @workgroup_size(WORKGROUP)
fn main(thread: Thread) {
    let i = thread_index(thread);
    if i >= params.count || !is_gas(i) {
        return;
    }
    var warmth = vectors[warmth_at(i)].w;
    if gas.warmth_at_last == 1u {
        warmth = flow[pressing_at(i)].x;
    }
    let place = vectors[predicted_at(i)].xyz;
    var rate = driven_by(i, 1u).x;
    var surroundings = AMBIENT;
    // The last that contains it counts.
    for (var z = gas.zones; z > 0u; z--) {
        if volume_contains(zones[z - 1u].volume, place) {
            rate = max(rate, ZONE_RATE);
            surroundings = zones[z - 1u].warmth;
            break;
        }
    }
    warmth = surroundings + (warmth - surroundings) * exp(-rate * params.h);
    vectors[warmth_at(i)].w = warmth;
    temperatures[index_of(kinds[sorted_kind_at(i)])] = warmth;
}
