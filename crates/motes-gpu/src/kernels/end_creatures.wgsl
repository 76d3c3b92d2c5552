// Takes over how the particles of creatures are turned at the end of the sub-step, but for those that sleep; and takes from velocities what rounding has
// added to the momentum of creatures of which no particle is pinned: shapes only pull particles at each other. A workgroup for each creature.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<uniform> creature_params: CreatureParams;
@group(0) @binding(2) var<storage, read_write> vectors: array<vec4f>;
@group(0) @binding(3) var<storage, read> slots: array<u32>;
@group(0) @binding(4) var<storage, read> links: array<u32>;
@group(0) @binding(5) var<storage, read_write> members: array<CreatureMember>;
// Rotation and radii, by the index of the id.
@group(0) @binding(6) var<storage, read_write> orientations: array<vec4f>;

// Compared as bits, because compilers may assume that there is nothing but numbers.
fn all_finite(v: vec4f) -> bool {
    return all((bitcast<vec4u>(v) & vec4u(0x7f800000u)) != vec4u(0x7f800000u));
}

fn keep_rotation(m: u32, i: u32) {
    let moved = vectors[predicted_at(i)].xyz - vectors[start_at(i)].xyz;
    let way = vectors[turned_at(i)].xyz;
    let rest = params.rest * params.rest;
    let is_touched = vectors[pushed_at(i)].w > 0.0;
    let sleeps = is_touched && params.rest > 0.0 && max(dot(moved, moved), dot(way, way)) < rest;
    if all_finite(members[m].rotation) && !sleeps {
        orientations[2u * members[m].index] = normalize(members[m].rotation);
    }
}

@compute @workgroup_size(WORKGROUP)
fn main(thread: Thread) {
    let own = own_of(group_index(thread));
    var sums = mat4x4f();
    for (var m = own.members.x + thread.local; m < own.members.y; m += WORKGROUP) {
        if is_alive(m) {
            keep_rotation(m, slots[m] - 1u);
            let mass = members[m].mass;
            sums[0] += vec4f(mass * members[m].pulled, mass);
            sums[1].x += select(1.0, 0.0, members[m].moves != 0u);
        }
    }
    let all = sum_over_group(thread.local, sums);
    let back = vec4f(all[0].xyz / -(max(all[0].w, 1e-37) * params.h), 0.0);
    if all[1].x > 0.0 || all[0].w <= 0.0 || !all_finite(back) {
        return;
    }
    for (var m = own.members.x + thread.local; m < own.members.y; m += WORKGROUP) {
        if is_alive(m) {
            vectors[rebound_at(slots[m] - 1u)] += back;
        }
    }
}
