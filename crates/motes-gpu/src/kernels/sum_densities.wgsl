// Weight of all particles within the smoothing radius, by Poly6 (Müller et al. 2003, eq. 20), 1/m³: of the neighbours listed
// in the last sub-step, from where they are at its end.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<uniform> fluid: FluidParams;
@group(0) @binding(2) var<storage, read> vectors: array<vec4f>;
@group(0) @binding(3) var<storage, read> kinds: array<vec4u>;
@group(0) @binding(4) var<storage, read> ranges: array<vec2u>;
@group(0) @binding(5) var<storage, read> list: array<vec4u>;
@group(0) @binding(6) var<storage, read_write> densities: array<f32>;

// 315 / (64 π).
const SCALE = 1.5666815;

fn weight(distance_squared: f32, radius: f32) -> f32 {
    let left = max(1.0 - distance_squared / (radius * radius), 0.0);
    return SCALE * left * left * left / (radius * radius * radius);
}

@compute @workgroup_size(WORKGROUP)
fn main(thread: Thread) {
    let i = thread_index(thread);
    if i >= params.count {
        return;
    }
    let center = vectors[position_at(i)].xyz;
    let phase = phase_of(kinds[i]);
    var sum = select(0.0, weight(0.0, smoothing_distance(i, i)), is_summed(phase, phase));
    let range = ranges[i];
    for (var k = 0u; k < neighbor_count(range); k++) {
        let j = list[range.x + SLICE * (k / 4u)][k % 4u];
        let offset = vectors[position_at(j)].xyz - center;
        sum += weight(dot(offset, offset), smoothing_distance(i, j));
    }
    densities[i] = sum;
}
