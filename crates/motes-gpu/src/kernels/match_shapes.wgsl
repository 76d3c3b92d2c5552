// Shape matching of the candidate positions (eq. 15–16): one workgroup for each body. Where attachments come between
// the members of soft bodies and those of rigid ones, it takes two turns: MATCHES is 1 in the first, MOVES has bit 0 for soft
// bodies and bit 1 for rigid ones.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> vectors: array<vec4f>;
@group(0) @binding(2) var<storage, read> membership: array<u32>;
@group(0) @binding(3) var<storage, read_write> body_members: array<vec4u>;
@group(0) @binding(4) var<storage, read_write> bodies: array<Body>;
@group(0) @binding(5) var<storage, read> clusters: array<Cluster>;

var<workgroup> found: Match;

// Where the clusters of a member want it, on average; `otherwise` if it is in none.
fn cluster_goal(m: u32, rest: vec3f, otherwise: vec3f) -> vec3f {
    let owner = body_members[owner_at(m)];
    if owner.z == 0u {
        return otherwise;
    }
    var sum = vec3f();
    for (var k = owner.y; k < owner.y + owner.z; k++) {
        let c = membership[k];
        sum += turn(clusters[c].rotation, rest - clusters[c].rest_center) + clusters[c].center;
    }
    return sum / f32(owner.z);
}

@compute @workgroup_size(WORKGROUP)
fn main(thread: Thread) {
    let group = body_group(thread);
    let b = group.body;
    let near = bodies[b].to_position;
    var moments = mat4x4f();
    if MATCHES == 1u {
        moments = sum_of_moments(thread.local, group, predicted_at(0u), near);
    }
    if thread.local == 0u && group.exists {
        found = Match(near, bodies[b].to_rotation, bodies[b].rest_center);
        if MATCHES == 1u && !is_a(b, KINEMATIC) {
            found = matched(moments, near, bodies[b].to_rotation);
            bodies[b].to_position = found.center;
            bodies[b].to_rotation = found.rotation;
            bodies[b].rest_center = found.rest_center;
        }
    }
    workgroupBarrier();
    let goal = found;
    let rigid = is_a(b, RIGID);
    let plastic = is_a(b, PLASTIC);
    let whole_share = share_of_stiffness(bodies[b].stiffness, params.iteration_part);
    let cluster_share = share_of_stiffness(bodies[b].cluster_stiffness, params.iteration_part);
    for (var m = group.first + thread.local; m < group.end; m += WORKGROUP) {
        if membership[m] == 0u {
            continue;
        }
        let slot = membership[m] - 1u;
        let old = vectors[predicted_at(slot)];
        let rest = bitcast<vec4f>(body_members[rest_at(m)]).xyz;
        let whole = turn(goal.rotation, rest - goal.rest_center) + goal.center;
        if ((MOVES >> select(0u, 1u, rigid)) & 1u) == 0u {
            continue;
        }
        if rigid {
            if old.w != 0.0 {
                vectors[predicted_at(slot)] = vec4f(whole, old.w);
            }
            continue;
        }
        let part = cluster_goal(m, rest, old.xyz);
        if plastic {
            // How far it is out of shape, in the body's frame.
            let wanted = select(part, whole, body_members[owner_at(m)].z == 0u);
            let strain = turn(reverse(goal.rotation), old.xyz - wanted);
            let flowed = body_members[strain_at(m)].w;
            body_members[strain_at(m)] = vec4u(bitcast<vec3u>(strain), flowed);
        }
        if old.w != 0.0 {
            let pulled = old.xyz + (part - old.xyz) * cluster_share;
            vectors[predicted_at(slot)] = vec4f(pulled + (whole - pulled) * whole_share, old.w);
        }
    }
}
