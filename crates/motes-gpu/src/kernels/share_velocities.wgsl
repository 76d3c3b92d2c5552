// Neighbours share their velocities, as much as their viscosity says (line 26).

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<uniform> fluid: FluidParams;
@group(0) @binding(2) var<uniform> exchange: Exchange;
@group(0) @binding(3) var<storage, read_write> vectors: array<vec4f>;
@group(0) @binding(4) var<storage, read> ranges: array<vec2u>;
@group(0) @binding(5) var<storage, read> list: array<vec4u>;
@group(0) @binding(6) var<storage, read> flow: array<vec4f>;

struct Exchange {
    // What differences of velocities are multiplied with, seconds.
    scale: f32,
    // Where velocities are among the vectors, and where they go.
    before: u32,
    after: u32,
    unused: u32,
}

@compute @workgroup_size(WORKGROUP)
fn main(thread: Thread) {
    let i = thread_index(thread);
    if i >= params.count {
        return;
    }
    let range = ranges[i];
    let own = flow[i];
    let yields = vectors[predicted_at(i)].w;
    let before = vectors[exchange.before + i];
    if yields == 0.0 || neighbor_count(range) == 0u {
        vectors[exchange.after + i] = before;
        return;
    }
    var taken = vec3f();
    var all = 0.0;
    for (var k = 0u; k < neighbor_count(range); k++) {
        let j = list[range.x + SLICE * (k / 4u)][k % 4u];
        let other = flow[j];
        let found = near(i, own.xyz, j, other.xyz);
        let per_reach = found.inverse_reach * found.inverse_reach;
        let share = between(own.w, other.w) * found.counts.x * slope(found.q) * per_reach;
        all += share;
        taken += share * (vectors[exchange.before + j].xyz - before.xyz);
    }
    all *= fluid.share;
    taken *= fluid.share;
    let per_reach = per_own_reach(i);
    let wall = flow[wall_at(i)];
    let drag = max(own.w, 0.0) * wall.w * fluid.steepness * per_reach * per_reach;
    all += drag;
    taken += drag * (wall.xyz - before.xyz);
    var part = yields * exchange.scale * fluid.volume / (per_reach * per_reach * per_reach);
    if own.w < 0.0 {
        // A solid that is lighter than the liquid about it takes its velocity, and no more.
        part = min(part, 1.0 / max(all, 1e-37));
    }
    vectors[exchange.after + i] = vec4f(before.xyz + part * taken, before.w);
}
