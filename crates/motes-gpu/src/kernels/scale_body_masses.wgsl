// Mass scaling (eq. 21) where there are bodies: between two of them by the bodies as a whole, lest bodies that are locked
// into each other take off.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> owners: array<u32>;
@group(0) @binding(2) var<storage, read> members: array<u32>;
@group(0) @binding(3) var<storage, read> vectors: array<vec4f>;
@group(0) @binding(4) var<storage, read_write> shares: array<vec2f>;
@group(0) @binding(5) var<storage, read> kinds: array<vec4u>;
@group(0) @binding(6) var<storage, read> membership: array<u32>;
@group(0) @binding(7) var<storage, read> body_members: array<vec4u>;
@group(0) @binding(8) var<storage, read> bodies: array<Body>;

@compute @workgroup_size(WORKGROUP)
fn main(thread: Thread) {
    let p = thread_index(thread);
    if p >= pair_count() {
        return;
    }
    let pair = pair_at(p);
    let first = member_of(kinds[sorted_kind_at(pair.x)]);
    let second = member_of(kinds[sorted_kind_at(pair.y)]);
    // Scaling is per diameter of what touches.
    let per_diameter = params.touch / contact_distance(pair.x, pair.y);
    var stack = per_diameter * dot(params.stack, vectors[sorted_at(pair.y)].xyz - vectors[sorted_at(pair.x)].xyz);
    var mobilities = vec2f(vectors[predicted_at(pair.x)].w, vectors[predicted_at(pair.y)].w);
    if first != NO_MEMBER && second != NO_MEMBER {
        mobilities = vec2f(vectors[sorted_at(pair.x)].w, vectors[sorted_at(pair.y)].w);
        let below = body_members[owner_at(first)].x;
        let above = body_members[owner_at(second)].x;
        let height = dot(params.body_up, bodies[above].from_position - bodies[below].from_position);
        stack = min(scaling_of(below), scaling_of(above)) * clamp(height, -1.0, 1.0);
    }
    shares[p] = stack_shares(mobilities.x, mobilities.y, stack);
}

fn scaling_of(body: u32) -> f32 {
    let own = bodies[body].mass_scaling;
    return select(own, params.body_scaling, own < 0.0);
}
