// Joints whose axes something acts on: motes-core's `body/joint.rs` and `constraints/axis.rs`.

struct Drive {
    // Unit direction of the axis in the frame of the body, and the kind of joint.
    direction: vec3f,
    kind: u32,
    // The same in the frame of its partner, and the first of the joint's attachments; the others are further below.
    other_direction: vec3f,
    leader: u32,
    // From the body's frame to its partner's, as the joint was made.
    reference: vec4f,
    // Of a partner that is no body, the point there, and the first of its poses.
    anchor: vec3f,
    path: u32,
    least: f32,
    most: f32,
    stiffness: f32,
    rest: f32,
    damping: f32,
    friction: f32,
    // What the motor does, where it goes, how fast, and with how much.
    motor: u32,
    motor_target: f32,
    motor_speed: f32,
    motor_most: f32,
    second: u32,
    third: u32,
    // From here on, what the device knows better.
    position: f32,
    speed: f32,
    impulse: f32,
    // Speed of the sub-step before.
    before: f32,
    // What friction and damping of a ball joint did.
    turning: vec3f,
    acts: u32,
    // How the joint moves at the start, along or about.
    along: vec3f,
    // Where it is at the start, with all turns and within half of one, and the length of the sub-step.
    start: f32,
    base_position: vec3f,
    place: f32,
    base_from: vec4f,
    base_to: vec4f,
    base_end: vec3f,
    h: f32,
}

// A point of what is joined, and its rotation.
struct JointFrame {
    point: vec3f,
    rotation: vec4f,
}

// What acts on an axis in a sub-step.
struct Law {
    spring: f32,
    damping: f32,
    offset: f32,
    before: f32,
    motor: vec2f,
    friction: f32,
    least: f32,
    most: f32,
}

// A piece of the graph of a law, its value there, and the impulse.
struct Meeting {
    piece: u32,
    value: f32,
    impulse: f32,
}

fn within_half_a_turn(angle: f32) -> f32 {
    return angle - round(angle * (1.0 / TURN)) * TURN;
}

fn unit_or(v: vec3f, otherwise: vec3f) -> vec3f {
    let size = length(v);
    return select(otherwise, v / max(size, 1e-30), size > 1e-30);
}

fn axes_of(d: u32, body: JointFrame, partner: JointFrame) -> mat2x3f {
    return mat2x3f(turn(body.rotation, drives[d].direction), turn(partner.rotation, drives[d].other_direction));
}

// Where a joint is.
fn place_of_joint(d: u32, body: JointFrame, partner: JointFrame) -> f32 {
    let apart = body.point - partner.point;
    switch drives[d].kind {
        case SLIDER: {
            return dot(apart, turn(partner.rotation, drives[d].other_direction));
        }
        case DISTANCE: {
            return length(apart);
        }
        case HINGE: {
            let relative = compose(compose(reverse(partner.rotation), body.rotation), reverse(drives[d].reference));
            let axis = drives[d].other_direction;
            let twist = vec4f(axis * dot(relative.xyz, axis), relative.w);
            return dot(arc(normalize(twist)), axis);
        }
        default: {
            let axes = axes_of(d, body, partner);
            return length(arc(normalize(vec4f(cross(axes[0], axes[1]), 1.0 + dot(axes[0], axes[1])))));
        }
    }
}

// How far a joint is from one place to another.
fn apart_by(d: u32, start: f32, end: f32) -> f32 {
    return select(end - start, within_half_a_turn(end - start), drives[d].kind == HINGE);
}

// How the body moves against its partner.
fn direction_of(d: u32, body: JointFrame, partner: JointFrame) -> vec3f {
    switch drives[d].kind {
        case SLIDER: {
            return turn(partner.rotation, drives[d].other_direction);
        }
        case DISTANCE: {
            return unit_or(body.point - partner.point, vec3f(0.0, 1.0, 0.0));
        }
        case HINGE: {
            return turn(body.rotation, drives[d].direction);
        }
        default: {
            let axes = axes_of(d, body, partner);
            let aside = select(vec3f(1.0, 0.0, 0.0), vec3f(0.0, 1.0, 0.0), abs(axes[0].x) > 0.9);
            return unit_or(cross(axes[1], axes[0]), unit_or(cross(axes[0], aside), aside));
        }
    }
}

