// Pre-stabilisation (§4.4): the impulse on the first of two particles that pushes them apart if they overlap at `a` and
// `b`, with how far an impulse may count on moving them (w).

fn push(first: u32, a: vec4f, second: u32, b: vec4f) -> vec3f {
    let offset = apart(a.xyz - b.xyz, first, second);
    let distance = length(offset);
    let overlap = params.touch - distance;
    if overlap <= 0.0 {
        return vec3f();
    }
    return offset / distance * (params.relaxation * overlap / (a.w + b.w));
}
