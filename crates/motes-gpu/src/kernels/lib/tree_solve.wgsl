// A tree is solved: from its leaves to the root, where joints take away from the mobility of the body above them, and back. Kernels have `bodies`.

// How far the bodies of a joint move without it: the one above by `upper`.
fn free_of(j: u32, upper: Spatial) -> Spatial {
    let free = displacement_at(upper, joint_work[j].upper_arm);
    let lower = joint_at(j).w;
    if lower == NO_JOINT {
        return free;
    }
    return minus(free, displacement_at(node_work[lower].free, joint_work[j].lower_arm));
}

// How far contacts push a body: what its joints have to take up in the same go.
fn pushed(n: u32) -> Spatial {
    if STARTS == 1u {
        return Spatial();
    }
    let b = node_at(n).x;
    return Spatial(bodies[b].rebound, node_work[n].inverse_inertia * bodies[b].rebound_spin);
}

// On the way up: what a body is with the joints below it.
fn attach_all(n: u32) {
    let node = node_at(n);
    let inverse_mass = symmetric(vec3f(1.0 / bodies[node.x].mass), vec3f());
    var mobility = SpatialTensor(inverse_mass, mat3x3f(), node_work[n].inverse_inertia);
    var free = pushed(n);
    for (var j = node.z; j < node.z + node.w; j++) {
        let arm = joint_work[j].upper_arm;
        if joint_work[j].holding == 0.0 {
            continue;
        }
        let own = tensor_at(mobility, arm);
        var rest = SpatialTensor();
        let lower = joint_at(j).w;
        if lower != NO_JOINT {
            rest = tensor_at(node_work[lower].mobility, joint_work[j].lower_arm);
        }
        rest.along += symmetric(vec3f(joint_work[j].sure), vec3f());
        let whole = SpatialTensor(own.along + rest.along, own.crossing + rest.crossing, own.turning + rest.turning);
        let held = joint_work[j].held;
        let points = joint_work[j].points;
        var yielded = whole;
        yielded.turning += symmetric(vec3f(joint_work[j].yielding), vec3f());
        var stiffness = tensor_inverse(yielded, points, held, joint_work[j].share);
        let unmoved = free_of(j, free);
        let given = joint_work[j].given;
        let gap = minus(minus(joint_work[j].gap, unmoved), times(whole, given));
        var wanted = plus(times(stiffness, gap), given);
        var is_point = trace(held) == 0.0 && trace(points) > 2.5;
        joint_work[j].above = own;
        joint_work[j].stiffness = stiffness;
        if DRIVES == 1u && joint_work[j].piece != NO_AXIS {
            eliminate_axis(j, whole, stiffness);
            aim_axis(j, wanted, unmoved);
            let reaction = joint_work[j].reaction;
            wanted = plus(wanted, scaled(reaction, joint_work[j].given_along));
            stiffness = plus_outer(stiffness, reaction, joint_work[j].yields);
            is_point = is_point && joint_work[j].yields == 0.0;
        }
        joint_work[j].wanted = wanted;
        free = plus(free, displacement_at(times(own, wanted), -arm));
        var left: SpatialTensor;
        if is_point {
            left = yielding(own, stiffness.along, rest.along);
        } else {
            left = reduced(own, stiffness);
        }
        mobility = tensor_at(left, -arm);
    }
    node_work[n].mobility = mobility;
    node_work[n].free = free;
}

// The same where only gaps have changed.
fn attach_again(n: u32) {
    let node = node_at(n);
    var free = pushed(n);
    for (var j = node.z; j < node.z + node.w; j++) {
        if joint_work[j].holding == 0.0 {
            continue;
        }
        let unmoved = free_of(j, free);
        var wanted = times(joint_work[j].stiffness, minus(joint_work[j].gap, unmoved));
        if DRIVES == 1u && joint_work[j].piece != NO_AXIS {
            aim_axis(j, wanted, unmoved);
            wanted = plus(wanted, scaled(joint_work[j].reaction, joint_work[j].given_along));
        }
        joint_work[j].wanted = wanted;
        free = plus(free, displacement_at(times(joint_work[j].above, wanted), -joint_work[j].upper_arm));
    }
    node_work[n].free = free;
}

// What the joint above does to a body, about its centre.
fn from_above(above: u32, arm: vec3f) -> Spatial {
    let impulse = joint_work[above].impulse;
    return impulse_from(Spatial(-impulse.linear, -impulse.angular), arm);
}

// On the way down: the impulses of the joints below a body.
fn release_all(n: u32) {
    let node = node_at(n);
    var acting = Spatial();
    if node.y != NO_JOINT {
        acting = from_above(node.y, joint_work[node.y].lower_arm);
    }
    for (var k = node.w; k > 0u; k--) {
        let j = node.z + k - 1u;
        if joint_work[j].holding == 0.0 {
            continue;
        }
        let arm = joint_work[j].upper_arm;
        let moved = times(joint_work[j].above, impulse_from(acting, -arm));
        var impulse = minus(joint_work[j].wanted, times(joint_work[j].stiffness, moved));
        if DRIVES == 1u && joint_work[j].piece != NO_AXIS {
            let reaction = joint_work[j].reaction;
            impulse = minus(impulse, scaled(reaction, joint_work[j].yields * product(reaction, moved)));
        }
        joint_work[j].impulse = impulse;
        acting = plus(acting, impulse_from(impulse, arm));
        if DRIVES == 1u {
            release_axis(j, moved);
            release_friction(j);
        }
    }
}
