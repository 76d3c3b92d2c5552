// Rigid parts of creatures: motes-core's `cpu/creatures/parts.rs`.

fn part_member(entry: u32) -> u32 {
    return links[creature_params.part_members + entry];
}

// What a member counts with in each of its parts: pinned ones say where the others go.
fn counted_mass(m: u32) -> f32 {
    return select(HELD_PARTS, 1.0, members[m].moves != 0u) * members[m].part_share * members[m].mass;
}

// Whether its orientation counts.
fn counts_turned(m: u32) -> bool {
    return members[m].part_share == 1.0;
}

// The way from one place to another; nothing where that is rounding.
fn way_off(start: vec3f, end: vec3f) -> vec3f {
    let way = end - start;
    let sizes = abs(end) + abs(start);
    let far = abs(way);
    let is_off = max(far.x, max(far.y, far.z)) > ROUNDING * max(sizes.x, max(sizes.y, sizes.z));
    return select(vec3f(), way, is_off);
}

fn part_arm(p: u32, m: u32) -> vec3f {
    return turn(parts[p].origin, members[m].rest - parts[p].rest_center);
}

// The way of a member from a place to where the part has it.
fn part_way(p: u32, m: u32, place: vec3f) -> vec3f {
    let arm = turn(parts[p].rotation, members[m].rest - parts[p].rest_center);
    return way_off(place - parts[p].near, parts[p].center + parts[p].travel + arm);
}

// The same where the sub-step starts.
fn part_way_at_start(p: u32, m: u32, place: vec3f) -> vec3f {
    return way_off(place - parts[p].near, parts[p].center + part_arm(p, m));
}

// Finds where a part starts, and guesses where it gets to: as one of its members does or, if it `keeps` to that, as it did before.
fn begin_part(p: u32, keeps: bool) {
    let end = parts[p].first + parts[p].count;
    var some = NOBODY;
    for (var e = parts[p].first; e < end && some == NOBODY; e++) {
        some = select(NOBODY, part_member(e), is_alive(part_member(e)));
    }
    if some == NOBODY {
        parts[p].mass = 0.0;
        return;
    }
    let near = members[some].start;
    var moments = Moments();
    for (var e = parts[p].first; e < end; e++) {
        let m = part_member(e);
        if !is_alive(m) {
            continue;
        }
        let mass = counted_mass(m);
        add_moment(&moments, mass, members[m].start - near, members[m].rest);
        if counts_turned(m) {
            moments.products += matrix_of(members[m].origin) * member_moment(m) * (mass / members[m].mass);
        }
    }
    let center = moments.places * per_mass(moments);
    let rest_center = moments.rests * per_mass(moments);
    let guess = compose(members[some].origin, reverse(members[some].rest_rotation));
    let origin = best_rotation(covariance_of(moments), guess);
    let rotation = matrix_of(origin);
    var before = mat3x3f();
    var inertia = mat3x3f();
    for (var e = parts[p].first; e < end; e++) {
        let m = part_member(e);
        if !is_alive(m) {
            continue;
        }
        let mass = counted_mass(m);
        let arm = rotation * (members[m].rest - rest_center);
        before += outer(mass * arm, arm);
        inertia += point_inertia(mass, arm);
        if counts_turned(m) {
            let times = mass / members[m].mass;
            before += rotation * (matrix_of(members[m].rest_rotation) * times) * member_moment(m) * transpose(rotation);
            inertia += times * member_inertia(m);
        }
    }
    parts[p].origin = origin;
    parts[p].rest_center = rest_center;
    parts[p].near = near;
    parts[p].center = center;
    parts[p].mass = moments.mass;
    parts[p].before = before;
    parts[p].inverse = inverse_tensor(inertia);
    if !keeps {
        let way = members[some].turned;
        let arm = rotation * (members[some].rest - rest_center);
        parts[p].turned = way;
        parts[p].travel = members[some].place - members[some].start - (turn(rotation_about(way), arm) - arm);
    }
    parts[p].rotation = turned_on(origin, parts[p].turned);
}

