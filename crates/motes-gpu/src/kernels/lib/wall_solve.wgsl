// One contact of an ellipsoid at `place` with a collider, that it touches at the end of a lever. Corrections go as far as `reach` along the normal and across it.

struct WallSolved {
    push: vec3f,
    // What that turns it by, as the way of its rim.
    turned: vec3f,
    acts: bool,
}

fn solve_ellipsoid(c: u32, i: u32, start: vec3f, place: vec3f, turned: vec4f, reach: vec2f) -> WallSolved {
    let contact = contacts[c];
    let normal = contact.normal;
    let above = dot(place - contact.point, normal);
    let idle = contact.normal_sum == 0.0;
    if idle && above - radius_of(i) >= contact.pull {
        return WallSolved();
    }
    let lever = wall_lever(i, normal, turned);
    let sunk = wall_radius(i, normal) - lever.reach;
    let gap = above - lever.reach;
    if idle && gap >= contact.pull {
        return WallSolved();
    }
    let path = place - start - contact.travel;
    let opened = dot(path, normal);
    let along = max(contact.normal_sum - max(gap, opened + sunk) * (reach.x / lever_meets(lever, normal)), -contact.pull);
    var held = vec3f();
    if params.velocity_friction == 0u {
        let slip = path - opened * normal + swung_across(lever, normal);
        let goes = reach.y / lever_meets(lever, normal_or_zero(slip));
        let load = max(along + contact.pull, 0.0);
        held = hold(contact.friction_sum - slip * goes, load, contact.coefficients.x, contact.coefficients.y);
    }
    contacts[c].normal_sum = along;
    contacts[c].friction_sum = held;
    let push = (along - contact.normal_sum) * normal + (held - contact.friction_sum);
    let way = select(vec3f(), lever_turned_by(lever, push), turned.w > 0.0);
    return WallSolved(push, way, along != 0.0);
}
