// What each collider received in a sub-step from one block of particles, those of a workgroup, added to what the block gave
// it before in the frame: the reverse of what it did to the particles.

var<workgroup> lowest: atomic<u32>;
var<workgroup> chosen: u32;

// What a thread's particle did to the next collider, and how many contacts it has with others after it.
struct Gathered {
    collider: u32,
    sum: ForceSum,
    left: u32,
}

fn sum_block(colliders: ColliderParams, block: u32, local: u32, range: vec2u) {
    let first = block * colliders.places;
    // A launch may have more workgroups than there are blocks.
    if colliders.substep == 0u && block < force_blocks(colliders.count) {
        for (var place = local; place < colliders.places; place += WORKGROUP) {
            block_sums[first + place] = ForceSum();
        }
    }
    // One collider at a time, of those that the block touches: no more of them, no more work.
    var own = gather_forces(colliders, range, 0u);
    for (var round = 0u; round < colliders.places; round++) {
        if local == 0u {
            atomicStore(&lowest, NO_COLLIDER);
        }
        workgroupBarrier();
        if own.collider != NO_COLLIDER {
            atomicMin(&lowest, own.collider);
        }
        workgroupBarrier();
        if local == 0u {
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
                own = gather_forces(colliders, range, collider + 1u);
            } else {
                own.collider = NO_COLLIDER;
            }
        }
        sum_workgroup(local, share);
        // The thread that has set this sum to zero adds to it, so that neither waits for the other.
        if local == collider % WORKGROUP {
            var sum = load_sum(0u);
            // Those of the last sub-step count.
            sum.contacts *= colliders.is_last;
            block_sums[first + collider] = add_sums(block_sums[first + collider], sum);
        }
    }
}

// Sums over the contacts of a particle with the first collider it touches, from a given one on.
fn gather_forces(colliders: ColliderParams, range: vec2u, from_collider: u32) -> Gathered {
    var found = Gathered(NO_COLLIDER, ForceSum(), 0u);
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
        let impulse = moved / (-colliders.h * contact.inverse_mass);
        let arm = contact.point - collider_origin(colliders, contact.collider);
        found.sum = add_sums(found.sum, ForceSum(impulse, 1u, cross(arm, impulse), 0u));
    }
    return found;
}
