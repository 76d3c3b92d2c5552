// One contact with a collider: moves the particle and says whether the contact acts.

fn solve_collider(c: u32, start: vec3f, position: ptr<function, vec3f>) -> bool {
    let contact = contacts[c];
    let gap = dot(*position - contact.point, contact.normal) - params.radius;
    if gap >= contact.pull && contact.normal_sum == 0.0 {
        return false;
    }
    let along = max(contact.normal_sum - gap, -contact.pull);
    var held = vec3f();
    if params.velocity_friction == 0u {
        let path = *position - start - contact.travel;
        let slip = path - dot(path, contact.normal) * contact.normal;
        let load = max(along + contact.pull, 0.0);
        held = hold(contact.friction_sum - slip, load, contact.coefficients.x, contact.coefficients.y);
    }
    *position += (along - contact.normal_sum) * contact.normal + (held - contact.friction_sum);
    contacts[c].normal_sum = along;
    contacts[c].friction_sum = held;
    return along != 0.0;
}
