// Line 27 for bodies: they sleep as a whole or not at all, and keep where they have turned to. One workgroup for each.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> vectors: array<vec4f>;
@group(0) @binding(2) var<storage, read> membership: array<u32>;
@group(0) @binding(3) var<storage, read_write> bodies: array<Body>;
@group(0) @binding(4) var<storage, read> kinds: array<vec4u>;
@group(0) @binding(5) var<storage, read> table: array<vec4f>;

var<workgroup> touched: atomic<u32>;
var<workgroup> moving: atomic<u32>;
// The first slot of any member.
var<workgroup> some: atomic<u32>;

// Compared as bits, because compilers may assume that there is nothing but numbers.
fn is_finite(v: vec3f) -> bool {
    return all((bitcast<vec3u>(v) & vec3u(0x7f800000u)) != vec3u(0x7f800000u));
}

// What a body takes into the next sub-step, with its velocities damped to a fraction.
fn keep_momentum(b: u32, asleep: bool, decay: f32) {
    let after = momenta_after(b);
    let numbers = is_finite(after.velocity) && is_finite(after.angular_momentum) && is_finite(bodies[b].to_position);
    if asleep || !numbers || (bodies[b].kind & (RIGID | KINEMATIC)) != RIGID {
        bodies[b].velocity = vec3f();
        bodies[b].angular_momentum = vec3f();
        return;
    }
    bodies[b].velocity = decay * after.velocity;
    bodies[b].angular_momentum = decay * after.angular_momentum;
    bodies[b].from_position = bodies[b].to_position;
}

@compute @workgroup_size(WORKGROUP)
fn main(thread: Thread) {
    let group = body_group(thread);
    let b = group.body;
    if thread.local == 0u {
        atomicStore(&touched, 0u);
        atomicStore(&moving, 0u);
        atomicStore(&some, NO_MEMBER);
    }
    workgroupBarrier();
    for (var m = group.first + thread.local; m < group.end; m += WORKGROUP) {
        if membership[m] != 0u {
            let slot = membership[m] - 1u;
            atomicMin(&some, slot);
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
        var decay = 1.0;
        if atomicLoad(&some) != NO_MEMBER {
            let material = material_of(kinds[sorted_kind_at(atomicLoad(&some))]);
            decay = exp(-table[material].y * params.h);
        }
        keep_momentum(b, asleep, decay);
    }
}
