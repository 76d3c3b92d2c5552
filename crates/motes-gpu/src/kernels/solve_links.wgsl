// Distances of linked particles (XPBD), one workgroup for each body: what every link does to its first member, then every
// member moved by all of its links. FIRST is 1 for the first time in a sub-step.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> vectors: array<vec4f>;
@group(0) @binding(2) var<storage, read> membership: array<u32>;
@group(0) @binding(3) var<storage, read> body_members: array<vec4u>;
@group(0) @binding(4) var<storage, read> bodies: array<Body>;
// The two members of each link; then, where a member's owner entry says (w): how many ends of links it has, what its mass
// is divided by, and the ends, each twice the number of a link and one more at the second member.
@group(0) @binding(5) var<storage, read> ties: array<u32>;
// Of each link, what the last iteration did to its first member, and its impulse in the sub-step (w).
@group(0) @binding(6) var<storage, read_write> pulls: array<vec4f>;

fn pull(l: u32, compliance: f32) -> vec4f {
    let m = vec2u(ties[2u * l], ties[2u * l + 1u]);
    let slots = vec2u(membership[m.x], membership[m.y]);
    let before = select(pulls[l].w, 0.0, FIRST == 1u);
    if slots.x == 0u || slots.y == 0u {
        return vec4f(vec3f(), before);
    }
    let a = vectors[predicted_at(slots.x - 1u)];
    let b = vectors[predicted_at(slots.y - 1u)];
    let from_rest = bitcast<vec4f>(body_members[rest_at(m.x)]).xyz;
    let to_rest = bitcast<vec4f>(body_members[rest_at(m.y)]).xyz;
    let first_divisor = bitcast<f32>(ties[body_members[owner_at(m.x)].w + 1u]);
    let second_divisor = bitcast<f32>(ties[body_members[owner_at(m.y)].w + 1u]);
    let offset = a.xyz - b.xyz;
    let distance = length(offset);
    let yields = a.w * first_divisor + b.w * second_divisor + compliance;
    if yields <= 0.0 || distance == 0.0 {
        return vec4f(vec3f(), before);
    }
    let stretch = distance - length(from_rest - to_rest);
    let change = -(stretch + compliance * before) / yields;
    return vec4f(change / distance * offset, before + change);
}

@compute @workgroup_size(WORKGROUP)
fn main(thread: Thread) {
    let exists = group_index(thread) < params.bodies;
    let b = min(group_index(thread), params.bodies - 1u);
    let first = bodies[b].first_link;
    let end = first + select(0u, bodies[b].links, exists);
    let compliance = bodies[b].link_compliance / (params.h * params.h);
    for (var l = first + thread.local; l < end; l += WORKGROUP) {
        pulls[l] = pull(l, compliance);
    }
    storageBarrier();
    workgroupBarrier();
    let last = bodies[b].first + select(0u, bodies[b].count, end > first);
    for (var m = bodies[b].first + thread.local; m < last; m += WORKGROUP) {
        if membership[m] == 0u {
            continue;
        }
        let record = body_members[owner_at(m)].w;
        var sum = vec3f();
        for (var k = record + 2u; k < record + 2u + ties[record]; k++) {
            let done = pulls[ties[k] >> 1u].xyz;
            sum += select(done, -done, (ties[k] & 1u) == 1u);
        }
        let place = predicted_at(membership[m] - 1u);
        let old = vectors[place];
        vectors[place] = vec4f(old.xyz + old.w * sum, old.w);
    }
}
