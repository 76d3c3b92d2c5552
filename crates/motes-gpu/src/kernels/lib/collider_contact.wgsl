// A plane that one particle has to stay above, and what that took.

struct ColliderContact {
    // Surface point at the end of the sub-step.
    point: vec3f,
    // Distance that adhesion can close in the sub-step.
    pull: f32,
    normal: vec3f,
    // Correction along the normal so far in this sub-step, metres.
    normal_sum: f32,
    // Displacement of the surface during the sub-step.
    travel: vec3f,
    // Place of the collider among the frame's colliders.
    collider: u32,
    // Correction across the normal so far in this sub-step, metres.
    friction_sum: vec3f,
    inverse_mass: f32,
    // Static and kinetic friction, restitution and adhesion of the two materials.
    coefficients: vec4f,
    // How far the collider turns in the sub-step, axis times angle.
    turn: vec3f,
    // Rolling resistance of the two materials.
    rolling: f32,
}
