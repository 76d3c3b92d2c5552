// By how much bodies that bend would go and turn too little: their shapes pulled at them where they got to, not where they were,
// which takes spin away as implicit Euler does; and what pulls adds up to nothing but for rounding, which always goes the same
// way. One workgroup for each body.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> vectors: array<vec4f>;
@group(0) @binding(2) var<storage, read> membership: array<u32>;
@group(0) @binding(3) var<storage, read> body_members: array<vec4u>;
@group(0) @binding(4) var<storage, read_write> bodies: array<Body>;

@compute @workgroup_size(WORKGROUP)
fn main(thread: Thread) {
    let group = body_group(thread);
    let b = group.body;
    let last = select(group.first, group.end, is_a(b, BENDS));
    var sum = mat4x4f();
    for (var m = group.first + thread.local; m < last; m += WORKGROUP) {
        let member = placed(m);
        let start = vectors[start_at(member.slot)].xyz - bodies[b].from_position;
        let end = vectors[predicted_at(member.slot)];
        let arm = end.xyz - bodies[b].to_position;
        let pull = bitcast<vec4f>(body_members[pull_at(m)]).xyz;
        sum[0] += vec4f(member.mass * cross(start, pull), member.mass);
        sum[1] += vec4f(member.mass * arm * arm, 0.0);
        sum[2] += vec4f(member.mass * arm * arm.yzx, select(0.0, 1.0, end.w == 0.0 && member.mass > 0.0));
        sum[3] += vec4f(member.mass * pull, 0.0);
    }
    let all = sum_over_group(thread.local, sum);
    if thread.local == 0u && group.exists && is_a(b, BENDS) {
        let products = symmetric(all[1].xyz, all[2].xyz);
        let inertia = symmetric(vec3f(all[1].x + all[1].y + all[1].z), vec3f()) - products;
        // Pinned members take both for themselves: then what is lost is not known.
        let is_known = all[2].w == 0.0 && all[0].w > 0.0;
        bodies[b].spin = select(vec3f(), pseudo_inverse(inertia) * (-all[0].xyz / params.h), is_known);
        bodies[b].velocity = select(vec3f(), -all[3].xyz / (all[0].w * params.h), is_known);
    }
}
