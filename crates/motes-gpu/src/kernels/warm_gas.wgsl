// Neighbours in a gas exchange heat: to and fro between two places for temperatures.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<uniform> fluid: FluidParams;
@group(0) @binding(2) var<uniform> exchange: HeatExchange;
@group(0) @binding(3) var<storage, read_write> vectors: array<vec4f>;
@group(0) @binding(4) var<storage, read> ranges: array<vec2u>;
@group(0) @binding(5) var<storage, read> list: array<vec4u>;
@group(0) @binding(6) var<storage, read_write> flow: array<vec4f>;

struct HeatExchange {
    // What differences of temperatures are multiplied with, seconds.
    scale: f32,
    // 0 from among the vectors into `flow`, 1 back.
    way: u32,
    // What the shares of a particle may add up to.
    most: f32,
    unused: u32,
}

fn warmth_of(i: u32) -> f32 {
    if exchange.way == 0u {
        return vectors[warmth_at(i)].w;
    }
    return flow[pressing_at(i)].x;
}

@compute @workgroup_size(WORKGROUP)
fn main(thread: Thread) {
    let i = thread_index(thread);
    if i >= params.count {
        return;
    }
    let range = ranges[i];
    let own = flow[i];
    let before = warmth_of(i);
    var gained = 0.0;
    var shares = 0.0;
    if own.w > 0.0 {
        for (var k = 0u; k < neighbor_count(range); k++) {
            let j = list[range.x + SLICE * (k / 4u)][k % 4u];
            let other = flow[j];
            let found = near(i, own.xyz, j, other.xyz);
            let per_reach = found.inverse_reach * found.inverse_reach;
            let share = between(own.w, other.w) * found.counts.x * slope(found.q) * per_reach;
            gained += share * (warmth_of(j) - before);
            shares += share;
        }
    }
    let held_back = min(exchange.most / max(fluid.share * shares, 1e-37), 1.0);
    let after = before + exchange.scale * held_back * fluid.share * gained;
    if exchange.way == 0u {
        flow[pressing_at(i)].x = after;
    } else {
        vectors[warmth_at(i)].w = after;
    }
}
