// Takes the members of bodies where their bodies fly: their velocities become those that lead there straight. Then every
// particle is counted into the cell that it would reach if nothing were in the way.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> vectors: array<vec4f>;
@group(0) @binding(2) var<storage, read> kinds: array<vec4u>;
@group(0) @binding(3) var<storage, read> membership: array<u32>;
@group(0) @binding(4) var<storage, read_write> body_members: array<vec4u>;
@group(0) @binding(5) var<storage, read> bodies: array<Body>;
@group(0) @binding(6) var<storage, read_write> cells: array<atomic<u32>>;
@group(0) @binding(7) var<storage, read> table: array<vec4f>;
@group(0) @binding(8) var<storage, read> clusters: array<Cluster>;

// Where a member gets to that has a velocity of its own.
fn carried(b: u32, place: vec3f, velocity: vec3f) -> vec3f {
    let arm = place - bodies[b].from_position;
    let own = velocity - bodies[b].velocity - cross(bodies[b].spin, arm);
    return bodies[b].to_position + turn(bodies[b].turn, arm) + params.h * own;
}

// How far the shape of a body that bends pulls at a member in the sub-step, by where it starts.
fn pulled_from(b: u32, m: u32, start: vec3f) -> vec3f {
    let rest = bitcast<vec4f>(body_members[rest_at(m)]).xyz;
    let whole = turn(bodies[b].from_rotation, rest - bodies[b].rest_center) + bodies[b].from_position;
    let gains = gains_of(b);
    return gains.x * (whole - start) + gains.y * (cluster_goal(m, rest, start) - start);
}

// What forces on a body change of the velocity of a member.
fn pushed(b: u32, start: vec3f) -> vec3f {
    let twisted = turned(bodies[b].inverse_inertia, bodies[b].from_rotation) * bodies[b].torque;
    let arm = start - bodies[b].from_position;
    return params.h * (bodies[b].force / bodies[b].mass + cross(twisted, arm));
}

@compute @workgroup_size(WORKGROUP)
fn main(thread: Thread) {
    let i = thread_index(thread);
    if i >= params.count {
        return;
    }
    let start = vectors[position_at(i)].xyz;
    var velocity = vectors[velocity_at(i)].xyz;
    let member = member_of(kinds[i]);
    if member != NO_MEMBER {
        let b = body_members[owner_at(member)].x;
        var end = vec3f();
        if is_a(b, RIGID | KINEMATIC) {
            let arm = bitcast<vec4f>(body_members[rest_at(member)]).xyz - bodies[b].rest_center;
            end = turn(bodies[b].to_rotation, arm) + bodies[b].to_position;
        } else if vectors[position_at(i)].w == 0.0 {
            body_members[pull_at(member)] = vec4u();
            body_members[start_pull_at(member)] = vec4u();
            end = start + params.h * velocity;
        } else if is_a(b, BENDS) {
            let pull = pulled_from(b, member, start);
            body_members[pull_at(member)] = bitcast<vec4u>(vec4f(pull, 0.0));
            body_members[start_pull_at(member)] = body_members[pull_at(member)];
            end = start + params.h * (velocity + pushed(b, start)) + pull;
        } else {
            body_members[pull_at(member)] = vec4u();
            end = carried(b, start, velocity);
        }
        velocity = (end - start) / params.h;
        vectors[velocity_at(i)] = vec4f(velocity, 1.0);
    }
    count_into_cell(i, candidate(start, velocity), kinds[i]);
}
