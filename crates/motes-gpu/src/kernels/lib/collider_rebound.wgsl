// Velocities after the solve, with rebounds from colliders.

// The velocity `after` the solve of a particle that came with `old`; the fraction of its next kick (w). Changes go as far as
// `reach`, which is 1 for all but particles of rigid bodies. `slows` says whether friction acts on velocities, if it does at all.
fn rebound_from_colliders(i: u32, range: vec2u, old: vec3f, derived: vec4f, reach: f32, slows: bool) -> vec4f {
    var after = derived;
    for (var c = range.x; c < range.x + range.y; c++) {
        let contact = contacts[c];
        if contact.normal_sum <= 0.0 {
            continue;
        }
        let wall = contact.travel / params.h;
        let impact = dot(old - wall, contact.normal);
        let leaving = dot(after.xyz - wall, contact.normal);
        var wanted = -contact.coefficients.z * impact;
        if is_ellipsoid(i) {
            // Centres rebound by less where a part of the impact turns them.
            wanted /= lever_meets(wall_lever(i, contact.normal, vectors[turned_at(i)]), contact.normal);
        }
        if impact < -params.restitution_threshold && wanted > leaving {
            after = vec4f(after.xyz + (wanted - leaving) * reach * contact.normal, HALF_KICK);
        }
        if slows && params.velocity_friction == 1u {
            let slip = after.xyz - wall;
            let across = slip - dot(slip, contact.normal) * contact.normal;
            after = vec4f(after.xyz - min(contact.coefficients.y, 1.0) * reach * across, after.w);
        }
    }
    return after;
}
