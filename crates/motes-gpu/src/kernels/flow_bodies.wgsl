// Plastic flow (§5.3): what was pushed out of shape too far stays there in part. One workgroup for each body.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> membership: array<u32>;
@group(0) @binding(2) var<storage, read_write> body_members: array<vec4u>;
@group(0) @binding(3) var<storage, read_write> bodies: array<Body>;

// What a member is that knows its surface no more.
const BALL_FIELD = vec4f(0.0, 0.0, 0.0, BALL_DEPTH);

var<workgroup> has_yielded: atomic<u32>;

fn flow(b: u32, m: u32) {
    let moved = yielded(b, m);
    if all(moved == vec3f()) {
        return;
    }
    let flowed = bitcast<f32>(body_members[strain_at(m)].w) + length(moved);
    let rest = bitcast<vec4f>(body_members[rest_at(m)]);
    body_members[rest_at(m)] = bitcast<vec4u>(rest + vec4f(moved, 0.0));
    body_members[strain_at(m)].w = bitcast<u32>(flowed);
    if flowed > bodies[b].limit {
        body_members[surface_at(m)] = bitcast<vec4u>(BALL_FIELD);
    }
    atomicStore(&has_yielded, 1u);
}

// Works out the inertia of the rest shape from sums over its members: squares, and mixed products.
fn measure(b: u32, sum: mat4x4f) {
    let products = symmetric(sum[0].xyz, sum[1].xyz);
    let inertia = symmetric(vec3f(products[0].x + products[1].y + products[2].z), vec3f()) - products;
    bodies[b].inertia = inertia;
    bodies[b].inverse_inertia = pseudo_inverse(inertia);
}

@compute @workgroup_size(WORKGROUP)
fn main(thread: Thread) {
    let exists = group_index(thread) < params.bodies;
    let b = min(group_index(thread), params.bodies - 1u);
    let first = bodies[b].first;
    let end = first + select(0u, bodies[b].count, exists && is_a(b, PLASTIC));
    if thread.local == 0u {
        atomicStore(&has_yielded, 0u);
    }
    workgroupBarrier();
    var places = mat4x4f();
    for (var m = first + thread.local; m < end; m += WORKGROUP) {
        flow(b, m);
        let rest = bitcast<vec4f>(body_members[rest_at(m)]);
        places[0] += vec4f(rest.xyz * rest.w, 0.0);
    }
    let center = sum_over_group(thread.local, places)[0].xyz / bodies[b].mass;
    var products = mat4x4f();
    for (var m = first + thread.local; m < end; m += WORKGROUP) {
        let rest = bitcast<vec4f>(body_members[rest_at(m)]);
        let r = rest.xyz - center;
        products[0] += vec4f(r * r * rest.w, 0.0);
        products[1] += vec4f(r * r.yzx * rest.w, 0.0);
    }
    let sum = sum_over_group(thread.local, products);
    if thread.local == 0u && atomicLoad(&has_yielded) == 1u {
        measure(b, sum);
    }
}
