// Neighbourhoods of creatures: motes-core's `cpu/creatures/neighborhoods.rs`.

struct CreatureGroup {
    // The inverse of its inertia at the start, by which it makes up for what it turns.
    balance: mat3x3f,
    // Where its middle starts.
    start: vec3f,
    // How far it pulls in a sub-step.
    gain: f32,
    // What it has just turned its middle by.
    turned: vec3f,
    // The same gain for a sub-step of a sixtieth of a second.
    rate: f32,
    // Its entries, the middle first.
    first: u32,
    count: u32,
    unused_x: u32,
    unused_y: u32,
}

// A member in a neighbourhood: how far that pulls at it, and what it has just done to it, metres.
struct CreatureEntry {
    pull: vec3f,
    member: u32,
    pushed: vec3f,
    unused: u32,
}

fn gain_of(rate: f32) -> f32 {
    return min(rate * (60.0 * params.h) * (60.0 * params.h), creature_params.most_gain);
}

// Notes how a neighbourhood makes up for what it turns, and how stiff it is.
fn balance_group(g: u32) {
    let first = groups[g].first;
    let end = first + groups[g].count;
    let middle = entries[first].member;
    let near = members[middle].start;
    var mass = 0.0;
    var center = vec3f();
    for (var e = first; e < end; e++) {
        let m = entries[e].member;
        if is_alive(m) {
            let share = members[m].share * members[m].mass;
            mass += share;
            center += share * (members[m].start - near);
        }
    }
    center = near + center / max(mass, 1e-37);
    var inertia = mat3x3f();
    if members[middle].turns != 0u {
        inertia = member_inertia(middle);
    }
    for (var e = first; e < end; e++) {
        let m = entries[e].member;
        if is_alive(m) {
            inertia += point_inertia(members[m].share * members[m].mass, members[m].start - center);
        }
    }
    groups[g].balance = inverse_tensor(inertia);
    groups[g].start = center;
    groups[g].gain = gain_of(groups[g].rate);
}

// The rotation that makes `tr(QᵀA)` largest, from a guess that is mostly near: plain steps of Newton's method, unless they turn out to be long or not to
// lead upward.
fn rotation_near(covariance: mat3x3f, guess: vec4f) -> vec4f {
    var found = guess;
    for (var k = 0u; k < 4u; k++) {
        let here = slope_at(covariance, found);
        if !(here.trace - here.size > LEAST * here.size) {
            break;
        }
        let scale = 1.0 / here.size;
        let m = symmetric((vec3f(here.trace) - here.diagonal) * scale, -here.mixed * scale);
        let x = cross(m[1], m[2]);
        let along = x * here.twist.x + cross(m[2], m[0]) * here.twist.y + cross(m[0], m[1]) * here.twist.z;
        let step = along * (scale / dot(m[0], x));
        let squared = dot(step, step);
        if !(squared < FAR_STEP * FAR_STEP) {
            break;
        }
        found = normalize(compose(here.rotation, vec4f(0.5 * step, 1.0)));
        if squared < EXACT_STEP * EXACT_STEP {
            return found;
        }
    }
    return best_rotation(covariance, guess);
}

fn place_of(m: u32, begins: bool) -> vec3f {
    return select(members[m].place, members[m].start, begins);
}

// Matches a neighbourhood: what that does to its members, and by how much it turns its middle. `begins` has it start from what the beginning of the
// sub-step calls for.
fn match_group(g: u32, begins: bool) {
    let first = groups[g].first;
    let end = first + groups[g].count;
    let middle = entries[first].member;
    groups[g].turned = vec3f();
    if !is_alive(middle) {
        for (var e = first; e < end; e++) {
            entries[e].pushed = vec3f();
        }
        return;
    }
    let now = select(members[middle].rotation, members[middle].origin, vec4<bool>(begins));
    let near = place_of(middle, begins);
    var moments = Moments();
    for (var e = first; e < end; e++) {
        let m = entries[e].member;
        if is_alive(m) {
            add_moment(&moments, members[m].share * members[m].mass, place_of(m, begins) - near, members[m].rest);
        }
    }
    moments.products += matrix_of(now) * member_moment(middle);
    let guess = compose(now, reverse(members[middle].rest_rotation));
    let is_held = members[middle].moves == 0u;
    // What is pinned holds its neighbours where its axes say.
    var center = vec3f();
    var rest_center = members[middle].rest;
    var matched = guess;
    if !is_held {
        center = moments.places * per_mass(moments);
        rest_center = moments.rests * per_mass(moments);
        matched = rotation_near(covariance_of(moments), guess);
    }
    let rotation = matrix_of(matched);
    let gain = groups[g].gain;
    let start = groups[g].start;
    var torque = vec3f();
    for (var e = first; e < end; e++) {
        let m = entries[e].member;
        if !is_alive(m) {
            entries[e].pushed = vec3f();
            continue;
        }
        let gap = rotation * (members[m].rest - rest_center) + (center - (place_of(m, begins) - near));
        var change = gain * gap;
        if begins {
            entries[e].pull = change;
        } else {
            change = (gain * gap - entries[e].pull) / (1.0 + gain);
            entries[e].pull += change;
        }
        entries[e].pushed = change;
        torque += members[m].share * members[m].mass * cross(members[m].start - start, change);
    }
    var way = vec3f();
    if members[middle].turns != 0u && !begins {
        way = between(now, compose(matched, members[middle].rest_rotation));
        torque += member_inertia(middle) * way;
    }
    if is_held {
        return;
    }
    let back = groups[g].balance * -torque;
    for (var e = first; e < end; e++) {
        entries[e].pushed += cross(back, members[entries[e].member].start - start);
    }
    groups[g].turned = way + back;
}

// Moves a member by what its neighbourhoods have just done to it.
fn move_by_groups(m: u32) {
    if members[m].moves != 0u {
        let at = creature_params.entry_starts + m;
        var sum = vec3f();
        for (var k = links[at]; k < links[at + 1u]; k++) {
            sum += entries[links[creature_params.entry_list + k]].pushed;
        }
        members[m].place += members[m].share * sum;
    }
    let own = members[m].neighborhood;
    if members[m].turns != 0u && own != NOBODY {
        turn_further(m, groups[own].turned);
    }
}
