// What pressure liquids of weakly compressible SPH have at the start of a sub-step, over their squared density, how viscous they are, and what walls do.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<uniform> fluid: FluidParams;
@group(0) @binding(2) var<uniform> sph: SphParams;
@group(0) @binding(3) var<storage, read> vectors: array<vec4f>;
@group(0) @binding(4) var<storage, read> ranges: array<vec2u>;
@group(0) @binding(5) var<storage, read> list: array<vec4u>;
@group(0) @binding(6) var<storage, read> kinds: array<vec4u>;
@group(0) @binding(7) var<storage, read> table: array<vec4f>;
@group(0) @binding(8) var<storage, read> contacts: array<ColliderContact>;
@group(0) @binding(9) var<storage, read> contact_ranges: array<vec2u>;
@group(0) @binding(10) var<storage, read_write> flow: array<vec4f>;

@compute @workgroup_size(WORKGROUP)
fn main(thread: Thread) {
    let i = thread_index(thread);
    if i >= params.count {
        return;
    }
    let range = ranges[i];
    let center = vectors[start_at(i)].xyz;
    let yields = vectors[predicted_at(i)].w;
    if !is_liquid(range) {
        flow[i] = vec4f(center, 0.0);
        flow[wall_at(i)] = vec4f();
        flow[pressing_at(i)] = vec4f(0.0, -1.0, 0.0, 0.0);
        return;
    }
    let wall = spiky_walled(i, center, contact_ranges[i]);
    var sum = 0.0;
    for (var k = 0u; k < neighbor_count(range); k++) {
        let j = list[range.x + SLICE * (k / 4u)][k % 4u];
        let found = near_or_aside(i, center, j, vectors[start_at(j)].xyz);
        sum += found.counts.x * spiky(found.q);
    }
    let per_reach = per_own_reach(i);
    let volume = fluid.volume / (per_reach * per_reach * per_reach);
    let viscosity = table[material_of(kinds[sorted_kind_at(i)])].z;
    var pressure = 0.0;
    var added = 0.0;
    if yields > 0.0 {
        let density = sph.share * (1.0 + sum) + wall.w;
        let dense = max(density, 1.0);
        let rest_density = 1.0 / (yields * volume);
        pressure = sph.stiffness * rest_density * max(density - 1.0, 0.0) / (dense * dense);
        added = sph.added * rest_density / per_reach;
    }
    flow[i] = vec4f(center, pressure);
    // What walls push with, and how they drag along.
    flow[wall_at(i)] = vec4f(wall.xyz, wall.w * viscosity);
    // What they bear, and how viscous it is.
    flow[pressing_at(i)] = vec4f(params.h * params.h * volume * pressure, viscosity + added, 0.0, 0.0);
}
