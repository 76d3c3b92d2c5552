// In which directions every particle has how many contacts, where there are bodies: `Σ n nᵀ` with their normals. Particles
// on their own share their mass among their neighbours by it; of all it is noted for the bodies.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> vectors: array<vec4f>;
@group(0) @binding(2) var<storage, read> ranges: array<vec4u>;
@group(0) @binding(3) var<storage, read> members: array<u32>;
// The owners of pairs with the particle, until `begin_solve` puts the numbers of these pairs there.
@group(0) @binding(4) var<storage, read> foreign: array<u32>;
@group(0) @binding(5) var<storage, read_write> contacts: array<ColliderContact>;
@group(0) @binding(6) var<storage, read> contact_ranges: array<vec2u>;

// The sine of the angle by which the ball of a particle is taken along its circle to where that is nearest to a plane: `revolution.rs` of
// motes-core. Whether it is near enough (y).
fn sine_to(revolving: Revolving, ball: vec4f, normal: vec3f, radius: f32) -> vec2f {
    let out = circle_of(revolving, ball);
    let down = dot(normal, revolving.axis) * revolving.axis - normal;
    let circle = length(out);
    let upright = length(down);
    if all(ball.xyz == vec3f()) || circle <= SMALLEST_CIRCLE * radius || upright <= LEAST_SINE {
        return vec2f();
    }
    let sine = dot(down, cross(revolving.axis, out)) / (upright * circle);
    let most = ALONG_CIRCLE * radius * min(upright / UPRIGHT, 1.0);
    let rolls = dot(down, out) > 0.0 && abs(sine) * circle <= most;
    return select(vec2f(), vec2f(sine, 1.0), rolls);
}

// Which way a particle touches: where its contacts with other bodies lead, or out of the nearest collider.
fn touching_way(i: u32, pointing: vec3f, run: vec2u, here: vec3f) -> vec3f {
    var way = normal_or_zero(pointing);
    if any(way != vec3f()) {
        return way;
    }
    var nearest = 0.0;
    for (var c = run.x; c < run.x + run.y; c++) {
        let gap = dot(here - contacts[c].point, contacts[c].normal);
        if c == run.x || gap < nearest {
            nearest = gap;
            way = contacts[c].normal;
        }
    }
    return way;
}

// How much closer to a plane the middle of what is seen of a ball comes than its particle, when the body turns so.
fn closer_by(turning: vec3f, seen: vec4f, ball: vec4f, normal: vec3f, revolving: Revolving) -> f32 {
    let back = rotation_about(-turning);
    if !revolving.rolls || any(seen != ball) {
        return dot(seen.xyz - turn(back, seen.xyz), normal);
    }
    let arm = revolving.arm;
    let middle = arm + seen.xyz;
    let tilted_back = rotation_about(dot(turning, revolving.axis) * revolving.axis - turning);
    return dot(middle - turn(tilted_back, middle), normal) - dot(arm - turn(back, arm), normal);
}

// Has the ball of a particle touch in place of the particle, in a body that is about to turn.
fn shift_contact(c: u32, ball: vec4f, radius: f32, turning: vec3f, revolving: Revolving) {
    let normal = contacts[c].normal;
    let seen = seen_of(ball, normal, radius);
    let arm = seen.xyz - seen.w * normal;
    // What is round rolls over what it touches: the middle of the ball comes closer, a point of its surface slips.
    let slipped = arm - turn(rotation_about(-turning), arm);
    let closer = closer_by(turning, seen, ball, normal, revolving);
    contacts[c].point += arm - (2.0 * dot(arm, normal) + radius) * normal;
    contacts[c].travel += (dot(slipped, normal) - closer) * normal - slipped;
}

