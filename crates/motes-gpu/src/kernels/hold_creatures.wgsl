// Moves rigid parts as a whole where their particles were moved out of overlaps at the start of the sub-step; then the candidates of creatures follow
// where they start. A workgroup for each creature.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<uniform> creature_params: CreatureParams;
@group(0) @binding(2) var<storage, read_write> vectors: array<vec4f>;
@group(0) @binding(3) var<storage, read> slots: array<u32>;
@group(0) @binding(4) var<storage, read> links: array<u32>;
@group(0) @binding(5) var<storage, read_write> members: array<CreatureMember>;
@group(0) @binding(6) var<storage, read_write> parts: array<CreaturePart>;

fn hold(m: u32) {
    if !is_alive(m) {
        return;
    }
    let i = slots[m] - 1u;
    var start = vectors[start_at(i)];
    if is_rigid(m) && members[m].moves != 0u {
        let own = own_parts(m);
        var ways = vec3f();
        for (var k = own.x; k < own.y; k++) {
            ways += part_way_at_start(own_part(k), m, members[m].start);
        }
        start = vec4f(members[m].start + members[m].part_share * ways, start.w);
        vectors[start_at(i)] = start;
    }
    vectors[predicted_at(i)] += vec4f(start.xyz - vectors[sorted_at(i)].xyz, 0.0);
}

@compute @workgroup_size(WORKGROUP)
fn main(thread: Thread) {
    let own = own_of(group_index(thread));
    for (var m = own.members.x + thread.local; m < own.members.y; m += WORKGROUP) {
        if is_alive(m) {
            members[m].start = vectors[start_at(slots[m] - 1u)].xyz;
        }
    }
    storageBarrier();
    for (var p = own.parts.x + thread.local; p < own.parts.y; p += WORKGROUP) {
        begin_part(p, true);
    }
    storageBarrier();
    for (var m = own.members.x + thread.local; m < own.members.y; m += WORKGROUP) {
        hold(m);
    }
}
