// Pre-stabilisation (§4.4): the impulse on the first of two particles that pushes them apart if they overlap at `a` and
// `b`, with what corrections are divided by (w).

fn push(first: u32, a: vec4f, second: u32, b: vec4f) -> vec3f {
    let offset = apart(a.xyz - b.xyz, first, second);
    let distance = length(offset);
    let overlap = params.touch - distance;
    if overlap <= 0.0 {
        return vec3f();
    }
    let mobility = vectors[before_at(first)].w + vectors[before_at(second)].w;
    return offset / distance * (params.relaxation * overlap / (max(a.w, b.w) * mobility));
}
