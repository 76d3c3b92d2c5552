// Joints of a tree of rigid bodies, solved at once: motes-core's `articulated.rs`.

struct Tree {
    first_level: u32,
    levels: u32,
    // In how many places it is held by what does not yield.
    nails: u32,
    // Where the joints begin behind all nodes.
    behind: u32,
    first_joint: u32,
    end_joint: u32,
}

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
    // What the impulse of the held rows is per displacement, and the mobility above before the joint acts.
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
    // Middle of the points in the frame of the body above.
    upper_middle: vec3f,
    // What is added to the angular mobility, as a share of it.
    share: f32,
    // Where impulses act, in the frames of the bodies.
    acts_above: vec3f,
    // What acts on the axis; NO_JOINT if nothing does.
    drive: u32,
    acts_below: vec3f,
    // 1 if the body that was joined is above, -1 if it is below.
    side: f32,
    // Projection on the directions along which it holds.
    points: mat3x3f,
    // An impulse that it has in any case.
    given: Spatial,
    // How the body above moves along the axis, how far an impulse that way moves the bodies, and that impulse with what the
    // held rows do against it.
    direction: Spatial,
    across: Spatial,
    reaction: Spatial,
    // Friction and damping of a ball joint: how far it has turned and with which impulse.
    rubbed: Spatial,
    // NO_FRICTION, STICKS or SLIPS.
    rubbing: u32,
    // What is added to the mobility about the axes that it holds, where they are dampers.
    yielding: f32,
    // The piece of the law that the axis is on, and its value.
    piece: u32,
    value: f32,
    // How far the axis has moved, its mobility, how far it moves without an impulse, its impulse if nothing above acts,
    // and how much of that a displacement takes away.
    displacement: f32,
    mobility: f32,
    free: f32,
    given_along: f32,
    yields: f32,
    // What is added to its displacement and its impulse.
    further: f32,
    more: f32,
    // 1 if it is another joint in every iteration.
    changes: f32,
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
