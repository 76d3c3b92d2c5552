// Reads the pool of words that holds colliders, their shapes and the coefficients of surfaces.

fn number_at(place: u32) -> f32 {
    return bitcast<f32>(pool[place]);
}

fn point_at(place: u32) -> vec3f {
    return vec3f(number_at(place), number_at(place + 1u), number_at(place + 2u));
}

// Where a collider had its origin at the end of the frame.
fn collider_origin(colliders: ColliderParams, collider: u32) -> vec3f {
    return point_at(colliders.origins + 4u * collider);
}

// Static and kinetic friction, restitution and adhesion between particles of a material and a collider.
fn collider_surface(colliders: ColliderParams, material: u32, collider: u32) -> vec4f {
    let place = surface_place(colliders, material, collider);
    return vec4f(point_at(place), number_at(place + 3u));
}

// Rolling resistance of particles of a material on a collider.
fn collider_rolling(colliders: ColliderParams, material: u32, collider: u32) -> f32 {
    return number_at(surface_place(colliders, material, collider) + 4u);
}

fn surface_place(colliders: ColliderParams, material: u32, collider: u32) -> u32 {
    let other = pool[colliders.origins + 4u * collider + 3u];
    return colliders.surfaces + SURFACE * (material * colliders.materials + other);
}

// Radius of a particle of a phase, metres.
fn group_radius_of(colliders: ColliderParams, phase: u32) -> f32 {
    if colliders.groups == 0u {
        return colliders.radius;
    }
    return number_at(colliders.radii + min(phase & GROUP_MASK, colliders.groups - 1u));
}

// Largest impulse by which a contact of one pascal pulls a particle of a radius, kg·m.
fn group_grip(colliders: ColliderParams, radius: f32) -> f32 {
    return colliders.grip * select(radius * radius, 1.0, colliders.groups == 0u);
}
