// Says where the members of rigid parts are, and about what these turn, for `weigh_parts`.

@group(0) @binding(0) var<uniform> creature_params: CreatureParams;
@group(0) @binding(1) var<storage, read> slots: array<u32>;
@group(0) @binding(2) var<storage, read> links: array<u32>;
@group(0) @binding(3) var<storage, read> parts: array<CreaturePart>;
@group(0) @binding(4) var<storage, read_write> loads: array<PartLoad>;

@compute @workgroup_size(WORKGROUP)
fn main(thread: Thread) {
    let entry = thread_index(thread);
    if entry >= creature_params.part_entries {
        return;
    }
    let p = links[creature_params.part_numbers + entry];
    loads[entry] = PartLoad();
    loads[entry].slot = slots[links[creature_params.part_members + entry]];
    loads[entry].center = parts[p].near + (parts[p].center + parts[p].travel);
}