// The rotation that brings its rest shape closest to where its members are.
fn matched_part(p: u32) -> vec4f {
    var moments = Moments();
    for (var e = parts[p].first; e < parts[p].first + parts[p].count; e++) {
        let m = part_member(e);
        if !is_alive(m) {
            continue;
        }
        let mass = counted_mass(m);
        add_moment(&moments, mass, members[m].place - parts[p].near, members[m].rest);
        if counts_turned(m) {
            moments.products += matrix_of(members[m].rotation) * member_moment(m) * (mass / members[m].mass);
        }
    }
    return best_rotation(covariance_of(moments), parts[p].rotation);
}

// Finds where it is by how far its members are from where it has them: what nothing pushed is there, and changes nothing.
fn follow_part(p: u32) {
    let start = transpose(matrix_of(parts[p].origin));
    var push = vec3f();
    var torque = vec3f();
    for (var e = parts[p].first; e < parts[p].first + parts[p].count; e++) {
        let m = part_member(e);
        if !is_alive(m) {
            continue;
        }
        let mass = counted_mass(m);
        let pushed = -mass * part_way(p, m, members[m].place);
        push += pushed;
        torque += cross(part_arm(p, m), pushed);
        if counts_turned(m) {
            torque += members[m].torque;
            let goal = compose(parts[p].rotation, members[m].rest_rotation);
            let apart = abs(between(goal, members[m].rotation));
            if max(apart.x, max(apart.y, apart.z)) > ROUNDING {
                let change = matrix_of(members[m].rotation) - matrix_of(goal);
                torque += axial(change * member_moment(m) * start) * (mass / members[m].mass);
            }
        }
    }
    if parts[p].mass <= 0.0 {
        return;
    }
    parts[p].travel += push / parts[p].mass;
    if all(torque == vec3f()) {
        return;
    }
    // Arms add up to nothing, so that the centre does not matter.
    let before = parts[p].before;
    let wanted = axial(matrix_of(rotation_about(parts[p].turned)) * before) + torque;
    var way = parts[p].turned;
    var is_near = true;
    for (var k = 0u; k < 8u && is_near; k++) {
        let step = parts[p].inverse * (wanted - axial(matrix_of(rotation_about(way)) * before));
        way += step;
        is_near = dot(way, way) < FURTHEST_TURN * FURTHEST_TURN;
        if dot(step, step) < 1e-14 {
            break;
        }
    }
    if is_near {
        parts[p].turned = way;
        parts[p].rotation = turned_on(parts[p].origin, way);
    } else {
        let found = matched_part(p);
        parts[p].turned = between_near(parts[p].origin, found, parts[p].turned);
        parts[p].rotation = found;
    }
}

// The part of an entry that a member has in the list of those of its own.
fn own_part(k: u32) -> u32 {
    return links[creature_params.part_numbers + links[creature_params.part_list + k]];
}

// The entries of a member, first and end.
fn own_parts(m: u32) -> vec2u {
    let at = creature_params.part_starts + m;
    return vec2u(links[at], links[at + 1u]);
}

// Puts a member where its rigid parts have it.
fn follow_parts(m: u32) {
    if !is_rigid(m) || !is_alive(m) {
        return;
    }
    let own = own_parts(m);
    if members[m].moves != 0u {
        var ways = vec3f();
        for (var k = own.x; k < own.y; k++) {
            ways += part_way(own_part(k), m, members[m].place);
        }
        members[m].place += members[m].part_share * ways;
    }
    if members[m].turns != 0u && own.y > own.x {
        let goal = compose(parts[own_part(own.x)].rotation, members[m].rest_rotation);
        let way = between(members[m].rotation, goal);
        let far = abs(way);
        if max(far.x, max(far.y, far.z)) > ROUNDING {
            turn_further(m, way);
        }
    }
    members[m].torque = vec3f();
}
