// Appends what liquid particles give off to the passive particles, in the order of the liquid's: each anywhere in the cylinder that its particle swept.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<uniform> foam: FoamParams;
@group(0) @binding(2) var<storage, read> vectors: array<vec4f>;
@group(0) @binding(3) var<storage, read> kinds: array<vec4u>;
// How many are given off before those of each particle, and behind them how many in all.
@group(0) @binding(4) var<storage, read> numbers: array<u32>;
// How many there are before and after, then how many found no room so far.
@group(0) @binding(5) var<storage, read_write> counts: array<u32>;
@group(0) @binding(6) var<storage, read_write> positions: array<vec4f>;
@group(0) @binding(7) var<storage, read_write> velocities: array<vec4f>;
@group(0) @binding(8) var<storage, read_write> passive_kinds: array<vec2u>;

@compute @workgroup_size(WORKGROUP)
fn main(thread: Thread) {
    let i = thread_index(thread);
    let before = counts[foam.counter];
    let room = max(foam.most, before) - before;
    if i == 0u {
        let all = numbers[foam.particles];
        counts[1u - foam.counter] = before + min(all, room);
        counts[2] += all - min(all, room);
    }
    if i >= params.count {
        return;
    }
    let first = numbers[i];
    let end = min(numbers[i + 1u], room);
    if first >= end {
        return;
    }
    let velocity = vectors[carrier_at(i)].xyz;
    let speed = length(velocity);
    let axis = velocity / max(speed, 1e-37);
    // Duff et al. 2017.
    let turned = select(-1.0, 1.0, axis.z >= 0.0);
    let a = -1.0 / (turned + axis.z);
    let b = axis.x * axis.y * a;
    let across = vec3f(1.0 + turned * axis.x * axis.x * a, turned * b, -turned * axis.x);
    let aside = vec3f(b, turned + axis.y * axis.y * a, -axis.y);
    var bits = random_bits(random_bits(foam.random + index_of(kinds[sorted_kind_at(i)])));
    for (var k = first; k < end; k++) {
        var units = vec4f();
        for (var number = 0u; number < 4u; number++) {
            bits = random_bits(bits);
            units[number] = unit_of(bits);
        }
        let angle = TURN * units.z;
        let rim = sqrt(units.y) * (cos(angle) * across + sin(angle) * aside);
        let along = mix(vectors[start_at(i)].xyz, vectors[predicted_at(i)].xyz, units.x);
        let lifetime = foam.lifetime * (SHORTEST_LIFE + (1.0 - SHORTEST_LIFE) * units.w);
        positions[before + k] = vec4f(along + radius_of(i) * rim, 0.0);
        velocities[before + k] = vec4f(velocity + SPREAD * speed * rim, lifetime);
        passive_kinds[before + k] = vec2u(SPRAY, bitcast<u32>(AMBIENT));
    }
}
