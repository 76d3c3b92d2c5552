// Draws the particles of creatures towards where their shapes want them, and turns them: edges, neighbourhoods, rigid parts. A workgroup for each creature.
// BEGINS is 1 where a sub-step begins, with what its start calls for.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<uniform> creature_params: CreatureParams;
@group(0) @binding(2) var<storage, read_write> vectors: array<vec4f>;
@group(0) @binding(3) var<storage, read> slots: array<u32>;
@group(0) @binding(4) var<storage, read> links: array<u32>;
@group(0) @binding(5) var<storage, read_write> members: array<CreatureMember>;
@group(0) @binding(6) var<storage, read_write> parts: array<CreaturePart>;
@group(0) @binding(7) var<storage, read_write> groups: array<CreatureGroup>;
@group(0) @binding(8) var<storage, read_write> entries: array<CreatureEntry>;
@group(0) @binding(9) var<storage, read_write> edges: array<CreatureEdge>;

// Shows a member where its particle is.
fn show(m: u32) {
    if !is_alive(m) {
        return;
    }
    let i = slots[m] - 1u;
    members[m].place = vectors[predicted_at(i)].xyz;
    if BEGINS == 1u {
        members[m].start = vectors[sorted_at(i)].xyz;
    } else {
        members[m].start = vectors[start_at(i)].xyz;
    }
    if members[m].turns == 0u {
        return;
    }
    let way = vectors[turned_at(i)].xyz / radius_of(i);
    if all(way == members[m].turned) {
        return;
    }
    if is_rigid(m) {
        members[m].torque += member_inertia(m) * (way - members[m].turned);
    } else {
        members[m].turned = way;
        members[m].rotation = turned_on(members[m].origin, way);
    }
}

// Moves a particle to where its creature has it.
fn bring(m: u32) {
    if !is_alive(m) {
        return;
    }
    let i = slots[m] - 1u;
    let before = vectors[predicted_at(i)];
    if members[m].moves != 0u {
        members[m].pulled += members[m].place - before.xyz;
        vectors[predicted_at(i)] = vec4f(members[m].place, before.w);
        if PATCHES == 1u && BEGINS == 0u {
            vectors[settled_at(i)] = vec4f(members[m].place, before.w);
        }
    }
    if members[m].turns != 0u {
        let way = radius_of(i) * members[m].turned;
        vectors[turned_at(i)] = vec4f(way, vectors[turned_at(i)].w);
        // What was stored is what the next look compares with.
        members[m].turned = way / radius_of(i);
        if !is_round(m) {
            note_outline(m, i);
        }
    }
}

@compute @workgroup_size(WORKGROUP)
fn main(thread: Thread) {
    let own = own_of(group_index(thread));
    for (var m = own.members.x + thread.local; m < own.members.y; m += WORKGROUP) {
        show(m);
    }
    storageBarrier();
    for (var g = own.neighborhoods.x + thread.local; BEGINS == 1u && g < own.neighborhoods.y; g += WORKGROUP) {
        balance_group(g);
    }
    for (var e = own.edges.x + thread.local; e < own.edges.y; e += WORKGROUP) {
        untwist_edge(e, BEGINS == 1u);
    }
    storageBarrier();
    for (var m = own.members.x + thread.local; m < own.members.y; m += WORKGROUP) {
        turn_by_edges(m);
    }
    storageBarrier();
    // What contacts began with has turned particles: their shapes answer to that before contacts look at them again, or what rests would creep.
    for (var round = 0u; round <= BEGINS; round++) {
        for (var g = own.neighborhoods.x + thread.local; g < own.neighborhoods.y; g += WORKGROUP) {
            match_group(g, BEGINS == 1u && round == 0u);
        }
        storageBarrier();
        for (var m = own.members.x + thread.local; m < own.members.y; m += WORKGROUP) {
            move_by_groups(m);
        }
        storageBarrier();
    }
    for (var p = own.parts.x + thread.local; p < own.parts.y; p += WORKGROUP) {
        follow_part(p);
    }
    storageBarrier();
    for (var m = own.members.x + thread.local; m < own.members.y; m += WORKGROUP) {
        follow_parts(m);
        bring(m);
    }
}
