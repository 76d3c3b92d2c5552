// Moves each particle by what its contacts with others have done since it was moved last, then solves its contacts with
// colliders, one after the other: each concerns this particle only.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> vectors: array<vec4f>;
@group(0) @binding(2) var<storage, read> messages: array<vec4f>;
@group(0) @binding(3) var<storage, read> ranges: array<vec4u>;
@group(0) @binding(4) var<storage, read> foreign: array<u32>;
@group(0) @binding(5) var<storage, read> shares: array<vec2f>;
@group(0) @binding(6) var<storage, read_write> contacts: array<ColliderContact>;
@group(0) @binding(7) var<storage, read> contact_ranges: array<vec2u>;

@compute @workgroup_size(WORKGROUP)
fn main(thread: Thread) {
    let i = thread_index(thread);
    if i >= params.count {
        return;
    }
    let range = ranges[i];
    let run = contact_ranges[i];
    let before = vectors[pushed_at(i)];
    let old = vectors[predicted_at(i)];
    let sum = sum_of_own(range) + sum_of_foreign(range);
    var position = old.xyz + (sum - before.xyz) * old.w;
    var touched = any(sum != vec3f()) || before.w > 0.0;
    var swing = vec4f();
    if INSCRIBED == 1u {
        swing = vectors[twist_at(i)];
    }
    var twist = cross(foot_of(i), sum - before.xyz);
    var turned = vec4f();
    if TURNS == 1u {
        turned = vectors[turned_at(i)];
    }
    if run.y > 0u {
        let start = vectors[start_at(i)].xyz;
        var reach = vec2f(1.0);
        if (BODIES == 1u || is_in_part(i)) && vectors[before_at(i)].w != 1.0 {
            // Friction acts in two directions: for bodies, which move as a whole, it goes half as far at a time.
            reach = vectors[before_at(i)].w * vec2f(1.0, ACROSS);
        }
        let acts_apart = has_ball(swing) && reach.x != 1.0;
        if acts_apart {
            reach.y = swing.w;
        }
        for (var c = run.x; c < run.x + run.y; c++) {
            var arm = vec3f();
            if acts_apart {
                arm = arm_of(vectors[inscribed_at(i)], contacts[c].normal, radius_of(i));
            }
            // Bodies move by all their contacts at once, so those with colliders are worked out before they move.
            let place = select(old.xyz, position, reach.x == 1.0);
            if is_ellipsoid(i) {
                let solved = solve_ellipsoid(c, i, start, place, turned, reach);
                position += solved.push;
                turned += vec4f(solved.turned, 0.0);
                touched |= solved.acts;
                continue;
            }
            var goes = reach;
            var gone = cross(swing.xyz, arm);
            let rubbed = contacts[c].friction_sum;
            if turned.w > 0.0 {
                goes.y *= ALONE_ACROSS;
            }
            let solved = solve_collider(c, radius_of(i), start, place, gone, cross(turned.xyz, contacts[c].normal), goes);
            if turned.w > 0.0 {
                turned += TURNING * vec4f(cross(contacts[c].friction_sum - rubbed, contacts[c].normal), 0.0);
            }
            position += solved.xyz;
            touched |= solved.w > 0.0;
            twist += cross(arm, solved.xyz) / old.w;
        }
    }
    if turned.w > 0.0 && run.y > 0u {
        resist_rolling(i, run, turned, vec3f(), 1.0);
    }
    if has_ball(swing) {
        vectors[twist_at(i)] = vec4f(twist, swing.w);
    }
    vectors[predicted_at(i)] = vec4f(position, old.w);
    if PATCHES == 1u {
        vectors[settled_at(i)] = vec4f(position, old.w);
    }
    vectors[pushed_at(i)] = vec4f(sum, select(0.0, 1.0, touched));
}
