// Rebounds of rigid bodies as a whole: from other particles, which have changed the velocities of single members, and from
// colliders. One workgroup for each body. INNER is how often contacts with colliders see what the others made of the body, AGAIN is
// 1 from the second time in a sub-step on, LAST the last time.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> vectors: array<vec4f>;
@group(0) @binding(2) var<storage, read> membership: array<u32>;
@group(0) @binding(3) var<storage, read> body_members: array<vec4u>;
@group(0) @binding(4) var<storage, read_write> bodies: array<Body>;
@group(0) @binding(5) var<storage, read> contact_ranges: array<vec2u>;
@group(0) @binding(6) var<storage, read> contacts: array<ColliderContact>;

var<workgroup> velocity: vec3f;
var<workgroup> spin: vec3f;
var<workgroup> bounced: atomic<u32>;
var<workgroup> changed_any: u32;

// The velocity of a member after its contacts with colliders, the fraction of its next kick (w), and what they do to its body
// besides.
struct Rebounded {
    after: vec4f,
    twist: vec3f,
}

// By inscribed balls: `turning` is how much faster the body turns than it was about to when its contacts were found, of which their
// travel has the rest.
fn rebound_inscribed(slot: u32, old: vec3f, derived: vec4f, reach: f32, slows: bool, turning: vec3f) -> Rebounded {
    let run = contact_ranges[slot];
    var after = derived;
    var twist = vec3f();
    for (var c = run.x; c < run.x + run.y; c++) {
        let contact = contacts[c];
        if contact.normal_sum <= 0.0 {
            continue;
        }
        let arm = arm_of(vectors[inscribed_at(slot)], contact.normal, radius_of(slot));
        let swung = cross(turning, arm) - contact.travel / params.h;
        let came = after.xyz;
        let impact = dot(old - contact.travel / params.h, contact.normal);
        let leaving = dot(came + swung, contact.normal);
        let wanted = -contact.coefficients.z * impact;
        if impact < -params.restitution_threshold && wanted > leaving {
            after = vec4f(came + (wanted - leaving) * reach * contact.normal, HALF_KICK);
        }
        if slows && params.velocity_friction == 1u {
            let slip = after.xyz + swung;
            let across = slip - dot(slip, contact.normal) * contact.normal;
            after = vec4f(after.xyz - min(contact.coefficients.y, 1.0) * reach * across, after.w);
        }
        twist += cross(arm, after.xyz - came) / contact.inverse_mass;
    }
    return Rebounded(after, twist);
}

fn note_motion(b: u32) {
    let after = momenta_after(b);
    velocity = after.velocity;
    spin = turned(bodies[b].inverse_inertia, bodies[b].to_rotation) * after.angular_momentum;
}

@compute @workgroup_size(WORKGROUP)
fn main(thread: Thread) {
    let group = body_group(thread);
    let b = group.body;
    let rigid = group.exists && (bodies[b].kind & (RIGID | KINEMATIC)) == RIGID;
    let end = select(group.first, group.end, rigid);
    if thread.local == 0u {
        atomicStore(&bounced, 0u);
        changed_any = 0u;
        note_motion(b);
    }
    workgroupBarrier();
    for (var round = 0u; round < INNER; round++) {
        let size = length(velocity);
        let turning = length(spin);
        var kicks = mat4x4f();
        for (var m = group.first + thread.local; m < end; m += WORKGROUP) {
            let member = placed(m);
            let arm = vectors[predicted_at(member.slot)].xyz - bodies[b].to_position;
            let own = velocity + cross(spin, arm);
            var changed = vec4f(own, 1.0);
            if round == 0u {
                changed = vectors[rebound_at(member.slot)];
            }
            let before = vectors[before_at(member.slot)];
            let run = contact_ranges[member.slot];
            let first_time = round == 0u && AGAIN == 0u;
            let tolerated = size + turning * length(arm);
            var twist = vec3f();
            var pair_twist = vec3f();
            if round == 0u {
                pair_twist = cross(foot_of(member.slot), member.mass * beyond_rounding(changed.xyz - own, tolerated));
            }
            if INSCRIBED == 1u && has_ball(vectors[twist_at(member.slot)]) {
                let turning = spin - arc(bodies[b].turn) / params.h;
                let found = rebound_inscribed(member.slot, before.xyz, changed, before.w, first_time, turning);
                changed = found.after;
                twist = select(vec3f(), found.twist, member.mass > 0.0);
            } else {
                changed = rebound_from_colliders(member.slot, run, before.xyz, changed, before.w, first_time);
            }
            if member.mass > 0.0 && changed.w != 1.0 {
                atomicStore(&bounced, 1u);
            }
            let kick = member.mass * beyond_rounding(changed.xyz - own, tolerated);
            kicks[0] += vec4f(kick, member.mass);
            kicks[1] += vec4f(cross(arm, kick) + twist + pair_twist, 0.0);
        }
        let sum = sum_over_group(thread.local, kicks);
        if thread.local == 0u && rigid && is_pushed(sum) {
            bodies[b].rebound += distance_of(sum);
            bodies[b].rebound_spin += sum[1].xyz;
            changed_any = 1u;
            note_motion(b);
        }
        workgroupBarrier();
    }
    let has_bounced = atomicLoad(&bounced) == 1u;
    let changes = has_bounced || changed_any == 1u;
    let kick = select(1.0, HALF_KICK, has_bounced);
    for (var m = group.first + thread.local; m < end; m += WORKGROUP) {
        if membership[m] == 0u {
            continue;
        }
        let slot = membership[m] - 1u;
        let goal = vectors[predicted_at(slot)];
        if LAST == 1u {
            vectors[before_at(slot)].w = 0.0;
        }
        if goal.w != 0.0 && changes {
            vectors[rebound_at(slot)] = vec4f(velocity + cross(spin, goal.xyz - bodies[b].to_position), kick);
            if INSCRIBED == 1u && has_ball(vectors[twist_at(slot)]) {
                vectors[twist_at(slot)] = vec4f(spin - arc(bodies[b].turn) / params.h, vectors[twist_at(slot)].w);
            }
        }
    }
}
