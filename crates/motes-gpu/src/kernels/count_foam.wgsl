// How many passive particles each liquid particle gives off in the frame (Ihmsen et al. 2012).

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<uniform> fluid: FluidParams;
@group(0) @binding(2) var<uniform> foam: FoamParams;
@group(0) @binding(3) var<storage, read> vectors: array<vec4f>;
@group(0) @binding(4) var<storage, read> ranges: array<vec2u>;
@group(0) @binding(5) var<storage, read> list: array<vec4u>;
@group(0) @binding(6) var<storage, read> kinds: array<vec4u>;
@group(0) @binding(7) var<storage, read> table: array<vec4f>;
// Normals.
@group(0) @binding(8) var<storage, read> flow: array<vec4f>;
@group(0) @binding(9) var<storage, read_write> numbers: array<u32>;

@compute @workgroup_size(WORKGROUP)
fn main(thread: Thread) {
    let i = thread_index(thread);
    if i >= foam.particles {
        return;
    }
    numbers[i] = 0u;
    if i >= params.count || !is_liquid(ranges[i]) {
        return;
    }
    if MIXED == 1u && carried_kind(i) == OF_GAS {
        return;
    }
    let kind = kinds[sorted_kind_at(i)];
    let velocity = vectors[carrier_at(i)].xyz;
    let energy = clamped(dot(velocity, velocity), foam.energy);
    if energy == 0.0 || table[material_of(kind)].z > foam.most_viscosity {
        return;
    }
    let range = ranges[i];
    let center = vectors[predicted_at(i)].xyz;
    let normal = flow[i];
    let outwards = normal.w > 0.0 && dot(velocity, normal.xyz) >= OUTWARDS * length(velocity);
    var meeting = 0.0;
    var sharpness = 0.0;
    for (var k = 0u; k < neighbor_count(range); k++) {
        let j = list[range.x + SLICE * (k / 4u)][k % 4u];
        if MIXED == 1u && carried_kind(j) == OF_GAS {
            continue;
        }
        let found = near_or_aside(i, center, j, vectors[predicted_at(j)].xyz);
        let share = found.counts.x * max(1.0 - found.q, 0.0);
        let relative = velocity - vectors[carrier_at(j)].xyz;
        let apart = max(length(found.offset), 1e-37);
        meeting += share * (length(relative) - dot(relative, found.offset) / apart);
        if outwards && dot(found.offset, normal.xyz) > 0.0 {
            sharpness += flow[j].w * share * (1.0 - dot(normal.xyz, flow[j].xyz));
        }
    }
    let air = foam.air * clamped(foam.per_full * meeting, foam.meeting);
    let crest = foam.crest * clamped(foam.per_full * sharpness, foam.sharpness);
    let first = random_bits(random_bits(foam.random + index_of(kind)));
    numbers[i] = u32(energy * (air + crest) + unit_of(first));
}
