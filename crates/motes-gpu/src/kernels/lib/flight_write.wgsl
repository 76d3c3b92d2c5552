// Changes of how rigid bodies fly.

fn set_start(b: u32, pose: Pose) {
    bodies[b].from_position = pose.position;
    bodies[b].from_rotation = pose.rotation;
}

fn set_end(b: u32, pose: Pose) {
    bodies[b].to_position = pose.position;
    bodies[b].to_rotation = pose.rotation;
}

// Moves the end of the sub-step: the centre by a distance, and what turns the body by an angular impulse.
fn move_end(b: u32, distance: vec3f, angular_impulse: vec3f) {
    let offset = bodies[b].offset + distance;
    let impulse = bodies[b].angular_impulse + angular_impulse;
    bodies[b].offset = offset;
    bodies[b].angular_impulse = effective_impulse(b, bodies[b].from_rotation, impulse);
    set_end(b, end_of_flight(b, start_of_flight(b), offset, impulse));
}

// Moves the start of the sub-step by joints; the end follows.
fn move_start(b: u32, distance: vec3f, angular_impulse: vec3f) {
    let axis = turn_in(1.0, bodies[b].from_rotation, bodies[b].inverse_inertia, angular_impulse);
    let start = moved(start_of_flight(b), distance, axis);
    set_start(b, start);
    set_end(b, end_of_flight(b, start, bodies[b].offset, bodies[b].angular_impulse));
    bodies[b].start_moved = MOVED_BY_JOINTS;
}
