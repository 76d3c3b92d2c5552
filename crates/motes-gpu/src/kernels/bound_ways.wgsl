// Where there are sheets, nets or ropes: bounds of how far particles move in the sub-step if nothing is in the way, of all and of those that are threaded.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> vectors: array<vec4f>;
@group(0) @binding(2) var<storage, read> kinds: array<vec4u>;
@group(0) @binding(3) var<storage, read_write> owners: array<atomic<u32>>;

var<workgroup> bounds: array<atomic<u32>, WAY_BOUNDS>;

@compute @workgroup_size(WORKGROUP)
fn main(thread: Thread) {
    let i = thread_index(thread);
    if i < params.count {
        let way = vectors[predicted_at(i)].xyz - vectors[sorted_at(i)].xyz;
        let is_threaded = (phase_of(kinds[sorted_kind_at(i)]) & IGNORE_REST_OVERLAPS) != 0u;
        for (var axis = 0u; axis < 3u; axis++) {
            let most = word_of(way[axis]);
            let least = word_of(-way[axis]);
            atomicMax(&bounds[axis], most);
            atomicMax(&bounds[axis + 3u], least);
            if is_threaded {
                atomicMax(&bounds[axis + 6u], most);
                atomicMax(&bounds[axis + 9u], least);
            }
        }
    }
    workgroupBarrier();
    if thread.local < WAY_BOUNDS {
        atomicMax(&owners[FIRST_BOUND + thread.local], atomicLoad(&bounds[thread.local]));
    }
}
