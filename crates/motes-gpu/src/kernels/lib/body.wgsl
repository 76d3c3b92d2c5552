// Bodies and their members: what the CPU engine has in `Bodies`, and in `Flight` of its `shapes.rs`.

// What has moved the start of a body.
const MOVED_OUT = 1.0;
const MOVED_BY_JOINTS = 2.0;

struct Body {
    // Members.
    first: u32,
    count: u32,
    // RIGID and the like, a bit each.
    kind: u32,
    // First of the poses of a kinematic body's frame.
    path: u32,
    // What turns the body from one pose to the other: angular momentum times time.
    angular_impulse: vec3f,
    // Mass scaling between bodies; less than 0 for what the settings say.
    mass_scaling: f32,
    // Centre of mass in the frame that the body was given in.
    origin: vec3f,
    // Distance that a member may flow before it knows its surface no more.
    limit: f32,
    // What pushes on the body in the frame.
    force: vec3f,
    mass: f32,
    torque: vec3f,
    stiffness: f32,
    // Poses of the centre of mass at either end of the sub-step, with the rotations below. Between sub-steps a rigid body keeps
    // the first, and its velocity and angular momentum.
    from_position: vec3f,
    cluster_stiffness: f32,
    to_position: vec3f,
    threshold: f32,
    // Centre of mass of the rest shape.
    rest_center: vec3f,
    creep: f32,
    // Velocity of the centre before the sub-step.
    velocity: vec3f,
    // Effective inverse mass of any of its contacts, 1/kg.
    mobility: f32,
    // Angular velocity before the sub-step.
    spin: vec3f,
    // How far the body moves as one, between 0 and 1.
    unity: f32,
    // Of the rest shape about its centre; the inverse is zero about axes without inertia.
    inertia: mat3x3f,
    inverse_inertia: mat3x3f,
    // From the rest pose, at the end of the last sub-step.
    rotation: vec4f,
    from_rotation: vec4f,
    to_rotation: vec4f,
    // What the body would turn by if nothing were in the way.
    turn: vec4f,
    // How far the centre goes from one pose to the other.
    offset: vec3f,
    // Where in the sub-step impulses of attachments act, from 0 at its start to 1 at its end.
    lever: f32,
    // Before the sub-step.
    angular_momentum: vec3f,
    // 1 if it is one of a tree of joints.
    in_tree: f32,
    // What rebounds change of its velocity and of its angular momentum; before, what contacts do to a body of a tree until its
    // joints have their say: how far its centre goes, and the angular impulse.
    rebound: vec3f,
    // Whether the stabilisation has moved its start: MOVED_OUT, or MOVED_BY_JOINTS after that.
    start_moved: f32,
    rebound_spin: vec3f,
    unused_spin: f32,
    // Of a body of revolution, its axis and a point of that, from the centre of mass; zero for others.
    axis: vec3f,
    unused_axis: f32,
    axis_point: vec3f,
    unused_axis_point: f32,
}


fn is_a(body: u32, kinds: u32) -> bool {
    return (bodies[body].kind & kinds) != 0u;
}

// The fraction of a deformation that is undone, by the share of a sixtieth of a second that goes into it.
fn share_of_stiffness(stiffness: f32, part: f32) -> f32 {
    return select(1.0 - pow(max(1.0 - stiffness, 0.0), part), 1.0, stiffness >= 1.0);
}

// Whether a point of a body is held by a part of it: the body bends.
fn is_held_by_part(b: u32) -> bool {
    return b != NO_BODY && !is_a(b, RIGID | KINEMATIC);
}
