// What each collider received in a sub-step from one block of particles, added to what the block gave it before in the
// frame: the reverse of what it did to the particles.

@group(0) @binding(0) var<uniform> params: ColliderParams;
@group(0) @binding(1) var<storage, read> ranges: array<vec2u>;
@group(0) @binding(2) var<storage, read> contacts: array<ColliderContact>;
@group(0) @binding(3) var<storage, read> pool: array<u32>;
@group(0) @binding(4) var<storage, read_write> block_sums: array<ForceSum>;

var<workgroup> lowest: atomic<u32>;
var<workgroup> chosen: u32;

struct Gathered {
    sum: ForceSum,
    // The next collider that the thread has a contact with.
    following: u32,
}

@compute @workgroup_size(WORKGROUP)
fn main(thread: Thread) {
    let block = group_index(thread);
    let first = block * params.places;
    for (var place = thread.local; place < params.places; place += WORKGROUP) {
        if params.substep == 0u {
            block_sums[first + place] = ForceSum();
        }
        block_sums[first + place].contacts = 0u;
    }
    storageBarrier();
    // One collider at a time, of those that the block touches: no more of them, no more work.
    var own = gather(block, thread.local, NO_COLLIDER);
    for (var round = 0u; round < params.places; round++) {
        if thread.local == 0u {
            atomicStore(&lowest, NO_COLLIDER);
        }
        workgroupBarrier();
        if own.following != NO_COLLIDER {
            atomicMin(&lowest, own.following);
        }
        workgroupBarrier();
        if thread.local == 0u {
            chosen = atomicLoad(&lowest);
        }
        let collider = workgroupUniformLoad(&chosen);
        if collider == NO_COLLIDER {
            break;
        }
        own.sum = ForceSum();
        if own.following == collider {
            own = gather(block, thread.local, collider);
        }
        let sum = sum_workgroup(thread.local, own.sum);
        if thread.local == 0u {
            block_sums[first + collider] = add_sums(block_sums[first + collider], sum);
        }
    }
}

// Sum over the contacts of a thread's particles with one collider; all that are none with NO_COLLIDER.
fn gather(block: u32, local: u32, collider: u32) -> Gathered {
    var sum = ForceSum();
    var following = NO_COLLIDER;
    let stride = force_blocks(params.count) * BLOCK;
    for (var i = block * BLOCK + local; i < params.count; i += stride) {
        let range = ranges[i];
        for (var c = range.x; c < range.x + range.y; c++) {
            let contact = contacts[c];
            if contact.normal_sum == 0.0 {
                continue;
            }
            // The place after NO_COLLIDER is zero.
            if contact.collider >= collider + 1u {
                following = min(following, contact.collider);
            }
            if contact.collider == collider {
                let moved = contact.normal_sum * contact.normal + contact.friction_sum;
                let impulse = moved / (-params.h * contact.inverse_mass);
                let arm = contact.point - collider_origin(params, collider);
                sum = add_sums(sum, ForceSum(impulse, 1u, cross(arm, impulse), 0u));
            }
        }
    }
    return Gathered(sum, following);
}
