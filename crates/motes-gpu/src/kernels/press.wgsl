// One iteration of the multipliers of liquids; the first also finds what they are divided by. Those of PCISPH are all divided by the same, begin without a look at
// how crowded it is, and move everybody by the slopes at the start of the sub-step.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<uniform> fluid: FluidParams;
@group(0) @binding(2) var<uniform> iteration: Iteration;
@group(0) @binding(3) var<storage, read_write> vectors: array<vec4f>;
@group(0) @binding(4) var<storage, read> ranges: array<vec2u>;
@group(0) @binding(5) var<storage, read> list: array<vec4u>;
@group(0) @binding(6) var<storage, read> contacts: array<ColliderContact>;
@group(0) @binding(7) var<storage, read> contact_ranges: array<vec2u>;
@group(0) @binding(8) var<storage, read_write> flow: array<vec4f>;
@group(0) @binding(9) var<storage, read> crowds: array<f32>;

@compute @workgroup_size(WORKGROUP)
fn main(thread: Thread) {
    let part = part_of(thread);
    let i = part.i;
    var range = vec2u();
    var center = vec4f();
    if i < params.count {
        range = ranges[i];
        center = vectors[predicted_at(i)];
    }
    let presses = is_liquid(range) && center.w != 0.0;
    var found = Crowding();
    for (var number = part.number; number < parts_of_sums() && presses; number += SHARE) {
        let more = look_at_part(i, center.xyz, range, number);
        found = Crowding(found.sum + more.sum, found.slopes + more.slopes, found.divisor + more.divisor);
    }
    let first_sums = sum_of_parts(part, vec4f(found.slopes, found.sum));
    if FIRST == 1u && PREDICTIVE == 0u {
        found.divisor = sum_of_parts(part, vec4f(found.divisor)).x;
    }
    if i >= params.count || part.number > 0u {
        return;
    }
    if !presses {
        flow[i] = vec4f(select(center.xyz, vectors[start_at(i)].xyz, PREDICTIVE == 1u), 0.0);
        flow[wall_at(i)] = vec4f();
        flow[pressing_at(i)] = vec4f();
        return;
    }
    press(i, range, center, Crowding(first_sums.w, first_sums.xyz, found.divisor));
}

// What the neighbours of a particle add up to.
struct Crowding {
    sum: f32,
    slopes: vec3f,
    divisor: f32,
}

fn look_at_part(i: u32, center: vec3f, range: vec2u, number: u32) -> Crowding {
    var crowding = Crowding();
    for (var k = number; k < fours(range); k += parts_of_sums()) {
        let four = list[range.x + SLICE * k];
        for (var c = 0u; c < 4u; c++) {
            let j = four[c];
            let found = near(i, center, j, vectors[predicted_at(j)].xyz);
            crowding.sum += found.counts.x * weight(found.q);
            if FIRST == 1u && PREDICTIVE == 0u {
                let steep = found.counts.x * slope(found.q) * found.inverse_reach;
                crowding.divisor += crowds[j] * steep * found.q;
                crowding.slopes += (steep * found.inverse_reach) * found.offset;
            }
        }
    }
    return crowding;
}

fn press(i: u32, range: vec2u, center: vec4f, crowding: Crowding) {
    var pressing = flow[pressing_at(i)];
    let per_reach = per_own_reach(i);
    if PREDICTIVE == 1u && FIRST == 1u {
        pressing = vec4f(0.0, 0.0, 1.0 / (fluid.least * center.w * per_reach * per_reach), 0.0);
    }
    let wall = walled(i, center.xyz, 1.0, contact_ranges[i]);
    let sum = crowding.sum - fillers(range);
    if FIRST == 1u && PREDICTIVE == 0u {
        let at_wall = crowds[i] * length(fluid.share * crowding.slopes + wall.xyz);
        let divisor = fma(fluid.share, crowding.divisor, at_wall);
        pressing.z = 1.0 / max(divisor, fluid.least * center.w * per_reach * per_reach);
    }
    let excess = fluid.share * (1.0 + sum) + wall.w - 1.0 - pressing.w;
    // Compilers fuse what they like of a sum of products, and not the same with few threads and with many.
    let change = fma(iteration.press_keep, pressing.y, iteration.press_take * excess * pressing.z);
    let after = max(pressing.x + change, 0.0);
    pressing.y = after - pressing.x;
    pressing.x = after;
    flow[pressing_at(i)] = pressing;
    if PREDICTIVE == 1u {
        let start = vectors[start_at(i)].xyz;
        flow[i] = vec4f(start, pressing.y);
        flow[wall_at(i)] = walled(i, start, 0.0, contact_ranges[i]);
    } else {
        flow[i] = vec4f(center.xyz, pressing.y);
        flow[wall_at(i)] = wall;
    }
    if after > 0.0 && params.rest > 0.0 {
        vectors[pushed_at(i)].w = 1.0;
    }
}
