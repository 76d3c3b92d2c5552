// What densities are made of: the counterpart of `constraints/density.rs` in motes-core.

// Sections of `flow`, a vector per particle each. First places, with a number that neighbours look at: how much harder it presses since the
// last iteration, or its viscosity (negative in solids); curls of velocities, and how long they are.
fn wall_at(i: u32) -> u32 {
    return fluid.room + i;
}

// Multiplier, its last change, one over what it is divided by, excess from before the sub-step that it leaves alone; where surfaces contract, see `tauten`.
fn pressing_at(i: u32) -> u32 {
    return 2u * fluid.room + i;
}

fn weight(q: f32) -> f32 {
    let left = max(1.0 - q, 0.0);
    let square = left * left;
    return square * square * (1.0 + 4.0 * q);
}

fn slope(q: f32) -> f32 {
    let near = max(q, NEAR_SLOPE);
    let left = max(1.0 - near, 0.0);
    return 20.0 * left * left * left * (near / max(q, SAME_SPOT));
}

// What a particle is to another.
struct Near {
    // From the other to it.
    offset: vec3f,
    // Distance in smoothing radii, and one over such a radius.
    q: f32,
    inverse_reach: f32,
    // How much the other counts for it, and it for the other, compared to one alike.
    counts: vec2f,
}

fn near(i: u32, center: vec3f, j: u32, other: vec3f) -> Near {
    var found: Near;
    found.offset = center - other;
    found.counts = vec2f(1.0);
    found.inverse_reach = fluid.per_smoothing;
    if SIZES == 1u {
        found.inverse_reach = 1.0 / smoothing_distance(i, j);
        let share = 2.0 * radius_of(j) / (radius_of(i) + radius_of(j));
        let shares = vec2f(share, 2.0 - share);
        found.counts = shares * shares * shares;
    }
    let squared = dot(found.offset, found.offset);
    found.q = squared * inverseSqrt(max(squared, 1e-36)) * found.inverse_reach;
    return found;
}

// The same of two that may be in the very same place: they go apart, in directions that are opposite.
fn near_or_aside(i: u32, center: vec3f, j: u32, other: vec3f) -> Near {
    var found = near(i, center, j, other);
    if found.q == 0.0 {
        found.q = IN_ONE_SPOT;
        found.offset = aside(i, j) * (IN_ONE_SPOT / found.inverse_reach);
    }
    return found;
}

fn aside(i: u32, j: u32) -> vec3f {
    let lower = min(i, j);
    let bits = (lower * 0x9e3779b9u) ^ (max(i, j) * 0x85ebca6bu);
    let random = unpack2x16unorm(bits);
    let height = 2.0 * random.x - 1.0;
    let ring = sqrt(max(1.0 - height * height, 0.0));
    let direction = vec3f(ring * cos(TURN * random.y), height, ring * sin(TURN * random.y));
    return select(-direction, direction, i == lower);
}

// Slope of a density at a neighbour, for one who counts as 1.
fn pull_of(found: Near) -> vec3f {
    return (slope(found.q) * found.inverse_reach * found.inverse_reach) * found.offset;
}

fn per_own_reach(i: u32) -> f32 {
    if SIZES == 0u {
        return fluid.per_smoothing;
    }
    return 1.0 / smoothing_distance(i, i);
}
