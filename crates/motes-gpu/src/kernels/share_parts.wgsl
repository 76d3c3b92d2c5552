// Effective inverse masses of members of rigid parts, which move only as far as their part does: what acts on one meets all of it, and is shared among all
// contacts of the part. A workgroup for each creature.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<uniform> creature_params: CreatureParams;
@group(0) @binding(2) var<storage, read_write> vectors: array<vec4f>;
@group(0) @binding(3) var<storage, read> slots: array<u32>;
@group(0) @binding(4) var<storage, read> links: array<u32>;
@group(0) @binding(5) var<storage, read_write> members: array<CreatureMember>;
@group(0) @binding(6) var<storage, read_write> parts: array<CreaturePart>;
@group(0) @binding(7) var<storage, read> loads: array<PartLoad>;

fn share_part(p: u32) {
    var all = PartLoad();
    for (var e = parts[p].first; e < parts[p].first + parts[p].count; e++) {
        all.arms += loads[e].arms;
        all.count += loads[e].count;
        all.normals += loads[e].normals;
        all.turning += loads[e].turning;
        all.about += loads[e].about;
        all.everywhere += loads[e].everywhere;
    }
    parts[p].mobility = 0.0;
    if all.count > 0.0 && parts[p].mass > 0.0 {
        let inverse_mass = 1.0 / parts[p].mass;
        let along = largest(all.normals, all.turning, all.about, inverse_mass, parts[p].inverse);
        let every_way = symmetric(vec3f(all.count), vec3f());
        let around = largest(every_way, cross_matrix(all.arms), all.everywhere, inverse_mass, parts[p].inverse);
        parts[p].mobility = max(along, ACROSS * around);
    }
}

fn share_member(m: u32) {
    if !is_rigid(m) || !is_alive(m) {
        return;
    }
    let i = slots[m] - 1u;
    vectors[before_at(i)].w = 1.0;
    let own = own_parts(m);
    var mobility = 0.0;
    for (var k = own.x; k < own.y; k++) {
        mobility += parts[own_part(k)].mobility;
    }
    if mobility <= 0.0 || members[m].moves == 0u {
        return;
    }
    let reach = vectors[predicted_at(i)].w / mobility;
    vectors[sorted_at(i)].w = mobility;
    // Exactly one is for those on their own.
    vectors[before_at(i)].w = select(reach, 1.0 + EPSILON, reach == 1.0);
}

@compute @workgroup_size(WORKGROUP)
fn main(thread: Thread) {
    let own = own_of(group_index(thread));
    for (var p = own.parts.x + thread.local; p < own.parts.y; p += WORKGROUP) {
        share_part(p);
    }
    storageBarrier();
    for (var m = own.members.x + thread.local; m < own.members.y; m += WORKGROUP) {
        share_member(m);
    }
}
