// Shape matching of the clusters of soft bodies, one workgroup for each. FIRST is 1 for the first time in a sub-step: the
// rotation that was found last is what all of its iterations guess.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> vectors: array<vec4f>;
@group(0) @binding(2) var<storage, read> membership: array<u32>;
@group(0) @binding(3) var<storage, read> body_members: array<vec4u>;
@group(0) @binding(4) var<storage, read_write> clusters: array<Cluster>;

var<workgroup> lowest: atomic<u32>;

@compute @workgroup_size(WORKGROUP)
fn main(thread: Thread) {
    let exists = group_index(thread) < arrayLength(&clusters);
    let c = min(group_index(thread), arrayLength(&clusters) - 1u);
    let first = clusters[c].first;
    let end = first + select(0u, clusters[c].count, exists);
    if thread.local == 0u {
        atomicStore(&lowest, NO_MEMBER);
    }
    workgroupBarrier();
    for (var k = first + thread.local; k < end; k += WORKGROUP) {
        if membership[membership[k]] != 0u {
            atomicMin(&lowest, k);
            break;
        }
    }
    workgroupBarrier();
    let some = atomicLoad(&lowest);
    var near = vec3f();
    if some != NO_MEMBER {
        near = vectors[predicted_at(membership[membership[some]] - 1u)].xyz;
    }
    var sum = mat4x4f();
    for (var k = first + thread.local; k < end; k += WORKGROUP) {
        let member = placed(membership[k]);
        sum += moments_of(member.mass, vectors[predicted_at(member.slot)].xyz - near, member.rest);
    }
    let moments = sum_over_group(thread.local, sum);
    if thread.local == 0u && exists {
        if FIRST == 1u {
            clusters[c].guess = clusters[c].rotation;
        }
        let found = matched(moments, near, clusters[c].guess);
        clusters[c].center = found.center;
        clusters[c].rotation = found.rotation;
        clusters[c].rest_center = found.rest_center;
    }
}
