// Rebounds of the members of rigid parts from colliders, and of the parts as a whole with what that gave to them. A workgroup for each creature. There are
// rounds of both, ROUND_NUMBER, until nothing rebounds any more; WHOLE is 1 where parts do, for the last time whatever happened.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<uniform> creature_params: CreatureParams;
@group(0) @binding(2) var<storage, read_write> vectors: array<vec4f>;
@group(0) @binding(3) var<storage, read> slots: array<u32>;
@group(0) @binding(4) var<storage, read> links: array<u32>;
@group(0) @binding(5) var<storage, read_write> members: array<CreatureMember>;
@group(0) @binding(6) var<storage, read_write> parts: array<CreaturePart>;
@group(0) @binding(7) var<storage, read> contacts: array<ColliderContact>;
@group(0) @binding(8) var<storage, read> contact_ranges: array<vec2u>;
// Whether anything rebounded in each round.
@group(0) @binding(9) var<storage, read_write> rebounded: array<atomic<u32>>;

fn rebound_member(m: u32) {
    if !is_rigid(m) || !is_alive(m) {
        return;
    }
    let i = slots[m] - 1u;
    let run = contact_ranges[i];
    let before = vectors[before_at(i)];
    let derived = vectors[rebound_at(i)];
    let slows = ROUND_NUMBER == 0u;
    let after = rebound_from_colliders(i, run, before.xyz, derived, before.w, slows);
    vectors[rebound_at(i)] = after;
    if any(after != derived) || (slows && params.velocity_friction == 1u) {
        atomicStore(&rebounded[ROUND_NUMBER], 1u);
    }
}

// Angular velocity of a member after the solve.
fn spin_of(i: u32) -> vec3f {
    let way = params.h * radius_of(i);
    return clamp_length(vectors[turned_at(i)].xyz / way, params.max_speed * params.h / way);
}

fn rebound_part(p: u32) {
    var bounces = false;
    var push = vec3f();
    var twist = vec3f();
    for (var e = parts[p].first; e < parts[p].first + parts[p].count; e++) {
        let m = part_member(e);
        if !is_alive(m) {
            continue;
        }
        let i = slots[m] - 1u;
        let velocity = vectors[rebound_at(i)];
        bounces |= members[m].moves != 0u && velocity.w == HALF_KICK;
        let impulse = counted_mass(m) * velocity.xyz;
        push += impulse;
        twist += cross(part_arm(p, m), impulse);
        if counts_turned(m) && members[m].turns != 0u {
            twist += member_inertia(m) * spin_of(i);
        }
    }
    parts[p].bounces = select(0u, 1u, bounces);
    if bounces {
        parts[p].rebound = push / parts[p].mass;
        parts[p].rebound_spin = parts[p].inverse * twist;
    }
}

fn take_rebound(m: u32) {
    if !is_rigid(m) || !is_alive(m) || members[m].moves == 0u {
        return;
    }
    let i = slots[m] - 1u;
    let before = vectors[rebound_at(i)];
    let own = own_parts(m);
    var velocity = vec3f();
    var changes = false;
    for (var k = own.x; k < own.y; k++) {
        let p = own_part(k);
        if parts[p].bounces == 0u {
            velocity += members[m].part_share * before.xyz;
            continue;
        }
        changes = true;
        let spin = parts[p].rebound_spin;
        velocity += members[m].part_share * (parts[p].rebound + cross(spin, part_arm(p, m)));
        if members[m].turns != 0u && counts_turned(m) {
            let turned = vectors[turned_at(i)];
            vectors[turned_at(i)] = vec4f(params.h * radius_of(i) * spin, turned.w);
        }
    }
    if changes {
        vectors[rebound_at(i)] = vec4f(velocity, HALF_KICK);
    }
}

@compute @workgroup_size(WORKGROUP)
fn main(thread: Thread) {
    let own = own_of(group_index(thread));
    if WHOLE == 0u {
        if ROUND_NUMBER == 0u || atomicLoad(&rebounded[max(ROUND_NUMBER, 1u) - 1u]) == 1u {
            for (var m = own.members.x + thread.local; m < own.members.y; m += WORKGROUP) {
                rebound_member(m);
            }
        }
        return;
    }
    let acts = ROUND_NUMBER == LAST_REBOUND || atomicLoad(&rebounded[ROUND_NUMBER]) == 1u;
    for (var p = own.parts.x + thread.local; acts && p < own.parts.y; p += WORKGROUP) {
        rebound_part(p);
    }
    storageBarrier();
    for (var m = own.members.x + thread.local; acts && m < own.members.y; m += WORKGROUP) {
        take_rebound(m);
    }
}
