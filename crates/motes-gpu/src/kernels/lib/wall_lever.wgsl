// Where an ellipsoid touches a collider, and what that turns it by: `ColliderLever` of motes-core.

struct WallLever {
    // From its centre to where it touches, in its radii.
    arm: vec3f,
    // How far it reaches towards the collider, metres.
    reach: f32,
    yields: Ellipsoid,
    turned: vec3f,
    // 1 if it turns by itself.
    mobility: f32,
}

// `turned` is the way of its rim, and 1 if it turns (w).
fn wall_lever(i: u32, normal: vec3f, turned: vec4f) -> WallLever {
    let shape = outline_of(i);
    let arm = -ellipsoid_point(shape, normal) / radius_of(i);
    let alone = turned.w > 0.0 && !is_in_part(i);
    let way = select(vec3f(), turned.xyz, turned.w > 0.0);
    return WallLever(arm, ellipsoid_reach(shape, normal), yields_of(i), way, select(0.0, 1.0, alone));
}

// Effective inverse mass in a direction over that of its centre.
fn lever_meets(lever: WallLever, direction: vec3f) -> f32 {
    let torque = cross(lever.arm, direction);
    return 1.0 + lever.mobility * dot(torque, times_ellipsoid(lever.yields, torque));
}

// How far its turning has moved the contact across the normal, metres.
fn swung_across(lever: WallLever, normal: vec3f) -> vec3f {
    let swung = cross(lever.turned, lever.arm);
    return swung - dot(swung, normal) * normal;
}

// What moving it by so much at the contact turns it by, as the way of its rim.
fn lever_turned_by(lever: WallLever, push: vec3f) -> vec3f {
    return times_ellipsoid(lever.yields, cross(lever.arm, push));
}

// How far a particle reaches towards a collider with that normal where the sub-step starts, metres.
fn wall_radius(i: u32, normal: vec3f) -> f32 {
    if is_ellipsoid(i) {
        return ellipsoid_reach(start_outline_of(i), normal);
    }
    return radius_of(i);
}
