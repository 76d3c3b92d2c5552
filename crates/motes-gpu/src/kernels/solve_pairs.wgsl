// One iteration over the contacts between particles, extrapolated by a fraction of its change (Nesterov acceleration).

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<uniform> iteration: Iteration;
@group(0) @binding(2) var<storage, read> owners: array<u32>;
@group(0) @binding(3) var<storage, read> members: array<u32>;
@group(0) @binding(4) var<storage, read> vectors: array<vec4f>;
@group(0) @binding(5) var<storage, read> kinds: array<vec4u>;
@group(0) @binding(6) var<storage, read> table: array<vec4f>;
@group(0) @binding(7) var<storage, read_write> impulses: array<vec4f>;
@group(0) @binding(8) var<storage, read_write> previous: array<vec4f>;
@group(0) @binding(9) var<storage, read_write> cells: array<u32>;

// The gap of a pair that is found at `end` and was looked at where it is seen.
fn gap_at(touch: Touch, end: vec3f, seen: vec3f) -> f32 {
    if SWEEPS == 0u {
        return touch.gap;
    }
    return touch.gap + dot(end - seen, touch.normal);
}

fn solve_pair(p: u32) {
    let pair = pair_at(p);
    let a = vectors[predicted_at(pair.x)];
    let b = vectors[predicted_at(pair.y)];
    let start_a = vectors[start_at(pair.x)];
    let start_b = vectors[start_at(pair.y)];
    let before = impulses[PAIR * p];
    let coefficients = pair_coefficients(pair.x, pair.y);
    let between = (a.xyz + swung_of(pair.x)) - (b.xyz + swung_of(pair.y));
    var moved = between - ((start_a.xyz - slip_of(pair.x)) - (start_b.xyz - slip_of(pair.y)));
    let mobility = a.w + b.w;
    let seen = seen_between(pair.x, pair.y, apart(between, pair.x, pair.y), moved);
    let touch = touch_between(pair.x, pair.y, seen);
    let normal = touch.normal;
    let gap = gap_at(touch, between, seen);
    var step = params.relaxation / (start_a.w + start_b.w);
    var mobilities = vec2f();
    var turning_across = 0.0;
    if ORIENTED == 1u {
        let way_a = vectors[turned_at(pair.x)];
        let way_b = vectors[turned_at(pair.y)];
        let arm_a = -pair_arm(pair.x, normal);
        let arm_b = pair_arm(pair.y, normal);
        mobilities.x = select(way_a.w * start_a.w, 0.0, is_in_part(pair.x));
        mobilities.y = select(way_b.w * start_b.w, 0.0, is_in_part(pair.y));
        let yields = mobilities.x * lever_yields(pair.x, arm_a, normal) + mobilities.y * lever_yields(pair.y, arm_b, normal);
        turning_across = step / (1.0 + TURNING_ACROSS / TURNING * yields.y * step);
        // Friction looks at the surfaces, whose way apart does not count twice: the gap has it already.
        moved += cross(way_a.xyz, arm_a) - cross(way_b.xyz, arm_b);
        step /= 1.0 + step * yields.x;
    }
    let opened = dot(moved, normal);
    // An overlap from before the sub-step asks for nothing.
    let error = max(gap, opened);
    let along = dot(before.xyz, normal);
    let grip = params.grip * contact_area(pair.x, pair.y) * coefficients.w;
    let idle = along == 0.0 && gap >= grip * mobility;
    let pushed = select(max(along - error * step, -grip), 0.0, idle);
    var slip = moved - normal * opened;
    var across = step * params.across;
    var turned_a = vec4f();
    var turned_b = vec4f();
    if TURNS == 1u {
        turned_a = vectors[turned_at(pair.x)];
        turned_b = vectors[turned_at(pair.y)];
        if ORIENTED == 1u {
            across = params.across * turning_across;
        } else {
            slip -= cross(turned_a.xyz + turned_b.xyz, normal);
            across /= 1.0 + TURNING_ACROSS * (turned_a.w * start_a.w + turned_b.w * start_b.w) * step;
        }
    }
    let wanted = (before.xyz - normal * along) - slip * across;
    let load = select(max(pushed + grip, 0.0), 0.0, idle);
    let solved = normal * pushed + hold(wanted, load, coefficients.x, coefficients.y);
    var onward = solved;
    if iteration.momentum > 0.0 {
        var last = before.xyz;
        if iteration.carried == 1u {
            last = previous[PAIR * p].xyz;
        }
        let change = solved - last;
        let turned = dot(before.xyz - solved, change) > 0.0;
        onward += change * select(iteration.momentum, 0.0, turned);
    }
    if iteration.momentum > 0.0 && iteration.carries == 1u {
        previous[PAIR * p] = vec4f(solved, 0.0);
    }
    // Many pairs do not touch and stay at zero.
    if any(onward != before.xyz) {
        impulses[PAIR * p] = vec4f(onward, before.w);
    }
    if TURNS == 1u {
        let part = rolling_part(pair.x, pair.y);
        let couple = impulses[PAIR * p + COUPLE].xyz;
        let rolled = part * turned_a.xyz - (1.0 - part) * turned_b.xyz;
        let own = part * part * turned_a.w * start_a.w;
        var yields = TURNING * (own + (1.0 - part) * (1.0 - part) * turned_b.w * start_b.w);
        if ORIENTED == 1u {
            yields = TURNING * (part * part * mobilities.x + (1.0 - part) * (1.0 - part) * mobilities.y);
        }
        let back = ROLLING / select(1.0, yields, yields > 1e-37);
        let resistance = pair_rolling(pair.x, pair.y, vec2(turned_a.w, turned_b.w) > vec2(0.0));
        let held = hold(couple - rolled * back, load, resistance, resistance);
        var rolls_on = held;
        if iteration.momentum > 0.0 {
            var last = couple;
            if iteration.carried == 1u {
                last = previous[PAIR * p + COUPLE].xyz;
            }
            let change = held - last;
            rolls_on += change * select(iteration.momentum, 0.0, dot(couple - held, change) > 0.0);
        }
        if iteration.momentum > 0.0 && iteration.carries == 1u {
            previous[PAIR * p + COUPLE] = vec4f(held, 0.0);
        }
        if any(onward != before.xyz) || any(rolls_on != couple) {
            if ORIENTED == 1u {
                let twists = twists_of(pair.x, pair.y, normal, onward - before.xyz, rolls_on - couple);
                impulses[PAIR * p + TWIST] += vec4f(twists[0], 0.0);
                impulses[PAIR * p + OTHER_TWIST] += vec4f(twists[1], 0.0);
            } else {
                let twist = cross(onward - before.xyz, normal) + part * (rolls_on - couple);
                impulses[PAIR * p + TWIST] += vec4f(twist, 0.0);
            }
            impulses[PAIR * p + COUPLE] = vec4f(rolls_on, 0.0);
        }
    }
}

// Pairs may be more than threads: launches go by how many there were some frames ago.
@compute @workgroup_size(WORKGROUP)
fn main(thread: Thread, @builtin(num_workgroups) groups: vec3u) {
    let all = groups.x * groups.y * WORKGROUP;
    if iteration.empties == 1u {
        for (var entry = thread_index(thread); entry <= params.entry_room; entry += all) {
            cells[entry] = 0u;
        }
    }
    let count = pair_count();
    for (var p = thread_index(thread); p < count; p += all) {
        solve_pair(p);
    }
}
