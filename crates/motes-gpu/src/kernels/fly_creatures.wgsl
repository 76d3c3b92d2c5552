// Where the particles of creatures get to if nothing is in their way: they turn and keep their rigid parts. Their velocities become those that lead there
// straight. A workgroup for each creature.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<uniform> creature_params: CreatureParams;
@group(0) @binding(2) var<storage, read_write> vectors: array<vec4f>;
@group(0) @binding(3) var<storage, read> slots: array<u32>;
@group(0) @binding(4) var<storage, read> links: array<u32>;
@group(0) @binding(5) var<storage, read_write> members: array<CreatureMember>;
@group(0) @binding(6) var<storage, read_write> parts: array<CreaturePart>;
@group(0) @binding(7) var<storage, read_write> spins: array<f32>;
// Rotation and radii, by the index of the id.
@group(0) @binding(8) var<storage, read> orientations: array<vec4f>;
// Whether anything will rebound in each round.
@group(0) @binding(9) var<storage, read_write> rebounded: array<u32>;

fn fly(m: u32) {
    members[m].moves = 0u;
    members[m].turns = 0u;
    if !is_alive(m) {
        return;
    }
    let i = slots[m] - 1u;
    let start = vectors[sorted_at(i)].xyz;
    let end = vectors[predicted_at(i)];
    let rotation = orientations[2u * members[m].index];
    let at = SPIN * members[m].index;
    var speed = vec3f(spins[at], spins[at + 1u], spins[at + 2u]);
    members[m].moves = select(0u, 1u, end.w > 0.0);
    if spins[at + 3u] > 0.0 && end.w > 0.0 {
        members[m].turns = 1u;
        speed = precessed(rotation, members[m].radii, speed, params.h);
        for (var k = 0u; k < 3u; k++) {
            spins[at + k] = speed[k];
        }
    }
    members[m].start = start;
    members[m].place = end.xyz;
    members[m].origin = rotation;
    members[m].turned = params.h * speed;
    members[m].rotation = turned_on(rotation, params.h * speed);
    members[m].torque = vec3f();
    members[m].pulled = vec3f();
}

// Has a member of rigid parts set off straight for where these take it.
fn set_off(m: u32) {
    if !is_rigid(m) || members[m].moves == 0u {
        return;
    }
    let i = slots[m] - 1u;
    let off = members[m].place - vectors[predicted_at(i)].xyz;
    let before = vectors[before_at(i)];
    let velocity = before.xyz + off / params.h;
    vectors[before_at(i)] = vec4f(velocity, before.w);
    vectors[predicted_at(i)] = vec4f(candidate(vectors[sorted_at(i)].xyz, velocity), vectors[predicted_at(i)].w);
    if members[m].turns != 0u {
        let at = SPIN * members[m].index;
        let spin = members[m].turned / params.h;
        for (var k = 0u; k < 3u; k++) {
            spins[at + k] = spin[k];
        }
    }
}

fn note_start(m: u32) {
    if !is_alive(m) {
        return;
    }
    let i = slots[m] - 1u;
    let radii = members[m].radii;
    let start = turned_ellipsoid(members[m].origin, radii * radii);
    let radius = radius_of(i);
    let yields = turned_ellipsoid(members[m].origin, radius * radius / inertia_for(radii));
    vectors[start_outline_at(i)] = vec4f(start.diagonal, 0.0);
    vectors[start_outline_mixed_at(i)] = vec4f(start.mixed, 0.0);
    vectors[yields_at(i)] = vec4f(yields.diagonal, 0.0);
    vectors[yields_mixed_at(i)] = vec4f(yields.mixed, 0.0);
    note_outline(m, i);
}

@compute @workgroup_size(WORKGROUP)
fn main(thread: Thread) {
    let own = own_of(group_index(thread));
    if thread_index(thread) <= LAST_REBOUND {
        rebounded[thread_index(thread)] = 0u;
    }
    for (var m = own.members.x + thread.local; m < own.members.y; m += WORKGROUP) {
        fly(m);
    }
    storageBarrier();
    for (var p = own.parts.x + thread.local; p < own.parts.y; p += WORKGROUP) {
        begin_part(p, false);
        follow_part(p);
    }
    storageBarrier();
    for (var m = own.members.x + thread.local; m < own.members.y; m += WORKGROUP) {
        follow_parts(m);
        set_off(m);
        note_start(m);
    }
}
