// Shape matching of the candidate positions (eq. 15–16) of large bodies: one workgroup for each chunk. Each finds out by itself
// where its body is, from the sums of `match_parts`, and moves its members. MATCHES is 0 where the body's pose is taken as it is.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> vectors: array<vec4f>;
@group(0) @binding(2) var<storage, read> membership: array<u32>;
@group(0) @binding(3) var<storage, read_write> body_members: array<vec4u>;
@group(0) @binding(4) var<storage, read_write> bodies: array<Body>;
@group(0) @binding(5) var<storage, read> clusters: array<Cluster>;
@group(0) @binding(6) var<storage, read> chunks: array<Chunk>;

var<workgroup> found: Match;
var<workgroup> swing: vec3f;

@compute @workgroup_size(WORKGROUP)
fn main(thread: Thread) {
    let p = min(group_index(thread), arrayLength(&chunks) - 1u);
    let exists = group_index(thread) == p;
    let b = chunks[p].body;
    let end = chunks[p].first + select(0u, chunks[p].count, exists);
    var moments = mat4x4f();
    if MATCHES == 1u {
        moments = sum_over_chunks(thread.local, p);
    }
    var m = chunks[p].first + thread.local - LEADERS;
    var member = Pulled();
    if thread.local >= LEADERS && m < end {
        member = pulled_at(b, m);
    }
    if thread.local == 0u {
        if MATCHES == 1u && is_a(b, RIGID) && !is_a(b, KINEMATIC) {
            found = Match(chunks[p].end_position, chunks[p].end_rotation, bodies[b].rest_center);
            if is_pushed(moments) && bodies[b].in_tree != 0.0 {
                // Its joints have their say first.
                if exists && p == chunks[p].sibling {
                    bodies[b].rebound = distance_of(moments);
                    bodies[b].rebound_spin = moments[1].xyz;
                }
            } else if is_pushed(moments) {
                let offset = chunks[p].near + distance_of(moments);
                let angular_impulse = chunks[p].guess.xyz + moments[1].xyz;
                let pose = end_of_flight(b, start_of_flight(b), offset, angular_impulse);
                found = Match(pose.position, pose.rotation, bodies[b].rest_center);
                if exists && p == chunks[p].sibling {
                    bodies[b].offset = offset;
                    bodies[b].angular_impulse = effective_impulse(b, bodies[b].from_rotation, angular_impulse);
                    set_end(b, pose);
                }
            }
        } else if MATCHES == 1u && !is_a(b, KINEMATIC) {
            found = matched(moments, chunks[p].near, chunks[p].guess);
            if exists && p == chunks[p].sibling {
                bodies[b].to_position = found.center;
                bodies[b].to_rotation = found.rotation;
                bodies[b].rest_center = found.rest_center;
            }
        } else {
            found = Match(bodies[b].to_position, bodies[b].to_rotation, bodies[b].rest_center);
        }
        swing = swing_to(b, found.rotation);
    }
    workgroupBarrier();
    let goal = found;
    while thread.local >= LEADERS && m < end {
        pull(b, m, member, goal, swing);
        m += FOLLOWERS;
        if m < end {
            member = pulled_at(b, m);
        }
    }
}
