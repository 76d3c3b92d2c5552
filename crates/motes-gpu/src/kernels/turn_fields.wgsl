// Finds the members of bodies in their slots once these are sorted, and turns what they know of the surface of their bodies
// to where the bodies are going.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> vectors: array<vec4f>;
@group(0) @binding(2) var<storage, read> kinds: array<vec4u>;
@group(0) @binding(3) var<storage, read_write> membership: array<u32>;
@group(0) @binding(4) var<storage, read> body_members: array<vec4u>;
@group(0) @binding(5) var<storage, read> bodies: array<Body>;

// Deeper than any member of a body.
const NO_FIELD = vec4f(0.0, 0.0, 0.0, NO_FIELD_DEPTH);

@compute @workgroup_size(WORKGROUP)
fn main(thread: Thread) {
    let i = thread_index(thread);
    if i >= params.count {
        return;
    }
    let member = member_of(kinds[sorted_kind_at(i)]);
    if INSCRIBED == 1u {
        vectors[twist_at(i)] = vec4f();
        vectors[inscribed_at(i)] = vec4f(0.0, 0.0, 0.0, -1.0);
        vectors[axis_at(i)] = vec4f();
        vectors[axis_arm_at(i)] = vec4f();
    }
    if member == NO_MEMBER {
        vectors[field_at(i)] = NO_FIELD;
        return;
    }
    membership[member] = i + 1u;
    let b = body_members[owner_at(member)].x;
    let field = bitcast<vec4f>(body_members[surface_at(member)]);
    vectors[field_at(i)] = vec4f(turn(bodies[b].to_rotation, field.xyz), field.w);
    if INSCRIBED == 1u {
        let ball = bitcast<vec4f>(body_members[inscribed_member_at(member)]);
        if ball.w >= 0.0 && is_a(b, RIGID) {
            vectors[inscribed_at(i)] = vec4f(turn(bodies[b].to_rotation, ball.xyz), ball.w);
            if any(bodies[b].axis != vec3f()) {
                let rest = bitcast<vec4f>(body_members[rest_at(member)]).xyz;
                vectors[axis_at(i)] = vec4f(turn(bodies[b].to_rotation, bodies[b].axis), 0.0);
                vectors[axis_arm_at(i)] = vec4f(turn(bodies[b].to_rotation, rest - bodies[b].axis_point), 0.0);
            }
            let whole = compose(bodies[b].to_rotation, reverse(bodies[b].from_rotation));
            vectors[twist_at(i)] = vec4f(arc(whole), 0.0);
            if !is_a(b, KINEMATIC) {
                vectors[twist_at(i)] = vec4f(arc(bodies[b].turn), 1.0);
            }
        }
    }
}
