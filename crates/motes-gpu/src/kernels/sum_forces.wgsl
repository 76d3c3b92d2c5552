// What each collider received in a sub-step from one block of particles, added to what the block gave it before in the
// frame: the reverse of what it did to the particles.

@group(0) @binding(0) var<uniform> params: ColliderParams;
@group(0) @binding(1) var<storage, read> ranges: array<vec2u>;
@group(0) @binding(2) var<storage, read> contacts: array<ColliderContact>;
@group(0) @binding(3) var<storage, read> pool: array<u32>;
@group(0) @binding(4) var<storage, read_write> block_sums: array<ForceSum>;

var<workgroup> lowest: atomic<u32>;
var<workgroup> chosen: u32;

// What the thread's particles did to the next collider, and how many contacts they have with others after it.
struct Gathered {
    collider: u32,
    sum: ForceSum,
    left: u32,
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
    var own = gather(block, thread.local, 0u);
    for (var round = 0u; round < params.places; round++) {
        if thread.local == 0u {
            atomicStore(&lowest, NO_COLLIDER);
        }
        workgroupBarrier();
        if own.collider != NO_COLLIDER {
            atomicMin(&lowest, own.collider);
        }
        workgroupBarrier();
        if thread.local == 0u {
            chosen = atomicLoad(&lowest);
        }
        let collider = workgroupUniformLoad(&chosen);
        if collider == NO_COLLIDER {
            break;
        }
        var share = ForceSum();
        if own.collider == collider {
            share = own.sum;
            if own.left > 0u {
                own = gather(block, thread.local, collider + 1u);
            } else {
                own.collider = NO_COLLIDER;
            }
        }
        let before = block_sums[first + collider];
        let sum = sum_workgroup(thread.local, share);
        if thread.local == 0u {
            block_sums[first + collider] = add_sums(before, sum);
        }
    }
}

// Sums over the contacts of a thread's particles with the first collider they touch, from a given one on.
fn gather(block: u32, local: u32, from_collider: u32) -> Gathered {
    var found = Gathered(NO_COLLIDER, ForceSum(), 0u);
    let stride = force_blocks(params.count) * BLOCK;
    for (var i = block * BLOCK + local; i < params.count; i += stride) {
        let range = ranges[i];
        for (var c = range.x; c < range.x + range.y; c++) {
            let contact = contacts[c];
            if contact.normal_sum == 0.0 || contact.collider < from_collider {
                continue;
            }
            if contact.collider > found.collider {
                found.left++;
                continue;
            }
            if contact.collider < found.collider {
                found.left += found.sum.contacts;
                found.collider = contact.collider;
                found.sum = ForceSum();
            }
            let moved = contact.normal_sum * contact.normal + contact.friction_sum;
            let impulse = moved / (-params.h * contact.inverse_mass);
            let arm = contact.point - collider_origin(params, contact.collider);
            found.sum = add_sums(found.sum, ForceSum(impulse, 1u, cross(arm, impulse), 0u));
        }
    }
    return found;
}
