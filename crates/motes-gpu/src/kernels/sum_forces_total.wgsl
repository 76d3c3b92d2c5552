// What each collider received in a frame: the sums of all blocks. One workgroup per collider.

@group(0) @binding(0) var<uniform> params: ColliderParams;
@group(0) @binding(1) var<storage, read> block_sums: array<ForceSum>;
@group(0) @binding(2) var<storage, read_write> totals: array<ForceSum>;

@compute @workgroup_size(WORKGROUP)
fn main(thread: Thread) {
    let place = group_index(thread);
    var sum = ForceSum();
    if place < params.places {
        for (var block = thread.local; block < force_blocks(params.count); block += WORKGROUP) {
            sum = add_sums(sum, block_sums[block * params.places + place]);
        }
    }
    sum_workgroup(thread.local, sum);
    if place < params.places && thread.local == 0u {
        totals[place] = load_sum(0u);
    }
}