// Where the contacts of a particle with other bodies act, which lead that way all together; the sine of the angle by which its ball was taken along
// its circle stays with that (w).
fn find_foot(i: u32, ball: vec4f, pointing: vec3f, turning: vec3f, revolving: Revolving, sine: f32) {
    let normal = normal_or_zero(pointing);
    vectors[foot_at(i)] = vec4f(vec3f(), sine);
    vectors[slip_at(i)] = vec4f();
    if all(normal == vec3f()) || ball.w < 0.0 {
        return;
    }
    let seen = seen_of(ball, normal, radius_of(i));
    let arm = seen.xyz - seen.w * normal;
    let slipped = arm - turn(rotation_about(-turning), arm);
    let closer = closer_by(turning, seen, ball, normal, revolving);
    vectors[foot_at(i)] = vec4f(arm, sine);
    vectors[slip_at(i)] = vec4f(slipped + (closer - dot(slipped, normal)) * normal, 0.0);
}

// Whether a particle comes near enough for a body to deal with it.
fn is_near(c: u32, start: vec3f, end: vec3f, radius: f32) -> bool {
    let normal = contacts[c].normal;
    let above = dot(end - contacts[c].point, normal);
    let above_before = dot(start - (contacts[c].point - contacts[c].travel), normal);
    return min(above, above_before) - radius <= INSCRIBED_NEAR * radius;
}

@compute @workgroup_size(WORKGROUP)
fn main(thread: Thread) {
    let i = thread_index(thread);
    if i >= params.count {
        return;
    }
    let here = vectors[predicted_at(i)];
    let range = ranges[i];
    let count = range.y + range.w;
    var diagonal = vec3f();
    var mixed = vec3f();
    // Which way the contacts with inscribed balls lead, all together.
    var pointing = vec3f();
    for (var k = 0u; k < count; k++) {
        var normal = vec3f();
        var is_solid = false;
        if k < range.y {
            let other = members[range.x + k];
            let offset = here.xyz - vectors[predicted_at(other)].xyz;
            let touch = touch_between(i, other, apart(offset, i, other));
            normal = touch.normal;
            is_solid = touch.is_solid;
        } else {
            let other = foreign[range.z + k - range.y];
            let offset = vectors[predicted_at(other)].xyz - here.xyz;
            let touch = touch_between(other, i, apart(offset, other, i));
            normal = -touch.normal;
            is_solid = touch.is_solid;
        }
        pointing += select(vec3f(), normal, is_solid);
        diagonal += normal * normal;
        mixed += normal * normal.yzx;
    }
    vectors[sorted_at(i)].w = here.w * divisor(count, diagonal, mixed);
    vectors[before_at(i)].w = 1.0;
    let run = contact_ranges[i];
    var twist = vec4f();
    var ball = vec4f();
    var revolving = Revolving();
    if INSCRIBED == 1u {
        twist = vectors[twist_at(i)];
        ball = vectors[inscribed_at(i)];
        revolving = Revolving(vectors[axis_arm_at(i)].xyz, vectors[axis_at(i)].xyz, false);
        var sine = vec2f();
        if ball.w >= 0.0 && any(revolving.axis != vec3f()) {
            let way = touching_way(i, pointing, run, here.xyz);
            sine = sine_to(revolving, ball, way, radius_of(i));
            revolving.rolls = sine.y > 0.0;
            ball = taken_along(revolving, ball, sine.x);
        }
        find_foot(i, ball, pointing, twist.xyz, revolving, sine.x);
    }
    var counted = count;
    var arms = f32(count) * foot_of(i);
    for (var c = run.x; c < run.x + run.y; c++) {
        let normal = contacts[c].normal;
        if has_ball(twist) {
            shift_contact(c, ball, radius_of(i), twist.xyz, revolving);
            if !is_near(c, vectors[sorted_at(i)].xyz, here.xyz, radius_of(i)) {
                // Nothing gets as far as that.
                contacts[c].point -= OUT_OF_THE_WAY * normal;
                continue;
            }
            arms += arm_of(ball, normal, radius_of(i));
        }
        counted++;
        diagonal += normal * normal;
        mixed += normal * normal.yzx;
    }
    if INSCRIBED == 1u {
        vectors[twist_at(i)] = select(vec4f(), vec4f(arms / f32(max(counted, 1u)), twist.w), has_ball(twist));
    }
    vectors[busy_at(i)] = vec4f(diagonal, f32(counted));
    vectors[busy_mixed_at(i)] = vec4f(mixed, 0.0);
}
