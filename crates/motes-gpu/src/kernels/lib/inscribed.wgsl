// Balls within the shape of a rigid body with which its particles touch colliders: motes-core's `inscribed.rs`. INSCRIBED is 1
// where any body has some.

// Whether a particle has one, and how far friction at it goes (w).
fn has_ball(twist: vec4f) -> bool {
    return INSCRIBED == 1u && twist.w > 0.0;
}

// Whether a ball touches a plane that has this normal beside its particle.
fn is_beside(ball: vec4f, normal: vec3f, radius: f32) -> bool {
    return ball.w <= 0.0 || length(ball.xyz - dot(ball.xyz, normal) * normal) <= WIDEST * radius;
}

// What a contact with such a plane sees of it.
fn seen_of(ball: vec4f, normal: vec3f, radius: f32) -> vec4f {
    let nearest = NEAREST * radius;
    let is_far = !is_beside(ball, normal, radius);
    return select(ball, vec4f(vec3f(), nearest), is_far || ball.w - dot(ball.xyz, normal) < nearest);
}

// From the particle to where what is seen of its ball touches the plane.
fn arm_of(ball: vec4f, normal: vec3f, radius: f32) -> vec3f {
    let seen = seen_of(ball, normal, radius);
    return seen.xyz - seen.w * normal;
}
