// Momentum of rigid bodies at the end of a sub-step: what they had, and what was done to them.

struct Momenta {
    velocity: vec3f,
    angular_momentum: vec3f,
}

fn momenta_after(b: u32) -> Momenta {
    let body = bodies[b];
    let pushed = body.offset - params.h * body.velocity;
    let spun = body.angular_impulse - params.h * body.angular_momentum;
    var after = body.angular_momentum + spun / params.h + body.rebound_spin;
    if is_row(b) {
        after = turned(body.inertia * body.inverse_inertia, body.to_rotation) * after;
    }
    return Momenta(body.velocity + pushed / params.h + body.rebound, after);
}
