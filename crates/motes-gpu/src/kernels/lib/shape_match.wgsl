// The rigid motion that brings a rest shape closest to where its particles have gone: motes-core's `shape_match.rs`.

// Sums over members, and what is matched.
struct Match {
    center: vec3f,
    rotation: vec4f,
    rest_center: vec3f,
}

// What a member adds to the sums: masses, places and rest positions, and their products.
fn moments_of(mass: f32, place: vec3f, rest: vec3f) -> mat4x4f {
    let one = vec4f(place, 1.0);
    let weighted = mass * rest;
    return mat4x4f(one * mass, one * weighted.x, one * weighted.y, one * weighted.z);
}

// From sums over places relative to `near`.
fn matched(moments: mat4x4f, near: vec3f, guess: vec4f) -> Match {
    let mass = moments[0].w;
    let per_mass = select(0.0, 1.0 / mass, mass > 0.0);
    let center = moments[0].xyz * per_mass;
    let rests = vec3f(moments[1].w, moments[2].w, moments[3].w);
    let covariance = mat3x3f(
        moments[1].xyz - center * rests.x,
        moments[2].xyz - center * rests.y,
        moments[3].xyz - center * rests.z,
    );
    return Match(center + near, best_rotation(covariance, guess), rests * per_mass);
}

// How `tr(QᵀA)` rises around a rotation.
struct Slope {
    rotation: vec4f,
    diagonal: vec3f,
    mixed: vec3f,
    // Axis of the part of QᵀA that is not symmetric.
    twist: vec3f,
    trace: f32,
    size: f32,
}

fn slope_at(covariance: mat3x3f, guess: vec4f) -> Slope {
    let rotation = normalize(guess);
    let a = transpose(matrix_of(rotation)) * covariance;
    let diagonal = vec3f(a[0].x, a[1].y, a[2].z);
    let upper = vec3f(a[1].x, a[2].y, a[0].z);
    let lower = vec3f(a[0].y, a[1].z, a[2].x);
    let mixed = 0.5 * (upper + lower);
    let apart = lower - upper;
    let size = sqrt(dot(diagonal, diagonal) + 2.0 * dot(mixed, mixed));
    return Slope(rotation, diagonal, mixed, apart.yzx, diagonal.x + diagonal.y + diagonal.z, size);
}

fn scale_of(slope: Slope) -> f32 {
    return max(slope.size, length(slope.twist));
}

fn is_level(slope: Slope) -> bool {
    let scale = scale_of(slope);
    return !(scale > 1e-37 && scale < 3e38 && length(slope.twist) > LEVEL * scale);
}

// Newton's step, radians.
fn newton_step(slope: Slope) -> vec3f {
    let lift = max(LEAST * scale_of(slope) - (slope.trace - slope.size), 0.0);
    // Sizes near the ends of the range of numbers would leave it.
    let scale = 1.0 / scale_of(slope);
    let m = symmetric((vec3f(slope.trace + lift) - slope.diagonal) * scale, -slope.mixed * scale);
    let x = cross(m[1], m[2]);
    let step = (x * slope.twist.x + cross(m[2], m[0]) * slope.twist.y + cross(m[0], m[1]) * slope.twist.z) * scale;
    return clamp_length(step / dot(m[0], x), 2.0);
}

// Goes a step, or as much of it as leads upward.
fn walk(here: Slope, covariance: mat3x3f, whole: vec3f) -> Slope {
    var step = whole;
    for (var k = 0u; k < 4u; k++) {
        let next = slope_at(covariance, compose(here.rotation, vec4f(0.5 * step, 1.0)));
        if next.trace >= here.trace - LEVEL * scale_of(here) {
            return next;
        }
        step *= 0.25;
    }
    return here;
}

// The rotation Q that makes `tr(QᵀA)` largest, from a guess.
fn best_rotation(covariance: mat3x3f, guess: vec4f) -> vec4f {
    var here = slope_at(covariance, guess);
    var turned_round = false;
    for (var k = 0u; k < 2u * STEPS; k++) {
        if !is_level(here) {
            here = walk(here, covariance, newton_step(here));
            continue;
        }
        if turned_round || here.trace >= here.size * (1.0 - LEVEL) || !(here.size < 3e38) {
            break;
        }
        // Half a turn leads up from where it is level but not highest.
        let axes = eigen(symmetric(here.diagonal, here.mixed));
        let others = vec3f(here.trace) - axes.values;
        let lowest = min(others.x, min(others.y, others.z));
        if lowest >= -1e-3 * here.size {
            break;
        }
        let axis = select(select(axes.axes[2], axes.axes[1], others.y == lowest), axes.axes[0], others.x == lowest);
        here = slope_at(covariance, compose(here.rotation, vec4f(axis, 0.0)));
        turned_round = true;
    }
    return here.rotation;
}
