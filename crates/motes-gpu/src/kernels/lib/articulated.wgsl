// Joints of a tree of rigid bodies, solved at once: motes-core's `articulated.rs`.

// A body with all that hangs below it.
struct NodeWork {
    mobility: SpatialTensor,
    free: Spatial,
    // Rotations in which impulses find their levers: where they act, and halfway from there to the end of the sub-step.
    start: vec4f,
    halfway: vec4f,
    inverse_inertia: mat3x3f,
}

struct JointWork {
    // What an impulse is per displacement, and the mobility above before the joint acts.
    stiffness: SpatialTensor,
    above: SpatialTensor,
    // Projection on the axes about which it holds, and how its points share a torque.
    held: mat3x3f,
    spread: mat3x3f,
    // How far the body above has to move against the one below, and the impulse if nothing above acts.
    gap: Spatial,
    wanted: Spatial,
    impulse: Spatial,
    // From the centre of the body above, and below.
    upper_arm: vec3f,
    // Attachments that hold.
    holding: f32,
    lower_arm: vec3f,
    // What is added to the linear mobility.
    sure: f32,
    // Middles of the points in the frames of the bodies.
    upper_middle: vec3f,
    // What is added to the angular mobility, as a share of it.
    share: f32,
    lower_middle: vec3f,
    unused_x: f32,
}

// What is left of a mobility where the linear motion of one point is held.
fn yielding(own: SpatialTensor, stiffness: mat3x3f, rest: mat3x3f) -> SpatialTensor {
    let follows = rest * stiffness;
    let along = follows * own.along;
    return SpatialTensor(
        (along + transpose(along)) * 0.5,
        own.crossing * transpose(follows),
        own.turning - own.crossing * stiffness * transpose(own.crossing),
    );
}

// The same with all blocks.
fn reduced(own: SpatialTensor, stiffness: SpatialTensor) -> SpatialTensor {
    let across = transpose(own.crossing);
    let back = transpose(stiffness.crossing);
    let a = stiffness.along * own.along + back * own.crossing;
    let b = stiffness.along * across + back * own.turning;
    let c = stiffness.crossing * own.along + stiffness.turning * own.crossing;
    let d = stiffness.crossing * across + stiffness.turning * own.turning;
    return SpatialTensor(
        own.along - (own.along * a + across * c),
        own.crossing - (own.crossing * a + own.turning * c),
        own.turning - (own.crossing * b + own.turning * d),
    );
}

// Σ |s|² − s sᵀ of one point.
fn spread_of(s: vec3f) -> mat3x3f {
    return symmetric(vec3f(dot(s, s)) - s * s, -s * s.yzx);
}
