// Line 27 for bodies: they sleep as a whole or not at all, and keep where they have turned to. One workgroup for each.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> vectors: array<vec4f>;
@group(0) @binding(2) var<storage, read> membership: array<u32>;
@group(0) @binding(3) var<storage, read_write> bodies: array<Body>;

var<workgroup> touched: atomic<u32>;
var<workgroup> moving: atomic<u32>;

@compute @workgroup_size(WORKGROUP)
fn main(thread: Thread) {
    let group = body_group(thread);
    let b = group.body;
    if thread.local == 0u {
        atomicStore(&touched, 0u);
        atomicStore(&moving, 0u);
    }
    workgroupBarrier();
    for (var m = group.first + thread.local; m < group.end; m += WORKGROUP) {
        if membership[m] != 0u {
            let slot = membership[m] - 1u;
            let moved = vectors[predicted_at(slot)].xyz - vectors[start_at(slot)].xyz;
            if vectors[pushed_at(slot)].w > 0.0 {
                atomicStore(&touched, 1u);
            }
            if dot(moved, moved) >= params.rest * params.rest {
                atomicStore(&moving, 1u);
            }
        }
    }
    workgroupBarrier();
    let asleep = params.rest > 0.0 && atomicLoad(&touched) == 1u && atomicLoad(&moving) == 0u;
    for (var m = group.first + thread.local; m < group.end; m += WORKGROUP) {
        if membership[m] != 0u {
            vectors[pushed_at(membership[m] - 1u)].w = select(0.0, 1.0, asleep);
        }
    }
    if thread.local == 0u && group.exists {
        bodies[b].rotation = select(bodies[b].to_rotation, bodies[b].from_rotation, asleep);
    }
}
