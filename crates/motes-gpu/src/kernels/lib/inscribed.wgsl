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

// A particle of a body of revolution: the way to it from a point of the axis, and the axis; zero for others. Whether its ball rolls.
struct Revolving {
    arm: vec3f,
    axis: vec3f,
    rolls: bool,
}

// The way from the axis to the ball of the particle.
fn circle_of(revolving: Revolving, ball: vec4f) -> vec3f {
    let center = revolving.arm + ball.xyz;
    return center - dot(center, revolving.axis) * revolving.axis;
}

// The ball, taken along its circle by an angle with that sine.
fn taken_along(revolving: Revolving, ball: vec4f, sine: f32) -> vec4f {
    let out = circle_of(revolving, ball);
    let moved = out * (sqrt(max(1.0 - sine * sine, 0.0)) - 1.0) + sine * cross(revolving.axis, out);
    return ball + vec4f(moved, 0.0);
}

// From the particle to where what is seen of its ball touches the plane.
fn arm_of(ball: vec4f, normal: vec3f, radius: f32) -> vec3f {
    let seen = seen_of(ball, normal, radius);
    return seen.xyz - seen.w * normal;
}
