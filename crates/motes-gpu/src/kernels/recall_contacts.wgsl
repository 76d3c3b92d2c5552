// Warm starting of contacts with colliders: what colliders did to a particle in the last sub-step is shared out among the
// contacts that it has now, as in `recall.rs` of motes-core.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> vectors: array<vec4f>;
// The last slot of each particle (w), among others.
@group(0) @binding(2) var<storage, read> kinds: array<vec4u>;
@group(0) @binding(3) var<storage, read_write> contacts: array<ColliderContact>;
@group(0) @binding(4) var<storage, read> contact_ranges: array<vec2u>;

@group(0) @binding(5) var<storage, read> spins: array<f32>;

// Puts a particle of a liquid back out of colliders before its density is looked at. Pressures are not remembered, so what held against
// them is not either.
fn bear(i: u32, run: vec2u) {
    let start = vectors[sorted_at(i)].xyz;
    let goal = vectors[predicted_at(i)];
    var place = goal.xyz;
    for (var c = run.x; c < run.x + run.y; c++) {
        let normal = contacts[c].normal;
        let gap = dot(place - contacts[c].point, normal) - radius_of(i);
        let opened = dot(place - start - contacts[c].travel, normal);
        let along = max(-max(gap, opened), 0.0);
        contacts[c].normal_sum = along;
        place += along * normal;
    }
    vectors[predicted_at(i)] = vec4f(place, goal.w);
}

@compute @workgroup_size(WORKGROUP)
fn main(thread: Thread) {
    let i = thread_index(thread);
    if i >= params.count {
        return;
    }
    let run = contact_ranges[i];
    if FLUIDS == 1u && (phase_of(kinds[sorted_kind_at(i)]) & FLUID) != 0u {
        bear(i, run);
        return;
    }
    if params.memory == 0.0 {
        return;
    }
    let slot = kinds[sorted_kind_at(i)].w;
    if run.y == 0u || slot == NEW {
        return;
    }
    let support = vectors[support_at(slot)].xyz;
    if all(support == vec3f()) {
        return;
    }
    let goal = vectors[predicted_at(i)];
    let start = vectors[sorted_at(i)].xyz;
    let whole = support * (params.memory * goal.w);
    var left = whole;
    for (var c = run.x; c < run.x + run.y; c++) {
        let radius = wall_radius(i, contacts[c].normal);
        let gap = dot(start - (contacts[c].point - contacts[c].travel), contacts[c].normal) - radius;
        let along = dot(left, contacts[c].normal);
        if gap <= SLOP * 2.0 * radius && along > 0.0 {
            contacts[c].normal_sum = along;
            left -= along * contacts[c].normal;
        }
    }
    for (var c = run.x; c < run.x + run.y; c++) {
        let contact = contacts[c];
        if contact.normal_sum > 0.0 && params.velocity_friction == 0u {
            let across = left - dot(left, contact.normal) * contact.normal;
            let load = contact.normal_sum + contact.pull;
            let held = hold(across, load, contact.coefficients.x, contact.coefficients.y);
            contacts[c].friction_sum = held;
            left -= held;
        }
    }
    vectors[predicted_at(i)] = vec4f(goal.xyz + (whole - left), goal.w);
    if TURNS == 1u && vectors[turned_at(i)].w > 0.0 {
        var turned = vectors[turned_at(i)];
        for (var c = run.x; c < run.x + run.y; c++) {
            if is_ellipsoid(i) {
                let push = contacts[c].normal_sum * contacts[c].normal + contacts[c].friction_sum;
                turned += vec4f(lever_turned_by(wall_lever(i, contacts[c].normal, turned), push), 0.0);
            } else {
                turned += TURNING * vec4f(cross(contacts[c].friction_sum, contacts[c].normal), 0.0);
            }
        }
        let at = SPIN * index_of(kinds[sorted_kind_at(i)]) + SPIN_COUPLE;
        let couple = vec3f(spins[at], spins[at + 1u], spins[at + 2u]) * (params.memory * goal.w);
        resist_rolling(i, run, turned, couple, 0.0);
    }
    if INSCRIBED == 1u {
        var twist = vectors[twist_at(i)];
        for (var c = run.x; has_ball(twist) && c < run.x + run.y; c++) {
            let contact = contacts[c];
            let arm = arm_of(vectors[inscribed_at(i)], contact.normal, radius_of(i));
            let push = contact.normal_sum * contact.normal + contact.friction_sum;
            twist += vec4f(cross(arm, push) / contact.inverse_mass, 0.0);
        }
        if has_ball(twist) {
            vectors[twist_at(i)] = twist;
        }
    }
}
