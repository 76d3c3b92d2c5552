// Colliders have the last word about bodies: motes-core's `keep_out.rs`. One workgroup for each body, which solves the deepest
// contact of a rigid one alone, then the next. AT_START is 1 for starts, which the stabilisation has moved, and 0 for ends.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> vectors: array<vec4f>;
@group(0) @binding(2) var<storage, read> membership: array<u32>;
@group(0) @binding(3) var<storage, read> body_members: array<vec4u>;
@group(0) @binding(4) var<storage, read_write> bodies: array<Body>;
@group(0) @binding(5) var<storage, read> contact_ranges: array<vec2u>;
@group(0) @binding(6) var<storage, read_write> contacts: array<ColliderContact>;
// Rigid bodies that are attached, in order; none where JOINTS is 0.
@group(0) @binding(7) var<storage, read> attached: array<vec2u>;

// Of the end in question, and of the end of the sub-step.
var<workgroup> pose: Pose;
var<workgroup> end_pose: Pose;
var<workgroup> swing: vec3f;
var<workgroup> depths: array<f32, WORKGROUP>;
// The member of each, and its contact.
var<workgroup> deepest: array<vec2u, WORKGROUP>;
var<workgroup> goes_on: u32;
var<workgroup> is_moved: u32;

fn is_attached(b: u32) -> bool {
    var low = 0u;
    var high = arrayLength(&attached);
    while low < high {
        let middle = (low + high) / 2u;
        if attached[middle].x < b {
            low = middle + 1u;
        } else {
            high = middle;
        }
    }
    return low < arrayLength(&attached) && attached[low].x == b;
}

// From a particle to where a contact acts on it.
fn arm_at(slot: u32, normal: vec3f) -> vec3f {
    if INSCRIBED == 1u && has_ball(vectors[twist_at(slot)]) {
        return arm_of(vectors[inscribed_at(slot)], normal, radius_of(slot));
    }
    return vec3f();
}

// How much too deep a particle is that its body has at a place.
fn depth_at(slot: u32, c: u32, place: vec3f) -> f32 {
    let contact = contacts[c];
    let radius = radius_of(slot);
    if AT_START == 1u {
        return radius - dot(place - (contact.point - contact.travel), contact.normal) - DEEP * radius;
    }
    let at = place + cross(swing, arm_at(slot, contact.normal));
    let opened = dot(at - vectors[start_at(slot)].xyz - contact.travel, contact.normal);
    let gap = dot(at - contact.point, contact.normal) - radius;
    return -max(opened, gap + DEEP * radius);
}

fn note_pose(b: u32) {
    end_pose = Pose(bodies[b].to_position, bodies[b].to_rotation);
    if AT_START == 1u {
        pose = start_of_flight(b);
        swing = vec3f();
    } else {
        pose = end_pose;
        swing = arc(compose(pose.rotation, reverse(bodies[b].from_rotation))) - arc(bodies[b].turn);
    }
}

// Solves one contact alone.
fn solve_alone(b: u32, m: u32, c: u32, depth: f32) {
    let slot = membership[m] - 1u;
    let normal = contacts[c].normal;
    let rest = bitcast<vec4f>(body_members[rest_at(m)]).xyz - bodies[b].rest_center;
    let arm = turn(pose.rotation, rest) + arm_at(slot, normal);
    let turning = cross(arm, normal);
    let inverse_inertia = turned(bodies[b].inverse_inertia, pose.rotation);
    let push = depth / (1.0 / bodies[b].mass + dot(turning, inverse_inertia * turning));
    let distance = push / bodies[b].mass * normal;
    if AT_START == 1u {
        move_start(b, distance, push * turning);
        bodies[b].start_moved = MOVED_OUT;
    } else {
        move_end(b, distance, push * turning);
        contacts[c].normal_sum += push * contacts[c].inverse_mass;
        vectors[pushed_at(slot)].w = 1.0;
    }
}

// A particle of a body that bends leaves colliders by itself.
fn keep_particle_out(slot: u32) {
    let run = contact_ranges[slot];
    let old = vectors[predicted_at(slot)];
    var place = old.xyz;
    for (var c = run.x; c < run.x + run.y; c++) {
        let depth = depth_at(slot, c, place);
        if depth > 0.0 {
            place += depth * contacts[c].normal;
            contacts[c].normal_sum += depth;
            vectors[pushed_at(slot)].w = 1.0;
        }
    }
    vectors[predicted_at(slot)] = vec4f(place, old.w);
}

@compute @workgroup_size(WORKGROUP)
fn main(thread: Thread) {
    let local = thread.local;
    let group = body_group(thread);
    let b = group.body;
    if AT_START == 0u && !is_a(b, RIGID | KINEMATIC) {
        for (var m = group.first + local; m < group.end; m += WORKGROUP) {
            if membership[m] != 0u {
                keep_particle_out(membership[m] - 1u);
            }
        }
    }
    if local == 0u {
        is_moved = 0u;
        goes_on = 0u;
        let is_free = group.exists && (bodies[b].kind & (RIGID | KINEMATIC)) == RIGID;
        if is_free && (AT_START == 1u || JOINTS == 0u || !is_attached(b)) {
            goes_on = 1u;
            note_pose(b);
        }
    }
    for (var round = 0u; round < KEEP_OUT_ROUNDS; round++) {
        if workgroupUniformLoad(&goes_on) == 0u {
            break;
        }
        var depth = 0.0;
        var found = vec2u();
        for (var m = group.first + local; m < group.end; m += WORKGROUP) {
            if membership[m] == 0u {
                continue;
            }
            let slot = membership[m] - 1u;
            let run = contact_ranges[slot];
            if run.y == 0u {
                continue;
            }
            let rest = bitcast<vec4f>(body_members[rest_at(m)]).xyz - bodies[b].rest_center;
            let place = turn(pose.rotation, rest) + pose.position;
            for (var c = run.x; c < run.x + run.y; c++) {
                let own = depth_at(slot, c, place);
                if own > depth {
                    depth = own;
                    found = vec2u(m, c);
                }
            }
        }
        depths[local] = depth;
        deepest[local] = found;
        for (var reach = WORKGROUP / 2u; reach > 0u; reach /= 2u) {
            workgroupBarrier();
            if local < reach {
                let other = depths[local + reach];
                let is_first = other == depths[local] && deepest[local + reach].x < deepest[local].x;
                if other > depths[local] || is_first {
                    depths[local] = other;
                    deepest[local] = deepest[local + reach];
                }
            }
        }
        if local == 0u {
            goes_on = u32(depths[0] > 0.0);
            if depths[0] > 0.0 {
                is_moved = 1u;
                solve_alone(b, deepest[0].x, deepest[0].y, depths[0]);
                note_pose(b);
            }
        }
    }
    if workgroupUniformLoad(&is_moved) == 0u {
        return;
    }
    for (var m = group.first + local; m < group.end; m += WORKGROUP) {
        if membership[m] == 0u {
            continue;
        }
        let slot = membership[m] - 1u;
        let rest = bitcast<vec4f>(body_members[rest_at(m)]).xyz - bodies[b].rest_center;
        let old = vectors[predicted_at(slot)];
        if old.w == 0.0 {
            continue;
        }
        if AT_START == 1u {
            vectors[start_at(slot)] = vec4f(turn(pose.rotation, rest) + pose.position, vectors[start_at(slot)].w);
        }
        vectors[predicted_at(slot)] = vec4f(turn(end_pose.rotation, rest) + end_pose.position, old.w);
    }
}
