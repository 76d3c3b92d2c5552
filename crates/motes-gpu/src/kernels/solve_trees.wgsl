// Attachments of rigid bodies in trees, all at once: motes-core's `articulated.rs`. A workgroup has a tree, whose bodies come
// in levels from the leaves to the root. They are to hold at the end of the sub-step; STARTS is 1 where they are to hold at its
// start, after some bodies were moved out of overlaps, and are then solved REPEATS times.

@group(0) @binding(0) var<storage, read_write> bodies: array<Body>;
@group(0) @binding(1) var<storage, read_write> attachments: array<Attachment>;
@group(0) @binding(2) var<storage, read> trees: array<Tree>;
// The first node of each level; the last entry is the end.
@group(0) @binding(3) var<storage, read> levels: array<u32>;
// Body, joint above, first of the joints below, and how many there are. Behind all nodes the joints: first attachment, how many
// there are, node above and node below.
@group(0) @binding(4) var<storage, read> nodes: array<vec4u>;
@group(0) @binding(5) var<storage, read_write> drives: array<Drive>;

var<workgroup> tree: Tree;
// Whether an axis was taken to be on the wrong piece of its law, whether mobilities have to be worked out, and whether any body of
// the tree was moved out of overlaps, as threads find it; and one of these for all to read.
var<workgroup> unsettled: atomic<u32>;
var<workgroup> unknown: atomic<u32>;
var<workgroup> some_moved: atomic<u32>;
var<workgroup> answer: u32;

// Solves the tree, with the mobilities that there are if it was solved before; says whether all axes are on the right pieces of their laws.
fn solve_tree(own: Tree, local: u32, was_solved: bool) -> bool {
    var again = was_solved;
    let joints = joints_of(own);
    let all = nodes_of(own);
    let share = select(SURE, SPARE, own.nails > 1u);
    for (var n = all.x + local; n < all.y && !again; n += WORKGROUP) {
        begin_node(n);
    }
    for (var j = joints.x + local; j < joints.y; j += WORKGROUP) {
        if again {
            aim_joint(j);
        } else {
            begin_joint(j, share);
        }
    }
    wait_for_others();
    var settled = false;
    for (var round = 0u; round < PASSES && !settled; round++) {
        for (var level = 0u; level < own.levels; level++) {
            for (var n = level_at(own, level) + local; n < level_at(own, level + 1u); n += WORKGROUP) {
                if again {
                    attach_again(n);
                } else {
                    attach_all(n);
                }
            }
            wait_for_others();
        }
        for (var level = own.levels; level > 0u; level--) {
            for (var n = level_at(own, level - 1u) + local; n < level_at(own, level); n += WORKGROUP) {
                release_all(n);
            }
            wait_for_others();
        }
        again = false;
        settled = true;
        if DRIVES == 1u {
            workgroupBarrier();
            if local == 0u {
                answer = atomicExchange(&unsettled, 0u);
            }
            settled = workgroupUniformLoad(&answer) == 0u;
        }
    }
    for (var n = all.x + local; n < all.y; n += WORKGROUP) {
        move_node(n);
    }
    return settled;
}

// Whether any body of the tree was moved out of overlaps.
fn was_moved(own: Tree, local: u32) -> bool {
    let end = levels[own.first_level + own.levels];
    for (var n = levels[own.first_level] + local; n < end; n += WORKGROUP) {
        if bodies[nodes[n].x].start_moved != 0.0 {
            atomicStore(&some_moved, 1u);
        }
    }
    workgroupBarrier();
    if local == 0u {
        answer = atomicLoad(&some_moved);
    }
    return workgroupUniformLoad(&answer) != 0u;
}

// Whether the mobilities are those that were worked out before.
fn knows_all(own: Tree, local: u32) -> bool {
    for (var j = joints_of(own).x + local; j < joints_of(own).y; j += WORKGROUP) {
        if !is_known(j) {
            atomicStore(&unknown, 1u);
        }
    }
    for (var n = nodes_of(own).x + local; n < nodes_of(own).y; n += WORKGROUP) {
        if !is_as_before(n) {
            atomicStore(&unknown, 1u);
        }
    }
    workgroupBarrier();
    if local == 0u {
        answer = atomicLoad(&unknown);
    }
    return workgroupUniformLoad(&answer) == 0u;
}

@compute @workgroup_size(WORKGROUP)
fn main(thread: Thread) {
    let local = thread.local;
    if local == 0u {
        tree = Tree();
        if group_index(thread) < arrayLength(&trees) {
            tree = trees[group_index(thread)];
        }
        atomicStore(&unsettled, 0u);
        atomicStore(&unknown, 0u);
        atomicStore(&some_moved, 0u);
    }
    let own = workgroupUniformLoad(&tree);
    if STARTS == 1u {
        if was_moved(own, local) {
            take_up(own, local);
            for (var round = 0u; round < REPEATS; round++) {
                solve_tree(own, local, false);
                storageBarrier();
            }
            put_back(own, local);
        }
        return;
    }
    take_up(own, local);
    let knew = knows_all(own, local);
    let settled = solve_tree(own, local, knew);
    for (var j = joints_of(own).x + local; j < joints_of(own).y; j += WORKGROUP) {
        note_impulses(j);
        if DRIVES == 1u {
            note_axis(j);
        }
        attachments[joint_at(j).x].is_solved = u32(settled);
    }
    if !knew || DRIVES == 1u {
        put_back(own, local);
    }
}
