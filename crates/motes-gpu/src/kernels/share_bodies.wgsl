// Effective inverse masses of the particles of bodies: an impulse on a particle of a rigid body meets the mass and
// inertia of the whole, shared among all of its contacts. One workgroup for each body. By the way particles at edges and
// corners take the normal of the face that their contacts are on.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> vectors: array<vec4f>;
@group(0) @binding(2) var<storage, read> membership: array<u32>;
@group(0) @binding(3) var<storage, read> body_members: array<vec4u>;
@group(0) @binding(4) var<storage, read_write> bodies: array<Body>;

var<workgroup> keeps_shape: u32;
var<workgroup> load: f32;
// Along and across contacts with inscribed balls.
var<workgroup> loads_apart: vec2f;

fn choose_face(m: u32, slot: u32, rotation: vec4f, normals: mat3x3f) {
    let first = bitcast<vec4f>(body_members[faces_at(m)]);
    let field = vectors[field_at(slot)];
    if first.w == 0.0 || field.w >= 0.0 {
        return;
    }
    let second = bitcast<vec4f>(body_members[faces_at(m) + params.members]);
    let candidates = array(field.xyz, turn(rotation, first.xyz), turn(rotation, second.xyz));
    var most = 0.0;
    for (var k = 0u; k < 3u; k++) {
        let along = dot(candidates[k], normals * candidates[k]);
        if along > most {
            most = along;
            vectors[field_at(slot)] = vec4f(candidates[k], field.w);
        }
    }
}

// Leaves the ball of a member of a body of revolution where it was taken to when contacts were counted.
fn take_along(m: u32, slot: u32, b: u32) {
    let rest = bitcast<vec4f>(body_members[rest_at(m)]).xyz;
    let rotation = bodies[b].to_rotation;
    let revolving = Revolving(turn(rotation, rest - bodies[b].axis_point), turn(rotation, bodies[b].axis), true);
    let ball = vectors[inscribed_at(slot)];
    if ball.w >= 0.0 {
        vectors[inscribed_at(slot)] = taken_along(revolving, ball, vectors[foot_at(slot)].w);
    }
}

// The lower triangle of a symmetric matrix, in two parts.
fn diagonal_of(m: mat3x3f) -> vec3f {
    return vec3f(m[0].x, m[1].y, m[2].z);
}

fn mixed_of(m: mat3x3f) -> vec3f {
    return vec3f(m[0].y, m[1].z, m[2].x);
}

@compute @workgroup_size(WORKGROUP)
fn main(thread: Thread) {
    let group = body_group(thread);
    let b = group.body;
    let rotation = bodies[b].to_rotation;
    if thread.local == 0u {
        keeps_shape = u32(is_a(b, RIGID));
    }
    // Particles of others meet impulses by themselves.
    let is_rigid = workgroupUniformLoad(&keeps_shape) != 0u;
    var along = mat4x4f();
    var around = mat4x4f();
    for (var m = group.first + thread.local; m < group.end; m += WORKGROUP) {
        if membership[m] == 0u {
            continue;
        }
        let slot = membership[m] - 1u;
        let busy = vectors[busy_at(slot)];
        let normals = symmetric(busy.xyz, vectors[busy_mixed_at(slot)].xyz);
        choose_face(m, slot, rotation, normals);
        if INSCRIBED == 1u && any(bodies[b].axis != vec3f()) {
            take_along(m, slot, b);
        }
        if busy.w > 0.0 && is_rigid {
            var arm = vectors[predicted_at(slot)].xyz - bodies[b].to_position;
            var inscribed = 0.0;
            if INSCRIBED == 1u {
                let twist = vectors[twist_at(slot)];
                inscribed = select(0.0, 1.0, has_ball(twist));
                arm += inscribed * twist.xyz;
            }
            let crossed = cross_matrix(arm);
            let turning = crossed * normals;
            let about = turning * transpose(crossed);
            // What contacts in all directions would do: `Σ n nᵀ` is a number, its arms a vector.
            let everywhere = crossed * transpose(crossed) * busy.w;
            along += mat4x4f(
                vec4f(busy.xyz, busy.w),
                vec4f(turning[0], normals[0].y),
                vec4f(turning[1], normals[1].z),
                vec4f(turning[2], normals[2].x),
            );
            around += mat4x4f(
                vec4f(diagonal_of(about), 0.0),
                vec4f(mixed_of(about), 0.0),
                vec4f(diagonal_of(everywhere), 0.0),
                vec4f(mixed_of(everywhere), 0.0),
            );
            // The arms have the places that are left.
            around[0].w += busy.w * arm.x;
            around[1].w += busy.w * arm.y;
            around[2].w += busy.w * arm.z;
            around[3].w += inscribed;
        }
    }
    if !is_rigid {
        return;
    }
    let normal_sums = sum_over_group(thread.local, along);
    let arm_sums = sum_over_group(thread.local, around);
    if thread.local == 0u {
        let inverse_inertia = turned(bodies[b].inverse_inertia, rotation);
        let inverse_mass = 1.0 / bodies[b].mass;
        let mixed = vec3f(normal_sums[1].w, normal_sums[2].w, normal_sums[3].w);
        let turning = mat3x3f(normal_sums[1].xyz, normal_sums[2].xyz, normal_sums[3].xyz);
        let about = symmetric(arm_sums[0].xyz, arm_sums[1].xyz);
        let normals = symmetric(normal_sums[0].xyz, mixed);
        let pressed = largest(normals, turning, about, inverse_mass, inverse_inertia);
        let count = normal_sums[0].w;
        let every_way = symmetric(vec3f(count), vec3f());
        let arms = cross_matrix(vec3f(arm_sums[0].w, arm_sums[1].w, arm_sums[2].w));
        let everywhere = symmetric(arm_sums[2].xyz, arm_sums[3].xyz);
        // A tall body yields to friction at its foot much more than to what carries it.
        let rubbed = largest(every_way, arms, everywhere, inverse_mass, inverse_inertia);
        load = max(pressed, ACROSS * rubbed);
        loads_apart = vec2f();
        if arm_sums[3].w > 0.0 && pressed > 0.0 {
            let more = 1.0 / pressed - 1.0 / rubbed;
            let both = largest(
                normals * more + every_way * (1.0 / rubbed),
                turning * more + arms * (1.0 / rubbed),
                about * more + everywhere * (1.0 / rubbed),
                inverse_mass,
                inverse_inertia,
            );
            loads_apart = max(both / OVERSHOOT, 1.0) * vec2f(pressed, rubbed);
        }
    }
    workgroupBarrier();
    let mobility = load;
    if mobility <= 0.0 {
        return;
    }
    for (var m = group.first + thread.local; m < group.end; m += WORKGROUP) {
        if membership[m] == 0u {
            continue;
        }
        let slot = membership[m] - 1u;
        let inverse_mass = vectors[predicted_at(slot)].w;
        if inverse_mass != 0.0 {
            vectors[sorted_at(slot)].w = mobility;
            vectors[before_at(slot)].w = inverse_mass / mobility;
            if INSCRIBED == 1u && loads_apart.x > 0.0 && has_ball(vectors[twist_at(slot)]) {
                vectors[before_at(slot)].w = inverse_mass / loads_apart.x;
                vectors[twist_at(slot)] = vec4f(vec3f(), inverse_mass / loads_apart.y);
            }
        }
    }
}
