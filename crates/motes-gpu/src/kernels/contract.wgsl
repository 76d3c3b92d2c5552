// Surfaces contract, and liquids hold together and on to solids (line 26; after Akinci, Akinci and Teschner 2013, see `constraints/tension.rs` in motes-core).

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<uniform> fluid: FluidParams;
@group(0) @binding(2) var<storage, read_write> vectors: array<vec4f>;
@group(0) @binding(3) var<storage, read> ranges: array<vec2u>;
@group(0) @binding(4) var<storage, read> list: array<vec4u>;
@group(0) @binding(5) var<storage, read> kinds: array<vec4u>;
@group(0) @binding(6) var<storage, read> table: array<vec4f>;
@group(0) @binding(7) var<storage, read_write> contacts: array<ColliderContact>;
@group(0) @binding(8) var<storage, read> contact_ranges: array<vec2u>;
@group(0) @binding(9) var<storage, read> flow: array<vec4f>;

// Of a pair, on the first.
fn force_of(found: Near, own: f32, other: f32, own_slope: vec4f, other_slope: vec4f) -> vec3f {
    let normal = found.offset * (found.inverse_reach / found.q);
    var pulled = min(own, other) * pull(found.q);
    if own < 0.0 || other < 0.0 {
        pulled = (own_slope.w + other_slope.w) * solid_pull(found.q);
    }
    let counted = fluid.share * alike(own, other) * found.inverse_reach * found.inverse_reach;
    let apart = counted * (found.counts.x * own_slope.xyz - found.counts.y * other_slope.xyz);
    let curved = curves(found.q);
    let drawn = (curved.x - curved.y) * dot(normal, apart) - pulled / found.inverse_reach;
    return drawn * normal + curved.y * apart;
}

// What colliders do, which is done to them.
fn pull_to_walls(i: u32, place: vec3f, yields: f32, slopes: vec3f, run: vec2u) -> vec3f {
    let strength = strength_of(i).w;
    let per_reach = per_own_reach(i);
    let open = 1.0 - walled(i, place, 1.0, run).w;
    var sum = vec3f();
    for (var c = run.x; c < run.x + run.y; c++) {
        let normal = contacts[c].normal;
        var same = 0.0;
        for (var d = run.x; d < c; d++) {
            same = max(same, dot(normal, contacts[d].normal));
        }
        let q = max(per_reach * dot(place - contacts[c].point, normal), 0.0);
        let share = (1.0 - same) * fluid.wall;
        let curve = open * share * beyond_curve(q) / (1.0 - share * beyond(q));
        let along = dot(normal, slopes) * fluid.steeper * curve * per_reach * per_reach;
        let gained = (along - (1.0 - same) * strength * wall_pull(q) / per_reach) * params.h * yields;
        contacts[c].normal_sum += gained * params.h;
        sum += gained * normal;
    }
    return sum;
}

@compute @workgroup_size(WORKGROUP)
fn main(thread: Thread) {
    let i = thread_index(thread);
    if i >= params.count {
        return;
    }
    let range = ranges[i];
    let own = flow[i];
    let slopes = flow[pressing_at(i)];
    let yields = vectors[predicted_at(i)].w;
    if yields == 0.0 {
        return;
    }
    var force = vec3f();
    for (var k = 0u; k < neighbor_count(range); k++) {
        let j = list[range.x + SLICE * (k / 4u)][k % 4u];
        let other = flow[j];
        let found = near_or_aside(i, own.xyz, j, other.xyz);
        force += force_of(found, own.w, other.w, slopes, flow[pressing_at(j)]);
    }
    var gained = params.h * yields * force;
    let run = contact_ranges[i];
    if own.w > 0.0 && run.y > 0u {
        gained += pull_to_walls(i, own.xyz, yields, slopes.xyz, run);
    }
    vectors[carrier_at(i)] += vec4f(gained, 0.0);
}
