// The end of a sub-step: velocities from positions (line 24), rebounds from colliders and damping; positions are accepted
// or particles sleep (line 27 with eq. 14); what is no number is put back and stopped; colliders get what is theirs. Then
// the next sub-step begins, unless this was the last of the frame.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<uniform> colliders: ColliderParams;
@group(0) @binding(2) var<storage, read_write> vectors: array<vec4f>;
@group(0) @binding(3) var<storage, read_write> kinds: array<vec4u>;
@group(0) @binding(4) var<storage, read> contact_ranges: array<vec2u>;
@group(0) @binding(5) var<storage, read> contacts: array<ColliderContact>;
@group(0) @binding(6) var<storage, read> pool: array<u32>;
@group(0) @binding(7) var<storage, read_write> block_sums: array<ForceSum>;
@group(0) @binding(8) var<storage, read> table: array<vec4f>;
@group(0) @binding(9) var<storage, read_write> cells: array<atomic<u32>>;

// Compared as bits, because compilers may assume that there is nothing but numbers.
fn finite(v: vec3f) -> bool {
    return all((bitcast<vec3u>(v) & vec3u(0x7f800000u)) != vec3u(0x7f800000u));
}

// With damping. Where there are liquids, velocities are worked out before, and changed since.
fn final_velocity(i: u32, start: vec3f, goal: vec3f, material: u32, run: vec2u) -> vec4f {
    var after: vec4f;
    if FLUIDS == 1u {
        after = vectors[params.flow_section + i];
        if MIXED == 1u {
            after.w -= 2.0 * floor(0.5 * after.w);
        }
    } else {
        after = velocity_after(i, start, goal, run);
    }
    return vec4f(after.xyz * exp(-table[material].y * params.h), after.w);
}

// What colliders did to a particle in the sub-step, kg·m.
fn support_of(run: vec2u) -> vec3f {
    var sum = vec3f();
    for (var c = run.x; c < run.x + run.y; c++) {
        let contact = contacts[c];
        sum += (contact.normal_sum * contact.normal + contact.friction_sum) / contact.inverse_mass;
    }
    return sum;
}

fn end_substep(i: u32, run: vec2u) {
    let goal = vectors[predicted_at(i)];
    let start = vectors[start_at(i)].xyz;
    let touched = vectors[pushed_at(i)].w > 0.0;
    let kind = kinds[sorted_kind_at(i)];
    let material = material_of(kind);
    var velocity = final_velocity(i, start, goal.xyz, material, run);
    if FACES == 1u {
        velocity += vec4f(vectors[blown_at(i)].xyz, 0.0);
    }
    let moved = goal.xyz - start;
    let blew_up = !finite(goal.xyz) || !finite(velocity.xyz);
    let is_pinned = goal.w == 0.0 && !blew_up;
    var position = goal;
    if is_pinned {
        // Nothing has acted on a pin, whatever touched it.
        velocity = vec4f(moved / params.h, 1.0);
    } else if blew_up || (touched && dot(moved, moved) < params.rest * params.rest) {
        position = vec4f(start, goal.w);
        velocity = vec4f(0.0, 0.0, 0.0, 1.0);
    }
    if blew_up {
        atomicAdd(&cells[blowup_place()], 1u);
        atomicMin(&cells[blowup_place() + 1u], kind.z);
    }
    if colliders.is_last == 0u {
        var warmth = AMBIENT;
        if WARM == 1u {
            warmth = vectors[warmth_at(i)].w;
        }
        var weight = 1.0;
        if ORIENTED == 1u {
            weight = vectors[outline_mixed_at(i)].w;
        }
        velocity = start_substep(i, position, velocity, kind, warmth, weight);
    }
    vectors[position_at(i)] = position;
    vectors[velocity_at(i)] = velocity;
    vectors[support_at(i)] = vec4f(support_of(run), 0.0);
    // Where the particle is now is where its contacts will be looked for in the next sub-step.
    kinds[i] = vec4u(kind.xyz, i);
}

@compute @workgroup_size(WORKGROUP)
fn main(thread: Thread) {
    let i = thread_index(thread);
    var run = vec2u();
    if i < params.count {
        run = contact_ranges[i];
        end_substep(i, run);
    }
    sum_block(colliders, group_index(thread), thread.local, run);
}
