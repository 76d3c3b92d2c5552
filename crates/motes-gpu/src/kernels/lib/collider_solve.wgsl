// One contact with a collider of a particle with a radius at `place`: the correction, and whether the contact acts (w). Corrections go as far
// as `reach.x` along the normal, which is 1 for all but particles of rigid bodies, and `reach.y` across it. What is at the end of the contact's arm has
// moved by `swung` more than the particle; its surface has gone by `spun` besides.

fn solve_collider(c: u32, radius: f32, start: vec3f, place: vec3f, swung: vec3f, spun: vec3f, reach: vec2f) -> vec4f {
    let contact = contacts[c];
    let gap = dot(place - contact.point + swung, contact.normal) - radius;
    let path = place - start - contact.travel + swung;
    let opened = dot(path, contact.normal);
    if gap >= contact.pull && contact.normal_sum == 0.0 {
        return vec4f();
    }
    let along = max(contact.normal_sum - max(gap, opened) * reach.x, -contact.pull);
    var held = vec3f();
    if params.velocity_friction == 0u {
        let slip = (path - opened * contact.normal - spun) * reach.y;
        let load = max(along + contact.pull, 0.0);
        held = hold(contact.friction_sum - slip, load, contact.coefficients.x, contact.coefficients.y);
    }
    contacts[c].normal_sum = along;
    contacts[c].friction_sum = held;
    let change = (along - contact.normal_sum) * contact.normal + (held - contact.friction_sum);
    return vec4f(change, select(0.0, 1.0, along != 0.0));
}
