// Pre-stabilisation (§4.4): the impulse on the first of two particles that pushes them apart if they overlap at `a` and
// `b`, with their effective inverse masses (w). The contact is as fresh as `recall` found.

fn push(first: u32, a: vec4f, second: u32, b: vec4f, freshness: f32) -> vec3f {
    let offset = (a.xyz - slip_of(first)) - (b.xyz - slip_of(second));
    var touch = touch_between(first, second, apart(offset, first, second));
    if is_ellipsoid(first) || is_ellipsoid(second) {
        let found = touch_ellipsoids(apart(offset, first, second), start_outline_of(first), start_outline_of(second));
        touch = Touch(found.xyz, found.w, true, false);
    }
    let depth = -touch.gap - SLOP * contact_distance(first, second);
    if depth <= 0.0 {
        return vec3f();
    }
    return touch.normal * (params.relaxation * depth * freshness / (a.w + b.w));
}
