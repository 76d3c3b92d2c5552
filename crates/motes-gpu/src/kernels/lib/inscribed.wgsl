// Balls within the shape of a rigid body with which its particles touch colliders: motes-core's `inscribed.rs`. INSCRIBED is 1
// where any body has some.

// Whether a particle has one, and how far friction at it goes (w).
fn has_ball(twist: vec4f) -> bool {
    return INSCRIBED == 1u && twist.w > 0.0;
}

// What a contact with a plane that has this normal sees of a ball.
fn seen_of(ball: vec4f, normal: vec3f, radius: f32) -> vec4f {
    let away = length(ball.xyz);
    let sideways = length(ball.xyz - dot(ball.xyz, normal) * normal);
    let widest = WIDEST * radius;
    if sideways <= widest || ball.w < away {
        return ball;
    }
    let part = widest / sideways;
    return vec4f(ball.xyz * part, ball.w - away * (1.0 - part));
}

// From the particle to where what is seen of its ball touches the plane.
fn arm_of(ball: vec4f, normal: vec3f, radius: f32) -> vec3f {
    let seen = seen_of(ball, normal, radius);
    return seen.xyz - seen.w * normal;
}
