//! Particles of a chain or a surface that keep their curvature: the vector `v = Σ wₖ xₖ`, whose length is to be that at rest.
//!
//! For three neighbours of a chain, a distance `l` apart, the weights are 1, −2, 1, and `v / l²` is the curvature; for the four
//! corners of two triangles they are sums of cotangents (Bergou, Wardetzky, Harmon, Zorin & Grinspun 2006). The gradients are
//! the weights, whatever the shape: three rows that are linear and share one answer, as XPBD solves them (Macklin, Müller &
//! Chentanez 2016, eq. 18). What pushes is along `v`, so that it neither moves the whole nor turns it.

use glam::Vec3;

use super::softness::Response;

/// What an iteration does to a curvature vector `v`, metres, that is to be `rest` long, metres; `normal` is that of the surface
/// there, of any length, and zero for a chain. `impulse` is what the row has done so far in the sub-step, kg·m. Returns the
/// change of that.
#[inline(always)]
pub fn project(v: Vec3, rest: f32, normal: Vec3, impulse: Vec3, response: Response) -> Vec3 {
    -(error(v, rest, normal) + response.compliance * impulse) * response.step
}

/// How far a curvature vector is from what it is to be. Where it is to have a length, it has that on the side of the normal that
/// the sign says, and gets there along itself.
#[inline(always)]
fn error(v: Vec3, rest: f32, normal: Vec3) -> Vec3 {
    if rest == 0.0 {
        return v;
    }
    let length = v.length();
    if length > STRAIGHT {
        let side = if v.dot(normal) < 0.0 { -1.0 } else { 1.0 };
        v * (1.0 - side * rest / length)
    } else {
        v - rest * normal.normalize_or_zero()
    }
}

/// A curvature vector no longer than this, metres, has no direction.
pub const STRAIGHT: f32 = 1e-12;

/// The effective inverse mass that a row counts on, 1/kg: each of its particles, of an inverse mass and with all of its rows'
/// weights, is shared among these by their weights. So the corrections of all rows together never overshoot.
#[inline(always)]
pub fn shared_mass(weights: [f32; 4], inverse_masses: [f32; 4], totals: [f32; 4]) -> f32 {
    let part = |k: usize| weights[k].abs() * totals[k] * inverse_masses[k];
    part(0) + part(1) + part(2) + part(3)
}

#[cfg(test)]
mod tests {
    use super::*;

    const STIFF: Response = Response {
        compliance: 0.0,
        step: 0.5,
    };

    #[test]
    fn a_bent_chain_is_pushed_straight_and_a_straight_one_is_left_alone() {
        let v = Vec3::new(0.0, 0.2, 0.0);
        assert_eq!(project(v, 0.0, Vec3::ZERO, Vec3::ZERO, STIFF), -0.5 * v);
        assert_eq!(project(Vec3::ZERO, 0.0, Vec3::ZERO, Vec3::ZERO, STIFF), Vec3::ZERO);
    }

    #[test]
    fn a_surface_bends_to_the_side_it_is_to_bend_to() {
        let (up, rest) = (Vec3::Y, 0.1);
        let push = |v: Vec3| project(v, rest, up, Vec3::ZERO, STIFF);
        assert!(push(0.1 * up).length() < 1e-7);
        // Too little, too much, none at all, and the wrong way.
        assert!((push(0.06 * up) - 0.02 * up).length() < 1e-7);
        assert!((push(0.14 * up) + 0.02 * up).length() < 1e-7);
        assert!((push(Vec3::ZERO) - 0.05 * up).length() < 1e-7);
        assert!((push(-0.1 * up) - 0.1 * up).length() < 1e-7);
    }

    #[test]
    fn a_force_bends_by_the_compliance() {
        // At rest the impulse balances what is asked for.
        let response = Response::new(0.01, 3.0, 0.1, 1.0);
        let v = Vec3::new(0.03, 0.0, 0.0);
        let impulse = -v / response.compliance;
        assert!(project(v, 0.0, Vec3::ZERO, impulse, response).length() < 1e-7);
    }

    #[test]
    fn rows_that_share_particles_do_not_overshoot() {
        // A chain: every inner particle has weights 1, 2 and 1 in its rows.
        assert_eq!(shared_mass([1.0, -2.0, 1.0, 0.0], [2.0; 4], [4.0, 4.0, 4.0, 4.0]), 32.0);
    }
}
