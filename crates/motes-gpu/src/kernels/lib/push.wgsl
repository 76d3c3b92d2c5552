// Pre-stabilisation (§4.4): the impulse on the first of two particles that pushes them apart if they overlap at `a` and
// `b`, with how far an impulse may count on moving them (w).

fn push(first: u32, a: vec4f, second: u32, b: vec4f) -> vec3f {
    let touch = touch_between(first, second, apart(a.xyz - b.xyz, first, second));
    if touch.gap >= 0.0 {
        return vec3f();
    }
    return touch.normal * (params.relaxation * -touch.gap / (a.w + b.w));
}
