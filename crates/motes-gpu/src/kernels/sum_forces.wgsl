// What each collider received in a sub-step: for those who have contacts and no engine. `finish` does it by the way.

@group(0) @binding(0) var<uniform> params: ColliderParams;
@group(0) @binding(1) var<storage, read> ranges: array<vec2u>;
@group(0) @binding(2) var<storage, read> contacts: array<ColliderContact>;
@group(0) @binding(3) var<storage, read> pool: array<u32>;
@group(0) @binding(4) var<storage, read_write> block_sums: array<ForceSum>;

@compute @workgroup_size(WORKGROUP)
fn main(thread: Thread) {
    let i = thread_index(thread);
    var run = vec2u();
    if i < params.count {
        run = ranges[i];
    }
    sum_block(params, group_index(thread), thread.local, run);
}
