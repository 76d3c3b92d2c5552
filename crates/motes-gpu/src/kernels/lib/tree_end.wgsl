// What becomes of bodies and attachments once a tree is solved. Kernels have `bodies`, `attachments` and `drives`.

// Moves a body by its joints.
fn move_node(n: u32) {
    let node = node_at(n);
    let b = node.x;
    let start = node_work[n].start;
    var impulse = Spatial();
    for (var j = node.z; j < node.z + node.w; j++) {
        impulse = plus(impulse, impulse_from(joint_work[j].impulse, turn(start, joint_work[j].acts_above)));
    }
    if node.y != NO_JOINT {
        impulse = plus(impulse, from_above(node.y, turn(start, joint_work[node.y].acts_below)));
    }
    var twisted = vec3f();
    if STARTS == 0u {
        twisted = bodies[b].rebound_spin;
    }
    let turning = length(node_work[n].inverse_inertia * (impulse.angular + twisted));
    let angular = (impulse.angular + twisted) * (LARGEST_TURN / max(turning, LARGEST_TURN));
    if STARTS == 0u {
        let distance = impulse.linear / bodies[b].mass + bodies[b].rebound;
        bodies[b].rebound = vec3f();
        bodies[b].rebound_spin = vec3f();
        move_end(b, distance, angular);
    } else if any(impulse.linear != vec3f()) || any(impulse.angular != vec3f()) {
        move_start(b, impulse.linear / bodies[b].mass, angular);
    }
}

// Notes what the attachments of a joint did.
fn note_impulses(j: u32) {
    let upper = node_at(joint_at(j).z).x;
    var impulse = joint_work[j].impulse;
    // A spring is all that its points bear.
    if DRIVES == 1u && trace(joint_work[j].points) > 0.5 {
        impulse = held_impulse(j);
    }
    let joint = joint_at(j);
    let torque = joint_work[j].spread * impulse.angular;
    let start = bodies[upper].from_rotation;
    for (var a = joint.x; a < joint.x + joint.y; a++) {
        if attachments[a].state != HOLDS {
            continue;
        }
        let is_first = attachments[a].body == upper;
        let point = select(attachments[a].anchor, attachments[a].point, is_first);
        let s = turn(start, arm_of(upper, point) - joint_work[j].upper_middle);
        let part = impulse.linear / joint_work[j].holding + cross(torque, s);
        attachments[a].impulse += select(-part, part, is_first);
    }
}
