// Vortex strengths turn the gas about them (Unified, eq. 32), and the air takes it along where it is open (eq. 29).

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<uniform> fluid: FluidParams;
@group(0) @binding(2) var<uniform> gas: GasParams;
@group(0) @binding(3) var<uniform> air: Air;
@group(0) @binding(4) var<storage, read_write> vectors: array<vec4f>;
@group(0) @binding(5) var<storage, read> ranges: array<vec2u>;
@group(0) @binding(6) var<storage, read> list: array<vec4u>;
@group(0) @binding(7) var<storage, read> kinds: array<vec4u>;
@group(0) @binding(8) var<storage, read> table: array<vec4f>;
@group(0) @binding(9) var<storage, read> flow: array<vec4f>;

// What the vortex strengths about one give to its velocity, m/s.
fn turned_by_others(i: u32, place: vec3f) -> vec3f {
    let range = ranges[i];
    let own = flow[pressing_at(i)].xyz;
    var turned = vec3f();
    for (var k = 0u; k < neighbor_count(range); k++) {
        let j = list[range.x + SLICE * (k / 4u)][k % 4u];
        let other = flow[pressing_at(j)];
        let found = near(i, place, j, flow[j].xyz);
        let share = 0.5 * other.w * found.counts.x * weight(found.q);
        turned += share * cross(own + other.xyz, found.offset);
    }
    return clamp_length(gas.per_layer * fluid.share * turned, gas.farthest / per_own_reach(i));
}

@compute @workgroup_size(WORKGROUP)
fn main(thread: Thread) {
    let i = thread_index(thread);
    if i >= params.count || !is_gas(i) {
        return;
    }
    let place = flow[i].xyz;
    let before = vectors[params.flow_section + i];
    var velocity = before.xyz;
    if gas.swirls == 1u {
        velocity += turned_by_others(i, place);
    }
    if vectors[predicted_at(i)].w > 0.0 {
        let open = clamp(1.0 - flow[wall_at(i)].w / (1.0 - fluid.share), 0.0, 1.0);
        let part = 1.0 - exp(-driven_by(i, 0u).y * open * params.h);
        velocity += part * (air_velocity(place) - velocity);
    }
    vectors[params.flow_section + i] = vec4f(velocity, before.w);
}
