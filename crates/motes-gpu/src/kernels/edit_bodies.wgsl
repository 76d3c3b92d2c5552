// Carries out edits of bodies on their members, a workgroup for each body; the first row of a body does all of its rows, in
// order.

@group(0) @binding(0) var<uniform> params: EditParams;
@group(0) @binding(1) var<storage, read> rows: array<BodyRow>;
// Indices of the ids of members.
@group(0) @binding(2) var<storage, read> indices: array<u32>;
@group(0) @binding(3) var<storage, read> census: array<u32>;
@group(0) @binding(4) var<storage, read> slots: array<u32>;
@group(0) @binding(5) var<storage, read_write> vectors: array<vec4f>;
@group(0) @binding(6) var<storage, read> kinds: array<vec4u>;
@group(0) @binding(7) var<storage, read> body_members: array<vec4u>;

// One edit of a body; those of a body follow each other.
struct BodyRow {
    // Impulse, velocity or position.
    value: vec3f,
    // KICK_BODY and the like.
    what: u32,
    // Point of the impulse, angular velocity or centre of mass in the body's frame.
    other: vec3f,
    // Number of the first member, and how many there are.
    member: u32,
    rotation: vec4f,
    count: u32,
    // The first of the indices.
    first: u32,
    // Members of all bodies.
    members: u32,
    unused: u32,
}

struct Motion {
    center: vec3f,
    velocity: vec3f,
    mass: f32,
    spin: vec3f,
    inverse_inertia: mat3x3f,
}

var<workgroup> lowest: atomic<u32>;

fn rest_of(row: BodyRow, m: u32) -> vec4f {
    return bitcast<vec4f>(body_members[MEMBER_REST * row.members + row.member + m]);
}

// How the members that are alive move as one.
fn motion_of(row: BodyRow, local: u32) -> Motion {
    if local == 0u {
        atomicStore(&lowest, NO_MEMBER);
    }
    workgroupBarrier();
    for (var m = local; m < row.count; m += WORKGROUP) {
        let slot = slot_of(indices[row.first + m]);
        if slot != NOWHERE {
            atomicMin(&lowest, slot);
        }
    }
    workgroupBarrier();
    // Sums are exact only near zero.
    let some = atomicLoad(&lowest);
    var near = vec3f();
    if some != NO_MEMBER {
        near = vectors[position_at(some)].xyz;
    }
    var sum = mat4x4f();
    for (var m = local; m < row.count; m += WORKGROUP) {
        let slot = slot_of(indices[row.first + m]);
        if slot != NOWHERE {
            let mass = rest_of(row, m).w;
            sum[0] += mass * vec4f(vectors[position_at(slot)].xyz - near, 1.0);
            sum[1] += mass * vec4f(vectors[velocity_at(slot)].xyz, 0.0);
        }
    }
    let all = sum_over_group(local, sum);
    let per_mass = select(0.0, 1.0 / all[0].w, all[0].w > 0.0);
    var motion = Motion();
    motion.mass = all[0].w;
    motion.center = near + all[0].xyz * per_mass;
    motion.velocity = all[1].xyz * per_mass;
    var moments = mat4x4f();
    for (var m = local; m < row.count; m += WORKGROUP) {
        let slot = slot_of(indices[row.first + m]);
        if slot != NOWHERE {
            let mass = rest_of(row, m).w;
            let arm = vectors[position_at(slot)].xyz - motion.center;
            let own = vectors[velocity_at(slot)].xyz - motion.velocity;
            moments[0] += vec4f(mass * cross(arm, own), 0.0);
            moments[1] += vec4f(mass * (vec3f(dot(arm, arm)) - arm * arm), 0.0);
            moments[2] -= vec4f(mass * arm * arm.yzx, 0.0);
        }
    }
    let total = sum_over_group(local, moments);
    motion.inverse_inertia = pseudo_inverse(symmetric(total[1].xyz, total[2].xyz));
    motion.spin = motion.inverse_inertia * total[0].xyz;
    return motion;
}

fn apply(row: BodyRow, motion: Motion, local: u32) {
    var velocity = row.value;
    var spin = row.other;
    if row.what == KICK_BODY {
        velocity = motion.velocity + row.value / motion.mass;
        spin = motion.spin + motion.inverse_inertia * cross(row.other - motion.center, row.value);
    }
    for (var m = local; m < row.count; m += WORKGROUP) {
        let slot = slot_of(indices[row.first + m]);
        if slot == NOWHERE {
            continue;
        }
        let position = vectors[position_at(slot)];
        let rest = rest_of(row, m);
        switch row.what {
            case PLACE_BODY: {
                vectors[position_at(slot)] = vec4f(row.value + turn(row.rotation, row.other + rest.xyz), position.w);
            }
            case PIN_BODY: {
                vectors[position_at(slot)] = vec4f(position.xyz, 0.0);
                vectors[velocity_at(slot)] = vec4f(0.0, 0.0, 0.0, 1.0);
            }
            case RELEASE_BODY: {
                vectors[position_at(slot)] = vec4f(position.xyz, 1.0 / rest.w);
            }
            default: {
                if position.w != 0.0 {
                    let arm = position.xyz - motion.center;
                    vectors[velocity_at(slot)] = vec4f(velocity + cross(spin, arm), HALF_KICK);
                }
            }
        }
    }
}

@compute @workgroup_size(WORKGROUP)
fn main(thread: Thread) {
    let own = group_index(thread);
    let first = min(own, params.rows - 1u);
    let member = rows[first].member;
    let leads = own < params.rows && (first == 0u || rows[max(first, 1u) - 1u].member != member);
    var end = first;
    for (var k = first; k < params.rows && leads && rows[k].member == member; k++) {
        end = k + 1u;
    }
    for (var k = first; k < end; k++) {
        let row = rows[k];
        apply(row, motion_of(row, thread.local), thread.local);
        // What one row has done, the sums of the next one see.
        storageBarrier();
    }
}
