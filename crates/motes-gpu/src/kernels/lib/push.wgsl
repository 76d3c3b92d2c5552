// Pre-stabilisation (§4.4): the impulse on the first of two particles that pushes them apart if they overlap at `a` and
// `b`, with their effective inverse masses (w), and by which share that moves the first further and the second less far (w). `before` is
// what the contact starts from, as fresh as `recall` found.

fn push(first: u32, a: vec4f, second: u32, b: vec4f, before: vec4f) -> vec4f {
    let offset = (a.xyz - slip_of(first)) - (b.xyz - slip_of(second));
    let touch = touch_between(first, second, apart(offset, first, second));
    let depth = -touch.gap - SLOP * contact_distance(first, second);
    if depth <= 0.0 {
        return vec4f();
    }
    // As if the upper of two grains at rest, that bear something, were lighter and the lower heavier.
    let is_loaded = dot(before.xyz, touch.normal) > 0.0 && !touch.has_body;
    let upwards = vec3f(params.lift_x, params.lift_y, params.lift_z);
    let lift = select(0.0, max(1.0 - before.w / SETTLED, 0.0) * dot(upwards, touch.normal), is_loaded);
    let freshness = select(1.0, before.w, touch.has_body);
    let both = a.w + b.w + lift * (a.w - b.w);
    return vec4f(touch.normal * (params.relaxation * depth * freshness / both), lift);
}