fn is_linear(d: u32) -> bool {
    return drives[d].kind == SLIDER || drives[d].kind == DISTANCE;
}

// Whether anything acts on its axis: of ball joints only a limit does.
fn has_axis(d: u32) -> bool {
    return drives[d].kind != BALL_JOINT || drives[d].most < UNLIMITED;
}

fn rubs(d: u32) -> bool {
    return drives[d].kind == BALL_JOINT && (drives[d].friction > 0.0 || drives[d].damping > 0.0);
}

fn law_of(d: u32) -> Law {
    let drive = drives[d];
    let h = drive.h;
    let reach = min(h / RESPONSE, 1.0);
    var law = Law();
    law.least = drive.least - drive.start;
    law.most = drive.most - drive.start;
    law.least *= select(1.0, reach, law.least > 0.0);
    law.most *= select(1.0, reach, law.most < 0.0);
    if drive.kind == BALL_JOINT {
        return law;
    }
    law.spring = h * h * drive.stiffness;
    law.damping = h * drive.damping;
    law.offset = drive.start - drive.rest;
    law.before = h * drive.before;
    law.friction = h * h * drive.friction;
    if drive.motor != NO_MOTOR {
        let way = reach * (drive.motor_target - drive.start);
        let to_place = clamp(way, -h * drive.motor_speed, h * drive.motor_speed);
        let wanted = select(h * drive.motor_speed, to_place, drive.motor == TO_PLACE);
        let furthest = select(LARGEST, LARGEST_TURN, drive.kind == HINGE);
        law.motor = vec2f(clamp(wanted, -furthest, furthest), h * h * drive.motor_most);
    }
    return law;
}

// The impulse between the jumps of a law: x − y · displacement.
fn slope_of(law: Law, mobility: f32) -> vec2f {
    let fast = clamp((mobility * law.spring / FAST_SPRING - 1.0) / 3.0, 0.0, 1.0);
    let late = max(1.0 - 1.0 / max(law.damping * mobility, 1.0), 0.5);
    return vec2f(
        -law.spring * (law.offset - 0.25 * (1.0 - fast) * law.before) - law.damping * (1.0 - late) * law.before,
        law.spring * (0.25 + 0.75 * fast) + law.damping * late,
    );
}

// Where the graph of a law meets the line of what the bodies do.
fn meet(law: Law, displacement: f32, impulse: f32, mobility: f32) -> Meeting {
    let slope = slope_of(law, mobility);
    let free = displacement - mobility * impulse;
    let yielding = 1.0 / (1.0 + mobility * slope.y);
    let rubbing = vec2f(0.0, law.friction);
    let motor_first = law.motor.x < 0.0;
    var extra = law.motor.y + law.friction;
    var held = Meeting(SLIDES, 0.0, 0.0);
    for (var k = 0u; k < 2u; k++) {
        let jump = select(rubbing, law.motor, motor_first == (k == 0u));
        if jump.y <= 0.0 || (free + mobility * (slope.x + extra)) * yielding < jump.x {
            continue;
        }
        let needed = (jump.x - free) / mobility;
        if needed >= slope.x - slope.y * jump.x + extra - 2.0 * jump.y {
            held = Meeting(HELD_AT, jump.x, needed);
            break;
        }
        extra -= 2.0 * jump.y;
    }
    let slid = (free + mobility * (slope.x + extra)) * yielding;
    let reached = select(slid, held.value, held.piece == HELD_AT);
    if reached < law.least || reached > law.most {
        let limit = clamp(reached, law.least, max(law.most, law.least));
        return Meeting(HELD_AT, limit, (limit - free) / mobility);
    }
    if held.piece == HELD_AT {
        return held;
    }
    return Meeting(SLIDES, extra, slope.x - slope.y * reached + extra);
}
