// Weakly compressible SPH: the counterpart of `constraints/sph.rs` and `constraints/sph_kernels.rs` in motes-core.

struct SphParams {
    // How much a particle counts for another alike at distance 0, and a wall for a particle on it.
    share: f32,
    wall: f32,
    // Square of the speed of sound, as it is for a lattice.
    stiffness: f32,
    // What Laplacians are to be multiplied with, of neighbours over `share` and of walls.
    laplacian: f32,
    wall_laplacian: f32,
    // What viscosity there is besides that of materials, over the density and the smoothing radius.
    added: f32,
    unused_a: f32,
    unused_b: f32,
}

fn spiky(q: f32) -> f32 {
    let left = max(1.0 - q, 0.0);
    return left * left * left;
}

fn spiky_slope(q: f32) -> f32 {
    let left = max(1.0 - q, 0.0);
    return 3.0 * left * left;
}

fn laplacian(q: f32) -> f32 {
    return max(1.0 - q, 0.0);
}

fn spiky_beyond(q: f32) -> f32 {
    let left = clamp(1.0 - q, 0.0, 1.0);
    let square = left * left;
    return square * square * left * (1.5 - left);
}

fn spiky_beyond_slope(q: f32) -> f32 {
    let left = clamp(1.0 - q, 0.0, 1.0);
    let square = left * left;
    return square * square * (7.5 - 6.0 * left);
}
