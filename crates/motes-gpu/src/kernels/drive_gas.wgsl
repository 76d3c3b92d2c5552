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

// What a part of the vortex strengths about one give to its velocity, but for factors that all have.
fn turned_in_part(i: u32, place: vec3f, own: vec3f, range: vec2u, number: u32) -> vec3f {
    var turned = vec3f();
    for (var k = number; k < fours(range); k += parts_of_sums()) {
        let four = list[range.x + SLICE * k];
        for (var c = 0u; c < min(4u, neighbor_count(range) - 4u * k); c++) {
            let j = four[c];
            let other = flow[pressing_at(j)];
            let found = near(i, place, j, flow[j].xyz);
            let share = 0.5 * other.w * found.counts.x * weight(found.q);
            turned += share * cross(own + other.xyz, found.offset);
        }
    }
    return turned;
}

@compute @workgroup_size(WORKGROUP)
fn main(thread: Thread) {
    let part = part_of(thread);
    let i = part.i;
    let is_driven = i < params.count && is_gas(min(i, params.count - 1u));
    var place = vec3f();
    var turned = vec3f();
    if is_driven {
        place = flow[i].xyz;
    }
    if is_driven && gas.swirls == 1u {
        let own = flow[pressing_at(i)].xyz;
        for (var number = part.number; number < parts_of_sums(); number += SHARE) {
            turned += turned_in_part(i, place, own, ranges[i], number);
        }
    }
    turned = sum_of_parts(part, vec4f(turned, 0.0)).xyz;
    if !is_driven || part.number > 0u {
        return;
    }
    let before = vectors[params.flow_section + i];
    var velocity = before.xyz;
    if gas.swirls == 1u {
        velocity += clamp_length(gas.per_layer * fluid.share * turned, gas.farthest / per_own_reach(i));
    }
    if vectors[predicted_at(i)].w > 0.0 {
        let open = clamp(1.0 - flow[wall_at(i)].w / (1.0 - fluid.share), 0.0, 1.0);
        let part_of_way = 1.0 - exp(-driven_by(i, 0u).y * open * params.h);
        velocity += part_of_way * (air_velocity(place) - velocity);
    }
    vectors[params.flow_section + i] = vec4f(velocity, before.w);
}
