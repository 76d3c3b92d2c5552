// Changes of velocity between touching particles, as changes of momentum of the first of each pair. AGAIN is 1 from the second time
// in a sub-step on, which is for bodies only.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> owners: array<u32>;
@group(0) @binding(2) var<storage, read> members: array<u32>;
@group(0) @binding(3) var<storage, read> vectors: array<vec4f>;
@group(0) @binding(4) var<storage, read> kinds: array<vec4u>;
@group(0) @binding(5) var<storage, read> table: array<vec4f>;
@group(0) @binding(6) var<storage, read_write> messages: array<vec4f>;
@group(0) @binding(7) var<storage, read> impulses: array<vec4f>;

// Effective inverse mass of a particle, 1/kg.
fn mobility_of(i: u32, inverse_mass: f32) -> f32 {
    if is_member(i) {
        return vectors[start_at(i)].w;
    }
    return inverse_mass;
}

@compute @workgroup_size(WORKGROUP)
fn main(thread: Thread) {
    let p = thread_index(thread);
    if p >= pair_count() {
        return;
    }
    let pair = pair_at(p);
    let a = vectors[predicted_at(pair.x)];
    let b = vectors[predicted_at(pair.y)];
    let offset = a.xyz - b.xyz;
    let near = IN_TOUCH * contact_distance(pair.x, pair.y);
    messages[PAIR * p] = vec4f();
    if AGAIN == 1u && !is_member(pair.x) && !is_member(pair.y) {
        return;
    }
    let is_solid = are_solid(pair.x, pair.y);
    if !is_solid && dot(offset, offset) > near * near {
        return;
    }
    var normal = normal_or_zero(offset);
    if (BODIES == 1u || ORIENTED == 1u) && any(offset != vec3f()) {
        let touch = touch_between(pair.x, pair.y, offset);
        normal = touch.normal;
        if touch.has_body && all(impulses[PAIR * p].xyz == vec3f()) {
            return;
        }
    }
    let coefficients = pair_coefficients(pair.x, pair.y);
    var before = vectors[before_at(pair.x)].xyz - vectors[before_at(pair.y)].xyz;
    var relative = vectors[rebound_at(pair.x)].xyz - vectors[rebound_at(pair.y)].xyz;
    var mobility = mobility_of(pair.x, a.w) + mobility_of(pair.y, b.w);
    if is_solid {
        let slipped = (slip_of(pair.x) - slip_of(pair.y)) / params.h;
        before += slipped;
        relative += slipped + swung_of(pair.x) - swung_of(pair.y);
        mobility = a.w / vectors[before_at(pair.x)].w + b.w / vectors[before_at(pair.y)].w;
    }
    let impact = dot(before, normal);
    let leaving = dot(relative, normal);
    var wanted = -coefficients.z * impact;
    if is_ellipsoid(pair.x) || is_ellipsoid(pair.y) {
        // Centres rebound by less where a part of the impact turns them.
        let along_a = lever_yields(pair.x, -pair_arm(pair.x, normal), normal).x;
        let along_b = lever_yields(pair.y, pair_arm(pair.y, normal), normal).x;
        wanted /= 1.0 + (a.w * along_a + b.w * along_b) / max(a.w + b.w, 1e-37);
    }
    let bounces = impact < -params.restitution_threshold && wanted > leaving;
    var change = vec3f();
    if bounces {
        change += (wanted - leaving) * normal;
    }
    let slows = AGAIN == 0u && params.velocity_friction == 1u;
    if slows {
        change -= min(coefficients.y, 1.0) * (relative - leaving * normal);
    }
    // 0: nothing, 1: slowed, 2: bounced.
    let slowed = slows || any(change != vec3f());
    messages[PAIR * p] = vec4f(change / mobility, select(select(0.0, 1.0, slowed), 2.0, bounces));
}
