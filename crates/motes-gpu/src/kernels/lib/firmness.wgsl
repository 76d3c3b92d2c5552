// How far the shape of a body, and those of its clusters, pull at its particles: `Firmness` of motes-core's `shape_match.rs`.

// Stiffness as a share of a deformation undone in a sixtieth of a second, or below zero a rate, 1/s²; in a sub-step.
fn gain_of(stiffness: f32) -> f32 {
    let sixtieths = 60.0 * params.h;
    let share = -2.0 * log(max(1.0 - stiffness, 1e-30)) * sixtieths * sixtieths;
    let gain = select(share, -stiffness * params.h * params.h, stiffness < 0.0);
    return select(min(gain, FIRM), FIRM, stiffness >= 1.0);
}

// Of the whole (x) and of the clusters (y); no larger than so many iterations can follow, unless it is firm as a whole.
fn gains_of(b: u32) -> vec2f {
    let gains = vec2f(gain_of(bodies[b].stiffness), gain_of(bodies[b].cluster_stiffness));
    let n = round(60.0 * params.h / params.iteration_part);
    let most = (n + 1.0) * pow(1.0 + 1.0 / max(n, 1.0), n);
    return gains * select(1.0, most / max(gains.x + gains.y, most), gains.x < FIRM);
}

// What is missing of the pull at a member that was pulled so far already, by its gaps to the goals of the whole and of its
// clusters.
fn pull_missing(b: u32, whole: vec3f, part: vec3f, pulled: vec3f) -> vec3f {
    let gains = gains_of(b);
    let yields = 1.0 + gains.x + gains.y;
    return (gains.x / yields) * whole + (gains.y / yields) * part - pulled / yields;
}
