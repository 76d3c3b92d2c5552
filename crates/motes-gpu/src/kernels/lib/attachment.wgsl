// Points of bodies that are held somewhere: motes-core's `attachment.rs`.

struct Attachment {
    // The point in the frame that the body was given in, and the body.
    point: vec3f,
    body: u32,
    // The same of the other body; without one, a place in the world.
    anchor: vec3f,
    other: u32,
    // What it has done to the first body in the sub-step.
    impulse: vec3f,
    breaking_force: f32,
    // If held to a collider, the first of the places where the anchor is, at the start of the frame and at the ends of all sub-steps.
    path: u32,
    state: u32,
    // What acts on the axis of its joint; NO_JOINT if nothing does.
    drive: u32,
    // Whether its joint is switched on.
    is_on: u32,
    // Of bodies that are not rigid, how the points are held: `Grip` of motes-core's `grip.rs`, and the members that do, one after the
    // other or LISTED among the membership.
    slope: vec3f,
    per_mass: f32,
    center: vec3f,
    inverse_mass: f32,
    arm: vec3f,
    first: u32,
    other_slope: vec3f,
    other_per_mass: f32,
    other_center: vec3f,
    other_inverse_mass: f32,
    other_arm: vec3f,
    other_first: u32,
    count: u32,
    other_count: u32,
    // Whether the joint that it is the first of has been solved in the sub-step, its mobilities and all.
    is_solved: u32,
    // Whether it is one of a tree.
    in_tree: u32,
    // What it did to it in the sub-steps of the frame before this one.
    earlier: vec3f,
    unused_z: u32,
    // Where the anchor is at the start of the sub-step.
    from_anchor: vec3f,
    unused_w: u32,
}

