// Adds what pressures and viscosities of the start of a sub-step do within it to where everybody would go.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<uniform> fluid: FluidParams;
@group(0) @binding(2) var<uniform> sph: SphParams;
@group(0) @binding(3) var<storage, read_write> vectors: array<vec4f>;
@group(0) @binding(4) var<storage, read> ranges: array<vec2u>;
@group(0) @binding(5) var<storage, read> list: array<vec4u>;
@group(0) @binding(6) var<storage, read> contacts: array<ColliderContact>;
@group(0) @binding(7) var<storage, read> contact_ranges: array<vec2u>;
@group(0) @binding(8) var<storage, read> flow: array<vec4f>;

@compute @workgroup_size(WORKGROUP)
fn main(thread: Thread) {
    let i = thread_index(thread);
    if i >= params.count {
        return;
    }
    let range = ranges[i];
    let place = vectors[predicted_at(i)];
    if place.w == 0.0 {
        return;
    }
    let own = flow[i];
    let before = vectors[before_at(i)].xyz;
    let viscosity = flow[pressing_at(i)].y;
    var force = vec3f();
    for (var k = 0u; k < neighbor_count(range); k++) {
        let j = list[range.x + SLICE * (k / 4u)][k % 4u];
        let other = flow[j];
        let found = near_or_aside(i, own.xyz, j, other.xyz);
        let scale = found.counts.x * found.inverse_reach * found.inverse_reach;
        let pushed = scale * (own.w + other.w) * spiky_slope(found.q) / found.q;
        let slowed = scale * between(viscosity, flow[pressing_at(j)].y) * sph.laplacian * laplacian(found.q);
        force += pushed * found.offset + slowed * (vectors[before_at(j)].xyz - before);
    }
    let wall = flow[wall_at(i)];
    force = sph.share * force + own.w * wall.xyz;
    let per_reach = per_own_reach(i);
    if wall.w > 0.0 {
        let run = contact_ranges[i];
        var travel = vec3f();
        for (var c = run.x; c < run.x + run.y; c++) {
            travel += contacts[c].travel;
        }
        let along = travel / (params.h * f32(max(run.y, 1u)));
        force += (sph.wall_laplacian * wall.w * per_reach * per_reach) * (along - before);
    }
    let volume = fluid.volume / (per_reach * per_reach * per_reach);
    vectors[predicted_at(i)] = vec4f(place.xyz + (params.h * params.h * place.w * volume) * force, place.w);
    if own.w > 0.0 && params.rest > 0.0 {
        vectors[pushed_at(i)].w = 1.0;
    }
}
