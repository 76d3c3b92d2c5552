// Where two particles touch: as balls or, where a body is involved, by what they know of its surface (Unified §5.1, eq. 17–20;
// motes-core's `surface.rs`). BODIES is 1 where there are any.


struct Touch {
    // Towards the first particle.
    normal: vec3f,
    gap: f32,
    // Whether either belongs to a body or a creature, and whether both touch with inscribed balls.
    has_body: bool,
    is_solid: bool,
}

fn is_member(i: u32) -> bool {
    return BODIES == 1u && vectors[field_at(i)].w < NO_FIELD_DEPTH;
}

// Whether it is known only later where it starts: with its body, or its creature.
fn follows_start(i: u32) -> bool {
    return is_member(i) || is_ellipsoid(i);
}

fn touch_between(first: u32, second: u32, offset: vec3f) -> Touch {
    if is_ellipsoid(first) || is_ellipsoid(second) {
        let touch = touch_ellipsoids(offset, outline_of(first), outline_of(second));
        return Touch(touch.xyz, touch.w, true, false);
    }
    let distance = length(offset);
    let ball = Touch(offset / distance, distance - contact_distance(first, second), false, false);
    if BODIES == 0u {
        return ball;
    }
    let a = vectors[field_at(first)];
    let b = vectors[field_at(second)];
    if a.w >= NO_FIELD_DEPTH && b.w >= NO_FIELD_DEPTH {
        return ball;
    }
    if are_solid(first, second) {
        let touch = touch_solids(first, second, offset);
        return Touch(touch.xyz, touch.w, true, true);
    }
    return touch_shapes(ball, a, b);
}

fn touch_shapes(ball: Touch, first: vec4f, second: vec4f) -> Touch {
    let straighter = dot(ball.normal, -first.xyz) > dot(ball.normal, second.xyz);
    let by_first = abs(first.w) < abs(second.w) || (abs(first.w) == abs(second.w) && straighter);
    let shorter = select(second.xyz, -first.xyz, by_first);
    let layer = select(second.w, first.w, by_first);
    let depth = abs(layer);
    let along = dot(ball.normal, shorter);
    let against = select(0.0, along, along < 0.0 && layer > EITHER_SIDE);
    let one_sided = ball.normal - shorter * (2.0 * against);
    let a = straightness(-first.xyz, one_sided, first.w);
    let b = straightness(second.xyz, one_sided, second.w);
    let surface = second.xyz * b - first.xyz * a + one_sided * (1.0 - max(abs(a), abs(b)));
    if layer > 0.0 && depth < BALL_DEPTH && ball.gap < 0.0 {
        return Touch(shorter, -depth, true, false);
    }
    return Touch(surface / length(surface), ball.gap, true, false);
}

// How much of a surface's own normal a contact takes, by the cosine between them.
fn straightness(out: vec3f, normal: vec3f, layer: f32) -> f32 {
    let cosine = dot(out, normal);
    let reversed = cosine < 0.0 && layer <= EITHER_SIDE;
    let part = clamp((select(cosine, -cosine, reversed) - LEANING) * (1.0 / LEANING_SPAN), 0.0, 1.0);
    return select(part, -part, reversed);
}
