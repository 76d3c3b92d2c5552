// Rebounds from colliders, then damping.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> contact_ranges: array<vec2u>;
@group(0) @binding(2) var<storage, read> contacts: array<ColliderContact>;
@group(0) @binding(3) var<storage, read> before: array<vec4f>;
@group(0) @binding(4) var<storage, read> kinds: array<vec4u>;
@group(0) @binding(5) var<storage, read> table: array<vec4f>;
@group(0) @binding(6) var<storage, read_write> velocities: array<vec4f>;

@compute @workgroup_size(WORKGROUP)
fn main(thread: Thread) {
    let i = thread_index(thread);
    if i >= params.count {
        return;
    }
    var after = velocities[i];
    let range = contact_ranges[i];
    for (var c = range.x; c < range.x + range.y; c++) {
        let contact = contacts[c];
        if contact.normal_sum <= 0.0 {
            continue;
        }
        let wall = contact.travel / params.h;
        let impact = dot(before[i].xyz - wall, contact.normal);
        let leaving = dot(after.xyz - wall, contact.normal);
        let wanted = -contact.coefficients.z * impact;
        if impact < -params.restitution_threshold && wanted > leaving {
            after = vec4f(after.xyz + (wanted - leaving) * contact.normal, 0.5);
        }
        if params.velocity_friction == 1u {
            let slip = after.xyz - wall;
            let across = slip - dot(slip, contact.normal) * contact.normal;
            after = vec4f(after.xyz - min(contact.coefficients.y, 1.0) * across, after.w);
        }
    }
    let damping = table[material_of(kinds[i])].y;
    velocities[i] = vec4f(after.xyz * exp(-damping * params.h), after.w);
}
