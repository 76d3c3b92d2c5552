// Warm starting: contacts start from their impulses in the last sub-step, and grow stale where bodies rest.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> owners: array<u32>;
@group(0) @binding(2) var<storage, read> members: array<u32>;
// The last slot of each particle (w), among others.
@group(0) @binding(3) var<storage, read> kinds: array<vec4u>;
@group(0) @binding(4) var<storage, read> vectors: array<vec4f>;
@group(0) @binding(5) var<storage, read> old_ranges: array<vec4u>;
@group(0) @binding(6) var<storage, read> old_members: array<u32>;
@group(0) @binding(7) var<storage, read> old_impulses: array<vec4f>;
@group(0) @binding(8) var<storage, read_write> impulses: array<vec4f>;


// Place of the pair with `other` among the pairs `own`; one past them if there is none. Four are fetched at a time, so
// that none waits for another.
fn place_of(own: vec2u, other: u32) -> u32 {
    let end = own.x + own.y;
    for (var p = own.x; p < end; p += 4u) {
        let four = vec4u(old_members[p], old_members[p + 1u], old_members[p + 2u], old_members[p + 3u]);
        let same = (four == vec4u(other)) & (vec4u(p, p + 1u, p + 2u, p + 3u) < vec4u(end));
        if any(same) {
            return select(select(select(p + 3u, p + 2u, same.z), p + 1u, same.y), p, same.x);
        }
    }
    return end;
}

// What a contact did before: on the first of the pair now.
struct Recalled {
    impulse: vec4f,
    couple: vec3f,
}

fn recalled(a: u32, b: u32) -> Recalled {
    if a == NEW || b == NEW {
        return Recalled();
    }
    let own = old_ranges[min(a, b)].xy;
    let p = place_of(own, max(a, b));
    if p == own.x + own.y {
        return Recalled();
    }
    let impulse = old_impulses[PAIR * p];
    var couple = vec3f();
    if TURNS == 1u {
        couple = old_impulses[PAIR * p + COUPLE].xyz;
    }
    let side = select(-1.0, 1.0, a < b);
    return Recalled(vec4f(side * impulse.xyz, impulse.w), side * couple);
}

@compute @workgroup_size(WORKGROUP)
fn main(thread: Thread) {
    let p = thread_index(thread);
    let pair = pair_at(p);
    if p >= pair_count() {
        if p == params.pair_capacity {
            for (var k = 0u; k < PAIR; k++) {
                impulses[PAIR * p + k] = vec4f();
            }
        }
        return;
    }
    let before = recalled(kinds[sorted_kind_at(pair.x)].w, kinds[sorted_kind_at(pair.y)].w);
    let impulse = before.impulse;
    let a = vectors[predicted_at(pair.x)];
    let b = vectors[predicted_at(pair.y)];
    let start_a = vectors[sorted_at(pair.x)].xyz - slip_of(pair.x);
    let start_b = vectors[sorted_at(pair.y)].xyz - slip_of(pair.y);
    let moved = (a.xyz - b.xyz) - (start_a - start_b);
    let seen = seen_between(pair.x, pair.y, apart(a.xyz - b.xyz, pair.x, pair.y), moved);
    let touch = touch_between(pair.x, pair.y, seen);
    let pushes = params.memory > 0.0 && dot(impulse.xyz, touch.normal) > 0.0;
    let parts = dot(moved, touch.normal) > params.calm;
    let kept = select(0.0, params.memory, pushes && !parts);
    let rests = pushes && touch.has_body && dot(moved, moved) < params.calm * params.calm;
    impulses[PAIR * p] = vec4f(impulse.xyz * kept, select(1.0, impulse.w * params.fading, rests));
    if TURNS == 1u {
        let couple = before.couple * kept;
        let twist = cross(impulse.xyz * kept, touch.normal) + rolling_part(pair.x, pair.y) * couple;
        impulses[PAIR * p + TWIST] = vec4f(twist, 0.0);
        if ORIENTED == 1u {
            let twists = twists_of(pair.x, pair.y, touch.normal, impulse.xyz * kept, couple);
            impulses[PAIR * p + TWIST] = vec4f(twists[0], 0.0);
            impulses[PAIR * p + OTHER_TWIST] = vec4f(twists[1], 0.0);
        }
        impulses[PAIR * p + COUPLE] = vec4f(couple, 0.0);
    }
}
